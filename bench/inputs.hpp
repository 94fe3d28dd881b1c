// Queries, keys and values whose scores look like those of a real layer.
#pragma once

#include <cstddef>

#include "core/tensor.hpp"

namespace attnlab {

struct AttentionSizes {
  std::size_t heads = 8;
  std::size_t kv_heads = 8;
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t width = 64;
};

template <class T>
struct AttentionInputs {
  Tensor<T> query;  // (heads, queries, width)
  Tensor<T> key;    // (kv_heads, keys, width), as value
  Tensor<T> value;
};

/// Standard normal numbers, the same ones every time.
template <class T>
AttentionInputs<T> attention_inputs(const AttentionSizes& sizes);

/// What attention computes at least: Q Kᵀ and A V, a multiplication and an addition each.
double attention_flops(const AttentionSizes& sizes, bool causal);

}  // namespace attnlab
