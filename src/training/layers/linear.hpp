// y = x Wᵀ + b, and its gradient.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// x (rows, in), weight (out, in) and bias (out) give y (rows, out): attention/linear.hpp, on strided
/// matrices.
template <class T>
void linear_forward(Reads<T> x, Reads<T> weight, ReadsVector<T> bias, StridedMatrix<T> y);

/// dx = dy W;  dW += dyᵀ x;  db += Σ_rows dy. From dy (rows, out); dx (rows, in) is replaced.
template <class T>
void linear_backward(Reads<T> x, Reads<T> weight, Reads<T> dy, StridedMatrix<T> dx, StridedMatrix<T> dweight,
                     T* dbias);

/// The last two alone: dW += dyᵀ x;  db += Σ_rows dy.
template <class T>
void add_gradient(Reads<T> x, Reads<T> dy, StridedMatrix<T> dweight, T* dbias);

}  // namespace attnlab
