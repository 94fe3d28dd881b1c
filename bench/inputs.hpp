// Queries, keys and values whose scores look like those of a real layer.
#pragma once

#include <cstddef>

#include "core/tensor.hpp"

namespace attnlab {

template <class T>
struct AttentionInputs {
  Tensor<T> query;  // (heads, length, width), as key and value
  Tensor<T> key;
  Tensor<T> value;
};

/// Standard normal numbers, the same ones every time.
template <class T>
AttentionInputs<T> attention_inputs(std::size_t heads, std::size_t length, std::size_t width);

/// What attention computes at least: Q Kᵀ and A V, a multiplication and an addition each.
double attention_flops(std::size_t heads, std::size_t length, std::size_t width, bool causal);

}  // namespace attnlab
