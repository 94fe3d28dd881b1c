// ReLU and GELU, element by element, and their gradients.
#pragma once

#include <cstddef>

#include "training/strided_matrix.hpp"

namespace attnlab {

/// max(0, x), or x Φ(x) with the normal distribution's Φ (Hendrycks and Gimpel 2016, the exact form). In the
/// order of --activation's words.
enum class Activation { relu, gelu };

template <class T>
void activation_forward(Activation activation, ReadsVector<T> x, std::size_t count, T* y);

/// dx = dy ∘ 1[x > 0], or dx = dy ∘ (Φ(x) + x φ(x)). dx may be dy.
template <class T>
void activation_backward(Activation activation, ReadsVector<T> x, ReadsVector<T> dy, std::size_t count,
                         T* dx);

}  // namespace attnlab
