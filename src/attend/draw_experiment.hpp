// What `draw` is: an experiment whose input is a file of weights.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Not in the table of experiments: it has nothing to show without a file.
const Experiment& draw_experiment();

}  // namespace attnlab
