#include "training/layers/activation.hpp"

#include <cmath>
#include <type_traits>

#include "attention/lanes.hpp"

namespace attnlab {
namespace {

/// erfc(x): in float xsimd's, a register at a time; in double, of which that keeps 11 digits, the standard
/// library's.
template <class Lanes>
Lanes complementary_error(const Lanes& x) {
  using T = typename Lanes::value_type;
  if constexpr (std::is_same_v<T, float>) return xsimd::erfc(x);
  std::array<T, Lanes::size> lanes{};
  x.store_unaligned(lanes.data());
  for (T& lane : lanes) lane = std::erfc(lane);
  return Lanes::load_unaligned(lanes.data());
}

/// Φ(x)
template <class Lanes>
Lanes normal_distribution(const Lanes& x) {
  using T = typename Lanes::value_type;
  return Lanes(T(0.5)) * complementary_error(Lanes(x * Lanes(T(-0.70710678118654752440))));
}

/// φ(x)
template <class Lanes>
Lanes normal_density(const Lanes& x) {
  using T = typename Lanes::value_type;
  return Lanes(T(0.39894228040143267794)) * exponential(Lanes(Lanes(T(-0.5)) * x * x));
}

}  // namespace

template <class T>
void activation_forward(Activation activation, ReadsVector<T> x, std::size_t count, T* y) {
  using Lanes = xsimd::batch<T>;
  if (activation == Activation::relu) {
    for (std::size_t i = 0; i < count; ++i) y[i] = std::max(x[i], T(0));
  } else {
    compute_lanes(
        count, y, [](const Lanes& v) { return Lanes(v * normal_distribution(v)); }, x);
  }
}

template <class T>
void activation_backward(Activation activation, ReadsVector<T> x, ReadsVector<T> dy, std::size_t count,
                         T* dx) {
  using Lanes = xsimd::batch<T>;
  if (activation == Activation::relu) {
    for (std::size_t i = 0; i < count; ++i) dx[i] = x[i] > 0 ? dy[i] : T(0);
  } else {
    compute_lanes(
        count, dx,
        [](const Lanes& v, const Lanes& d) {
          return Lanes(d * (normal_distribution(v) + v * normal_density(v)));
        },
        x, dy);
  }
}

template void activation_forward(Activation, const float*, std::size_t, float*);
template void activation_forward(Activation, const double*, std::size_t, double*);
template void activation_backward(Activation, const float*, const float*, std::size_t, float*);
template void activation_backward(Activation, const double*, const double*, std::size_t, double*);

}  // namespace attnlab
