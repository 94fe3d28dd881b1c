// The three products of which training is made, on strided matrices: the door to BLAS for what is not a
// tensor.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// What becomes of C: C = factor · A B, or C += factor · A B.
enum class Sum { replaces, adds };

/// A (m, k) times B (k, n) into C (m, n). No size is 0.
template <class T>
void product(Reads<T> a, Reads<T> b, StridedMatrix<T> c, Sum sum = Sum::replaces, T factor = T(1));

/// A (m, k) times Bᵀ of B (n, k) into C (m, n).
template <class T>
void product_with_transpose(Reads<T> a, Reads<T> b, StridedMatrix<T> c, Sum sum = Sum::replaces,
                            T factor = T(1));

/// Aᵀ of A (k, m) times B (k, n) into C (m, n).
template <class T>
void product_of_transpose(Reads<T> a, Reads<T> b, StridedMatrix<T> c, Sum sum = Sum::replaces,
                          T factor = T(1));

}  // namespace attnlab
