// What `attend` is: an experiment whose inputs are the user's files.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Not in the table of experiments: it has nothing to show without files.
const Experiment& attend_experiment();

}  // namespace attnlab
