// One factory per experiment, each defined in the file of that name; registry.cpp puts them in book order.
#pragma once

#include "experiments/experiment.hpp"

namespace attnlab {

Experiment softmax_experiment();
Experiment vectors_experiment();
Experiment scaling_experiment();
Experiment self_attention_experiment();
Experiment heads_experiment();
Experiment positional_experiment();

}  // namespace attnlab
