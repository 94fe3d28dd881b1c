// What `model` is: an experiment over a model on the user's disk.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Not in the table of experiments: it has nothing to show without a model.
const Experiment& model_experiment();

}  // namespace attnlab
