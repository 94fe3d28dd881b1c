// One factory per experiment, each defined in the file of that name; registry.cpp puts them in book order.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

Experiment softmax_experiment();
Experiment dot_product_experiment();
Experiment vectors_experiment();
Experiment scaling_experiment();
Experiment variance_experiment();
Experiment additive_experiment();
Experiment lookup_experiment();
Experiment pooling_experiment();
Experiment filters_experiment();
Experiment cost_experiment();
Experiment self_attention_experiment();
Experiment heads_experiment();
Experiment masks_experiment();
Experiment permutation_experiment();
Experiment positional_experiment();
Experiment encoder_experiment();
Experiment decoder_experiment();
Experiment mistakes_experiment();

}  // namespace attnlab
