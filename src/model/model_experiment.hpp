// What `model` and `generation` are: experiments over a model on the user's disk.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Not in the table of experiments: it has nothing to show without a model.
const Experiment& model_experiment();

/// One token after the other.
const Experiment& generation_experiment();

}  // namespace attnlab
