// The layouts in which libraries keep the same numbers: tensors with their heads inside the width, before the
// length or behind it; projections per head or fused, three matrices or one.
#pragma once

#include <cstddef>

#include "core/tensor.hpp"

namespace attnlab {

// --- Tensors

/// (..., length, heads * width) to (..., heads, length, width): head h owns the columns h * width to
/// (h + 1) * width. Throws Error (usage) when the heads do not divide the columns.
template <class T>
Tensor<T> heads_from_width(const Tensor<T>& joined, std::size_t heads);

/// (..., length, heads, width) to (..., heads, length, width).
template <class T>
Tensor<T> heads_before_length(const Tensor<T>& heads_last);

/// Concat(head_1, ..., head_h): (..., heads, length, width) to (..., length, heads * width).
template <class T>
Tensor<T> join_heads(const Tensor<T>& heads);

/// Each head `times` times in a row, for heads that share keys and values:
/// (..., kv_heads, keys, width) to (..., kv_heads * times, keys, width).
template <class T>
Tensor<T> repeat_heads(const Tensor<T>& heads, std::size_t times);

// --- Weights

/// (heads, in, width) to (in, heads * width): head h owns the columns h * width to (h + 1) * width.
template <class T>
Tensor<T> fuse_heads(const Tensor<T>& per_head);

/// (in, heads * width) to (heads, in, width). Throws Error (usage) when the columns cannot be split.
template <class T>
Tensor<T> split_heads(const Tensor<T>& fused, std::size_t heads);

}  // namespace attnlab
