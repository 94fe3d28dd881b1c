// Do the weights of a multi-head layer fit each other and its inputs? For multi_head.cpp alone.
#pragma once

#include "attention/multi_head.hpp"
#include "core/tensor.hpp"

namespace attnlab {

/// Throws Error (usage) when projections, biases and W_O disagree, or when kv_heads does not divide heads.
template <class T>
void require_weights_that_fit(const MultiHeadWeights<T>& weights);

/// Throws Error (usage) unless tokens is (..., length, width).
template <class T>
void require_tokens_of_width(const Tensor<T>& tokens, std::size_t width);

}  // namespace attnlab
