// Matrix products in memory that the caller owns: what a blocked computation needs of BLAS.
#pragma once

#include <cstddef>

namespace attnlab {

/// rows x columns values; row i begins at data + i * stride.
template <class T>
struct MatrixView {
  T* data;
  std::size_t rows;
  std::size_t columns;
  std::size_t stride;
};

/// C = scale · A Bᵀ. a (m, k), b (n, k), c (m, n). T = float or double.
template <class T>
void multiply_by_transposed(T scale, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c);

/// C += A B. a (m, k), b (k, n), c (m, n). T = float or double.
template <class T>
void add_product(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c);

}  // namespace attnlab
