// How evenly a distribution is spread: 0 when one key takes everything, log(keys) when all share alike.
#pragma once

#include "core/tensor.hpp"

namespace attnlab {

/// -sum p log p in nats along the last axis, with 0 log 0 = 0. weights (..., keys) gives (...).
Tensor<double> entropy(const Tensor<double>& weights);

}  // namespace attnlab
