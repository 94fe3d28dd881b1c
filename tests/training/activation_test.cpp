// GELU a register at a time is x Φ(x) by the standard library's erfc, whatever the register's width.
#include "training/layers/activation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/constants.hpp"

namespace attnlab {
namespace {

/// Φ(x) and Φ(x) + x φ(x), in long double.
long double distribution(long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); }
long double gelu_slope(long double x) {
  return distribution(x) + x * std::exp(-0.5L * x * x) / std::sqrt(2.0L * static_cast<long double>(pi));
}

TEST_CASE_TEMPLATE("GELU and its gradient keep their digits, far to the left too", T, float, double) {
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t count : {1U, 2U, 7U, 16U, 19U, 33U, 1001U}) {
    CAPTURE(count);
    std::vector<T> x(count);
    for (std::size_t i = 0; i < count; ++i)
      x[i] = T(12) * (static_cast<T>(i) + T(0.5)) / static_cast<T>(count) - T(6);
    std::vector<T> y(count);
    activation_forward<T>(Activation::gelu, x.data(), count, y.data());
    std::vector<T> d(count, T(2));
    activation_backward<T>(Activation::gelu, x.data(), d.data(), count, d.data());
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(x[i]);
      const auto at = static_cast<long double>(x[i]);
      // The rounding of x² / 2 to a unit in the last place changes exp(-x² / 2) by so many.
      const double units = 4.0 + static_cast<double>(at * at);
      const auto expected = static_cast<double>(at * distribution(at));
      CHECK(std::abs(static_cast<double>(y[i]) - expected) <= units * unit * std::abs(expected));
      const auto slope = static_cast<double>(2.0L * gelu_slope(at));
      CHECK(std::abs(static_cast<double>(d[i]) - slope) <=
            units * unit * (std::abs(slope) + static_cast<double>(std::abs(at) * 2.0L * distribution(at))));
    }
  }
}

TEST_CASE_TEMPLATE("GELU of nothing is nothing, of very large numbers themselves or 0", T, float, double) {
  const std::vector<T> x{T(0), T(40), T(-40), std::numeric_limits<T>::quiet_NaN()};
  std::vector<T> y(x.size());
  activation_forward<T>(Activation::gelu, x.data(), x.size(), y.data());
  CHECK(y[0] == T(0));
  CHECK(y[1] == T(40));
  CHECK(y[2] == T(0));
  CHECK(std::isnan(y[3]));
  std::vector<T> d(x.size(), T(1));
  activation_backward<T>(Activation::gelu, x.data(), d.data(), x.size(), d.data());
  CHECK(static_cast<double>(d[0]) == doctest::Approx(0.5).epsilon(2e-7));
  CHECK(d[1] == T(1));
  CHECK(d[2] == T(0));
}

}  // namespace
}  // namespace attnlab
