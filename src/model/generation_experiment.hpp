// `generation` as an experiment: one token after the other.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

const Experiment& generation_experiment();

}  // namespace attnlab
