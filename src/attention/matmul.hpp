// The only door to BLAS: matrix products over any batch dimensions, as NumPy's matmul.
#pragma once

#include <utility>

#include "core/tensor.hpp"

namespace attnlab {

/// left (..., m, k) times right (..., k, n) gives (..., m, n); batch dimensions broadcast.
/// Sizes may be 0: a product over k = 0 is all zeros.
/// Throws Error (usage) when k differs, when the batches do not broadcast, or when an operand has fewer than
/// two dimensions.
template <class T>
Tensor<T> matmul(const Tensor<T>& left, const Tensor<T>& right);

/// Swaps the last two axes into a new, contiguous array: (..., m, n) becomes (..., n, m).
template <class T>
Tensor<T> transpose(const Tensor<T>& matrix);

// xt::transpose, which reverses *all* axes, is found through the argument's namespace and would fit better
// than the function above for an array that is not const. These two fit better still.
template <class T>
Tensor<T> transpose(Tensor<T>& matrix) {
  return transpose(std::as_const(matrix));
}
template <class T>
Tensor<T> transpose(Tensor<T>&& matrix) {
  return transpose(std::as_const(matrix));
}

/// Numbers in memory that belong to someone else, row-major.
struct LeftMatrix {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// A weight W that maps `in` numbers to `out`, stored as (in, out) or as (out, in).
struct RightMatrix {
  const float* data = nullptr;
  std::size_t in = 0;
  std::size_t out = 0;
  bool out_in = false;
};

/// x (n, in) times W goes to `product`, (n, out). No sizes are checked.
void multiply(const LeftMatrix& x, const RightMatrix& weight, float* product);

}  // namespace attnlab
