// y = x Wᵀ + b, and its gradient.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// Where parameters begin among all of a model's, one after another. What a model does not have has no_place.
constexpr std::size_t no_place = static_cast<std::size_t>(-1);
struct LinearPlaces {
  std::size_t weight = no_place;  // (out, in)
  std::size_t bias = no_place;    // (out)
};

/// x (rows, in) gives y (rows, out): attention/linear.hpp, on strided matrices.
template <class T>
void linear_forward(ReadsVector<T> parameters, const LinearPlaces& places, Reads<T> x, StridedMatrix<T> y);

/// dx = dy W;  dW += dyᵀ x;  db += Σ_rows dy. From dy (rows, out); dx (rows, in) is replaced.
template <class T>
void linear_backward(ReadsVector<T> parameters, const LinearPlaces& places, Reads<T> x, Reads<T> dy,
                     StridedMatrix<T> dx, T* gradient);

/// The last two alone: dW += dyᵀ x;  db += Σ_rows dy.
template <class T>
void add_gradient(const LinearPlaces& places, Reads<T> x, Reads<T> dy, T* gradient);

}  // namespace attnlab
