// Rounding to float16 against all 65536 of its values, and attention that is rounded after every stage.
#include "attention/half_precision.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "attention/shape.hpp"
#include "random/numpy_random.hpp"

using attnlab::AttentionOptions;
using attnlab::AttentionStages;
using attnlab::half_precision_attention;
using attnlab::NumpyRandom;
using attnlab::rounded_to_half;
using attnlab::Shape;
using attnlab::Tensor;

namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();

/// IEEE 754-2008, 3.4: sign, 5 bits of exponent, 10 of the fraction.
float decoded(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 10U & 31U;
  const auto fraction = static_cast<float>(bits & 1023U);
  const float sign = (bits >> 15U) == 0 ? 1.0F : -1.0F;
  if (exponent == 31)
    return fraction == 0.0F ? sign * float_infinity : std::numeric_limits<float>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024.0F + fraction, static_cast<int>(exponent) - 25);
}

constexpr std::uint32_t bits_of_infinity = 31U << 10U;

/// 0 and the positive finite values, ascending: value i has the bits i.
std::vector<float> finite_values() {
  std::vector<float> values;
  for (std::uint32_t bits = 0; bits < bits_of_infinity; ++bits) values.push_back(decoded(bits));
  return values;
}

bool is_half(float value) {
  static const std::vector<float> finite = finite_values();
  return !std::isfinite(value) || std::binary_search(finite.begin(), finite.end(), std::abs(value));
}

bool is_same(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

Tensor<float> drawn(NumpyRandom& random, const Shape& shape, double size = 1.0) {
  const Tensor<double> values = random.randn(shape);
  Tensor<float> tensor = Tensor<float>::from_shape(shape);
  std::transform(values.begin(), values.end(), tensor.begin(),
                 [size](double value) { return static_cast<float>(size * value); });
  return tensor;
}

/// (2, 3, 4) queries over (2, 5, 4) keys and (2, 5, 6) values, already in float16.
struct Inputs {
  Tensor<float> query;
  Tensor<float> key;
  Tensor<float> value;
};

Inputs inputs(double size = 1.0) {
  NumpyRandom random(3);
  Inputs in;
  in.query = rounded_to_half(drawn(random, {2, 3, 4}, size));
  in.key = rounded_to_half(drawn(random, {2, 5, 4}, size));
  in.value = rounded_to_half(drawn(random, {2, 5, 6}));
  return in;
}

struct Exact {
  double value = 0.0;
  double size = 0.0;  // of what float32 adds up: its rounding grows with it
};

/// Half a unit of the 11 bits, or of the subnormals, and float32's rounding within the stage.
void check_rounded(float got, const Exact& exact) {
  const double allowed =
      std::ldexp(std::abs(exact.value), -11) + std::ldexp(1.0, -25) + std::ldexp(exact.size, -21);
  CHECK(is_half(got));
  CHECK(std::abs(static_cast<double>(got) - exact.value) <= allowed);
}

Exact dot(std::size_t count, const std::function<double(std::size_t)>& term) {
  Exact sum;
  for (std::size_t i = 0; i < count; ++i) {
    sum.value += term(i);
    sum.size += std::abs(term(i));
  }
  return sum;
}

/// Every stage against what double makes of the stage before it.
void check_stages(const AttentionStages<float>& stages, const Inputs& in, double scale,
                  const Tensor<float>& mask) {
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < 5; ++j) {
        check_rounded(stages.raw_scores(b, i, j), dot(4, [&](std::size_t d) {
                        return static_cast<double>(in.query(b, i, d)) * in.key(b, j, d);
                      }));
        const double scaled = scale * stages.raw_scores(b, i, j);
        check_rounded(stages.scores(b, i, j), {scaled, scaled});
        const double masked = static_cast<double>(stages.scores(b, i, j)) + mask(i, j);
        check_rounded(stages.masked(b, i, j), {masked, std::abs(masked)});
        sum += std::exp(static_cast<double>(stages.masked(b, i, j)));
      }
      for (std::size_t j = 0; j < 5; ++j) {
        const double weight = std::exp(static_cast<double>(stages.masked(b, i, j))) / sum;
        check_rounded(stages.weights(b, i, j), {weight, weight});
      }
      for (std::size_t d = 0; d < 6; ++d) {
        check_rounded(stages.output(b, i, d), dot(5, [&](std::size_t j) {
                        return static_cast<double>(stages.weights(b, i, j)) * in.value(b, j, d);
                      }));
      }
    }
  }
}

}  // namespace

TEST_CASE("all 65536 values of float16 are rounded to themselves, with their sign") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = decoded(bits);
    if (is_same(rounded_to_half(value), value)) continue;
    CAPTURE(bits);
    CHECK(rounded_to_half(value) == value);
  }
}

