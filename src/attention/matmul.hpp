// The only door to BLAS: matrix products over any batch dimensions, as NumPy's matmul.
#pragma once

#include "core/tensor.hpp"

namespace attnlab {

/// left (..., m, k) times right (..., k, n) gives (..., m, n); batch dimensions broadcast.
/// Throws Error (usage) when k differs, the batches do not broadcast, or an operand has fewer than two dimensions.
template <class T>
Tensor<T> matmul(const Tensor<T>& left, const Tensor<T>& right);

/// Swaps the last two axes into a new, contiguous array: (..., m, n) becomes (..., n, m).
template <class T>
Tensor<T> transpose(const Tensor<T>& matrix);

}  // namespace attnlab
