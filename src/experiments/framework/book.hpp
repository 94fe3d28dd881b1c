// The experiments of the book by name, each defined in the folder of that name.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

#define EXPERIMENT(name) Experiment name##_experiment();
#include "experiments/framework/book_order.hpp"
#undef EXPERIMENT

}  // namespace attnlab
