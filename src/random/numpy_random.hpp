// NumPy's legacy generator, bit for bit: np.random.seed(s), RandomState(s).randn and .rand.
#pragma once

#include <optional>
#include <vector>

#include "core/tensor.hpp"
#include "random/mersenne_twister.hpp"

namespace attnlab {

/// The stream of np.random.RandomState(seed). Source: NumPy 1.24, legacy-distributions.c.
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : engine_(seed) {}
  explicit NumpyRandom(const std::vector<std::uint32_t>& key) : engine_(key) {}  // RandomState([5, 1, 2])

  /// A double in [0, 1) with 53 random bits from two outputs of MT19937.
  double uniform();

  /// A standard normal by the polar method; its pair is kept for the next call.
  double normal();

  /// randn(*shape), filled in row-major order.
  Tensor<double> randn(const std::vector<std::size_t>& shape);

 private:
  static constexpr std::size_t points_at_once = 256;

  /// A point of the square from -1 to 1, and its squared distance from the centre.
  struct Point {
    double x;
    double y;
    double square;
  };

  Point point();
  void find_points(Point* points, std::size_t count);
  void fill_pairs(double* normals, std::size_t pairs);

  MersenneTwister engine_;
  std::optional<double> kept_;
};

}  // namespace attnlab
