#include "training/layers/activation.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

/// Φ(x)
template <class T>
T normal_distribution(T x) {
  return T(0.5) * std::erfc(-x * T(0.70710678118654752440));
}

/// φ(x)
template <class T>
T normal_density(T x) {
  return T(0.39894228040143267794) * std::exp(T(-0.5) * x * x);
}

}  // namespace

template <class T>
void activation_forward(Activation activation, ReadsVector<T> x, std::size_t count, T* y) {
  if (activation == Activation::relu) {
    for (std::size_t i = 0; i < count; ++i) y[i] = std::max(x[i], T(0));
  } else {
    for (std::size_t i = 0; i < count; ++i) y[i] = x[i] * normal_distribution(x[i]);
  }
}

template <class T>
void activation_backward(Activation activation, ReadsVector<T> x, ReadsVector<T> dy, std::size_t count,
                         T* dx) {
  if (activation == Activation::relu) {
    for (std::size_t i = 0; i < count; ++i) dx[i] = x[i] > 0 ? dy[i] : T(0);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      dx[i] = dy[i] * (normal_distribution(x[i]) + x[i] * normal_density(x[i]));
    }
  }
}

template void activation_forward(Activation, const float*, std::size_t, float*);
template void activation_forward(Activation, const double*, std::size_t, double*);
template void activation_backward(Activation, const float*, const float*, std::size_t, float*);
template void activation_backward(Activation, const double*, const double*, std::size_t, double*);

}  // namespace attnlab
