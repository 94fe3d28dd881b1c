// How strongly the weights still react to the scores: the size of softmax's derivative.
#pragma once

#include "core/tensor.hpp"

namespace attnlab {

/// The Frobenius norm of diag(p) − p pᵀ, the derivative of softmax by its scores, for every row p along the
/// last axis. weights (..., keys) gives (...). It is 0 when one key has all the weight.
Tensor<double> softmax_gradient_norm(const Tensor<double>& weights);

}  // namespace attnlab
