// NumPy's legacy stream: 53-bit doubles from MT19937, and normals by Marsaglia's polar method.
//
// Equal to NumPy in every bit only while the compiler fuses no multiply-add: with -march=native and GCC's
// default of -ffp-contract=fast, x * x + y * y below is rounded once instead of twice, and one normal in
// seven changes. The build therefore sets -ffp-contract=off.
#include "random/numpy_random.hpp"

#include <cmath>

namespace attnlab {

double NumpyRandom::uniform() {
  const auto high = static_cast<double>(engine_() >> 5U);  // 27 bits
  const auto low = static_cast<double>(engine_() >> 6U);   // 26 bits
  return (high * 67108864.0 + low) / 9007199254740992.0;   // (high · 2^26 + low) / 2^53
}

double NumpyRandom::normal() {
  if (kept_) {
    const double second = *kept_;
    kept_.reset();
    return second;
  }
  double x = 0.0;
  double y = 0.0;
  double square = 0.0;
  do {  // a point drawn uniformly from the unit disc, without its centre
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double stretch = std::sqrt(-2.0 * std::log(square) / square);
  kept_ = stretch * x;  // NumPy hands out y first
  return stretch * y;
}

Tensor<double> NumpyRandom::randn(const std::vector<std::size_t>& shape) {
  Tensor<double> normals = Tensor<double>::from_shape(shape);
  for (double& value : normals) value = normal();
  return normals;
}

}  // namespace attnlab
