// NumPy's legacy stream: 53-bit doubles from MT19937, and normals by Marsaglia's polar method.
//
// Equal to NumPy in every bit only while the compiler fuses no multiply-add: with -march=native and GCC's
// default of -ffp-contract=fast, x * x + y * y below is rounded once instead of twice, and one normal in
// seven changes. The build therefore sets -ffp-contract=off.
#include "random/numpy_random.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

/// The unit disc without its centre.
bool in_disc(double square) { return square < 1.0 && square != 0.0; }

/// What turns a point of the disc into two normals.
double polar_stretch(double logarithm, double square) { return std::sqrt(-2.0 * logarithm / square); }

}  // namespace

double NumpyRandom::uniform() {
  const std::uint32_t high = engine_();
  return unit_interval(high, engine_());
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
  const double stretch = polar_stretch(std::log(p.square), p.square);
  kept_ = stretch * p.x;  // NumPy hands out y first
  return stretch * p.y;
}

// The next points of the disc, without a branch: a point outside is written and overwritten by the next.
// Never more points are drawn than are still needed, so that the stream goes on right behind the last.
void NumpyRandom::find_points(Point* points, std::size_t count) {
  std::array<std::uint32_t, 4 * points_at_once> bits{};
  std::array<double, 2 * points_at_once> coordinates{};
  for (std::size_t found = 0; found < count;) {
    const std::size_t missing = count - found;
    engine_.fill(bits.data(), 4 * missing);
    for (std::size_t i = 0; i < 2 * missing; ++i) {
      coordinates[i] = 2.0 * unit_interval(bits[2 * i], bits[2 * i + 1]) - 1.0;
    }
    for (std::size_t i = 0; i < missing; ++i) {
      const double x = coordinates[2 * i];
      const double y = coordinates[2 * i + 1];
      points[found] = {x, y, x * x + y * y};
      found += static_cast<std::size_t>(in_disc(points[found].square));
    }
  }
}

// The same numbers as normal(), four times as fast: each step is a loop without a branch, for many points at
// once.
void NumpyRandom::fill_pairs(double* normals, std::size_t pairs) {
  std::array<Point, points_at_once> points{};
  std::array<double, points_at_once> logarithms{};
  while (pairs > 0) {
    const std::size_t count = std::min(pairs, points_at_once);
    find_points(points.data(), count);
    for (std::size_t i = 0; i < count; ++i) logarithms[i] = std::log(points[i].square);
    for (std::size_t i = 0; i < count; ++i) {
      const double stretch = polar_stretch(logarithms[i], points[i].square);
      normals[2 * i] = stretch * points[i].y;
      normals[2 * i + 1] = stretch * points[i].x;
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
