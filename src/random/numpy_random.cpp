// NumPy's legacy stream: 53-bit doubles from MT19937, and normals by Marsaglia's polar method.
//
// Equal to NumPy in every bit only while the compiler fuses no multiply-add: with -march=native and GCC's
// default of -ffp-contract=fast, x * x + y * y below is rounded once instead of twice, and one normal in
// seven changes. The build therefore sets -ffp-contract=off.
#include "random/numpy_random.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnlab {

namespace {

/// The unit disc without its centre.
bool in_disc(double square) {
  return square < 1.0 && square != 0.0;
}

/// What turns a point of the disc into two normals.
double polar_stretch(double square) {
  return std::sqrt(-2.0 * std::log(square) / square);
}

}  // namespace

double NumpyRandom::uniform() {
  const auto high = static_cast<double>(engine_() >> 5U);  // 27 bits
  const auto low = static_cast<double>(engine_() >> 6U);   // 26 bits
  return (high * 67108864.0 + low) / 9007199254740992.0;   // (high · 2^26 + low) / 2^53
}

NumpyRandom::Point NumpyRandom::point() {
  const double x = 2.0 * uniform() - 1.0;
  const double y = 2.0 * uniform() - 1.0;
  return {x, y, x * x + y * y};
}

double NumpyRandom::normal() {
  if (kept_) {
    const double second = *kept_;
    kept_.reset();
    return second;
  }
  Point p = point();
  while (!in_disc(p.square)) p = point();
  const double stretch = polar_stretch(p.square);
  kept_ = stretch * p.x;  // NumPy hands out y first
  return stretch * p.y;
}

// The same numbers as normal(), twice as fast: logarithms, divisions and roots wait for no rejected point.
void NumpyRandom::fill_pairs(double* normals, std::size_t pairs) {
  constexpr std::size_t at_once = 256;
  std::array<Point, at_once> points{};
  std::array<double, at_once> stretch{};
  while (pairs > 0) {
    const std::size_t count = std::min(pairs, at_once);
    for (std::size_t found = 0; found < count;) {
      points[found] = point();
      found += static_cast<std::size_t>(in_disc(points[found].square));  // no branch to mispredict
    }
    for (std::size_t i = 0; i < count; ++i) stretch[i] = polar_stretch(points[i].square);
    for (std::size_t i = 0; i < count; ++i) {
      normals[2 * i] = stretch[i] * points[i].y;
      normals[2 * i + 1] = stretch[i] * points[i].x;
    }
    normals += 2 * count;
    pairs -= count;
  }
}

Tensor<double> NumpyRandom::randn(const std::vector<std::size_t>& shape) {
  Tensor<double> normals = Tensor<double>::from_shape(shape);
  if (normals.size() == 0) return normals;
  const std::size_t waiting = kept_ ? 1 : 0;
  if (kept_) normals.data()[0] = normal();
  const std::size_t pairs = (normals.size() - waiting) / 2;
  fill_pairs(normals.data() + waiting, pairs);
  if (waiting + 2 * pairs < normals.size()) normals.data()[normals.size() - 1] = normal();
  return normals;
}

}  // namespace attnlab
