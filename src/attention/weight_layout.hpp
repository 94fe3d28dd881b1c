// The layouts in which libraries keep the same projections: (in, out) or (out, in), per head or fused.
#pragma once

#include <cstddef>

#include "core/tensor.hpp"

namespace attnlab {

/// (heads, in, width) to (in, heads * width): head h owns the columns h * width to (h + 1) * width.
template <class T>
Tensor<T> fuse_heads(const Tensor<T>& per_head);

/// (in, heads * width) to (heads, in, width). Throws Error (usage) when the columns cannot be split.
template <class T>
Tensor<T> split_heads(const Tensor<T>& fused, std::size_t heads);

/// Query, key and value projections, each (out, in).
template <class T>
struct Projections {
  Tensor<T> query;
  Tensor<T> key;
  Tensor<T> value;
};

/// nn.MultiheadAttention's in_proj_weight: W_Q, W_K and W_V one below the other, (3 * width, in). A bias
/// (3 * width,) splits in the same way. Throws Error (usage) when the rows are no multiple of 3, or for
/// another rank.
template <class T>
Projections<T> split_in_projection(const Tensor<T>& in_projection);
template <class T>
Tensor<T> fuse_in_projection(const Projections<T>& projections);

}  // namespace attnlab