TEST_CASE("between two neighbours the nearer one is taken, and half way the even one") {
  const std::vector<float> values = finite_values();
  for (std::size_t bits = 0; bits + 1 < values.size(); ++bits) {
    const float below = values[bits];
    const float above = values[bits + 1];
    const float middle = below + (above - below) / 2.0F;  // exact: float has 13 more bits
    const float even = bits % 2 == 0 ? below : above;
    for (const float sign : {1.0F, -1.0F}) {
      const bool right =
          is_same(rounded_to_half(sign * middle), sign * even) &&
          is_same(rounded_to_half(sign * std::nextafter(middle, 0.0F)), sign * below) &&
          is_same(rounded_to_half(sign * std::nextafter(middle, float_infinity)), sign * above);
      if (right) continue;
      CAPTURE(below);
      CHECK(right);
    }
  }
}

TEST_CASE("float16 overflows half way between 65504 and 65536") {
  for (const float sign : {1.0F, -1.0F}) {
    CHECK(rounded_to_half(sign * 65519.0F) == sign * 65504.0F);
    CHECK(rounded_to_half(sign * std::nextafter(65520.0F, 0.0F)) == sign * 65504.0F);
    CHECK(rounded_to_half(sign * 65520.0F) == sign * float_infinity);
    CHECK(rounded_to_half(sign * std::numeric_limits<float>::max()) == sign * float_infinity);
  }
}

TEST_CASE("what is too small for float16 becomes a zero of the same sign") {
  for (const float sign : {1.0F, -1.0F}) {
    const float zero = sign * 0.0F;
    CHECK(is_same(rounded_to_half(sign * std::numeric_limits<float>::denorm_min()), zero));
    CHECK(is_same(rounded_to_half(sign * std::ldexp(1.0F, -25)), zero));  // half way to the least: even
    CHECK(rounded_to_half(sign * std::nextafter(std::ldexp(1.0F, -25), 1.0F)) ==
          sign * std::ldexp(1.0F, -24));
  }
}

TEST_CASE("a tensor is rounded element by element") {
  const Tensor<float> values{{0.1F, 2049.0F}, {-65520.0F, 1e-9F}};
  const Tensor<float> expected{{0.0999755859375F, 2048.0F}, {-float_infinity, 0.0F}};  // np.float16's values
  CHECK(rounded_to_half(values) == expected);
}

TEST_CASE("in float16 every stage is what double makes of the stage before it, rounded") {
  const Inputs in = inputs(2.0);
  const Tensor<float> none({3, 5}, 0.0F);
  SUBCASE("with the usual scale") {
    check_stages(half_precision_attention(in.query, in.key, in.value), in, 0.5, none);
  }
  SUBCASE("with a scale of its own") {
    check_stages(half_precision_attention(in.query, in.key, in.value, {0.1F, {}}), in, 0.1F, none);
  }
  SUBCASE("with a mask, which is rounded too") {
    NumpyRandom random(4);
    const Tensor<float> mask = drawn(random, {3, 5}, 3.0);
    check_stages(half_precision_attention(in.query, in.key, in.value, {{}, mask}), in, 0.5,
                 rounded_to_half(mask));
  }
}

TEST_CASE("inputs are rounded to float16 before anything else") {
  NumpyRandom random(5);
  const Tensor<float> query = drawn(random, {3, 4});
  const Tensor<float> key = drawn(random, {5, 4});
  const Tensor<float> value = drawn(random, {5, 2});
  const auto given = half_precision_attention(query, key, value);
  const auto rounded =
      half_precision_attention(rounded_to_half(query), rounded_to_half(key), rounded_to_half(value));
  CHECK(given.raw_scores == rounded.raw_scores);
  CHECK(given.output == rounded.output);
}

TEST_CASE("scores beyond 65504 are infinite before the scale can make them small") {
  const Tensor<float> query({1, 1}, 300.0F);
  Tensor<float> key({2, 1}, 300.0F);
  key(1, 0) = 1.0F;
  const Tensor<float> value({2, 1}, 1.0F);
  const auto stages = half_precision_attention(query, key, value, {1e-4F, {}});
  CHECK(stages.raw_scores(0, 0) == float_infinity);
  CHECK(stages.scores(0, 0) == float_infinity);
  CHECK(stages.raw_scores(0, 1) == 300.0F);
  CHECK(std::isnan(stages.weights(0, 0)));  // inf - inf
  CHECK(std::isnan(stages.output(0, 0)));
}

TEST_CASE("a hidden key keeps its weight of zero in float16") {
  const Inputs in = inputs();
  Tensor<float> mask({3, 5}, 0.0F);
  for (std::size_t query = 0; query < 3; ++query) mask(query, 2) = -1e9F;  // -inf in float16
  const auto stages = half_precision_attention(in.query, in.key, in.value, {{}, mask});
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t query = 0; query < 3; ++query) {
      CHECK(stages.masked(b, query, 2) == -float_infinity);
      CHECK(stages.weights(b, query, 2) == 0.0F);
    }
  }
}
