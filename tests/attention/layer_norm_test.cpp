// Layer normalisation: mean 0 and variance 1 for every token, PyTorch's numbers, and what the slides' divisor
// does.
#include "attention/layer_norm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "core/agreement.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::disagreement;
using attnlab::dtype_name;
using attnlab::layer_norm;
using attnlab::LayerNorm;
using attnlab::message_of;
using attnlab::NormDivisor;
using attnlab::NumpyRandom;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::rounding_of;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;  // ddof 0
};

template <class T>
Moments moments_of(const Tensor<T>& x, std::size_t token) {
  const std::size_t width = x.shape().back();
  Moments moments;
  for (std::size_t i = 0; i < width; ++i) {
    moments.mean += static_cast<double>(x.flat(token * width + i)) / static_cast<double>(width);
  }
  for (std::size_t i = 0; i < width; ++i) {
    const double deviation = static_cast<double>(x.flat(token * width + i)) - moments.mean;
    moments.variance += deviation * deviation / static_cast<double>(width);
  }
  return moments;
}

}  // namespace

TEST_CASE_TEMPLATE("every token gets mean 0 and variance 1", T, float, double) {
  LayerNorm<T> norm;
  norm.eps = T(0);
  for (const Shape& shape : {Shape{9}, Shape{4, 9}, Shape{2, 3, 4, 9}}) {
    const Tensor<T> x = Tensor<T>(NumpyRandom(0).randn(shape) * 5.0 + 2.0);
    const Tensor<T> normalised = layer_norm(norm, x);
    REQUIRE(shape_of(normalised) == shape);
    for (std::size_t token = 0; token < x.size() / 9; ++token) {
      const Moments moments = moments_of(normalised, token);
      // Two sums over 9 components, which are up to 20 before they are divided by a deviation of 5 or so.
      CHECK(std::abs(moments.mean) <= rounding_of<T>(9 + 9, 4.0));
      CHECK(std::abs(moments.variance - 1.0) <= rounding_of<T>(9 + 9, 4.0));
    }
  }
}

TEST_CASE("eps takes a share of the variance so that it stays just below 1") {
  const Tensor<double> x = NumpyRandom(0).randn({3, 8});
  const Tensor<double> normalised = layer_norm({}, x);
  for (std::size_t token = 0; token < 3; ++token) {
    const double before = moments_of(x, token).variance;
    CHECK(moments_of(normalised, token).variance == doctest::Approx(before / (before + 1e-5)).epsilon(1e-13));
  }
}

TEST_CASE("moving or stretching a token changes nothing") {
  LayerNorm<double> norm;
  norm.eps = 0.0;
  const Tensor<double> x = NumpyRandom(0).randn({3, 8});
  const Tensor<double> moved = x * 4.0 + 3.0;
  CHECK(disagreement(values_of(layer_norm(norm, moved)), values_of(layer_norm(norm, x)),
                     attnlab::tolerance64()) == "");
}

// Variance of 1, 2, 3, 4 is 1.25: dividing by its root leaves 1, by the root of its root leaves √1.25.
TEST_CASE_TEMPLATE("the slide's divisor leaves the variance 1.118", T, float, double) {
  const Tensor<T> x = {1, 2, 3, 4};
  LayerNorm<T> norm;
  norm.eps = T(0);
  const Tensor<T> by_variance = layer_norm(norm, x);
  const std::vector<double> expected = {-3 / std::sqrt(5.0), -1 / std::sqrt(5.0), 1 / std::sqrt(5.0),
                                        3 / std::sqrt(5.0)};
  CHECK(disagreement(values_of(by_variance), expected, rounding_of<T>(4 + 4)) == "");

  norm.divisor = NormDivisor::standard_deviation;
  const Tensor<T> by_deviation = layer_norm(norm, x);
  CHECK(std::abs(moments_of(by_deviation, 0).variance - std::sqrt(1.25)) <= rounding_of<T>(4 + 4));
}

TEST_CASE_TEMPLATE("layer norm agrees with PyTorch with and without gain and bias", T, float, double) {
  const nlohmann::json cases = attnlab::reference("attention/layer_norm.json");
  REQUIRE(cases.size() == 4);
  for (const nlohmann::json& one : cases) {
    INFO(one.at("name").get<std::string>());
    const Tensor<T> x = reference_tensor<T>(one.at("x"));
    const nlohmann::json& expected = one.at(dtype_name<T>);
    // The mean carries the rounding of its sum, which grows with the size of x.
    const double allowed = rounding_of<T>(2 * x.shape().back(), attnlab::largest_magnitude(values_of(x)));
    CHECK(disagreement(values_of(layer_norm({}, x)), reference_values(expected.at("plain")), allowed) == "");
    LayerNorm<T> affine;
    affine.gain = reference_tensor<T>(one.at("gain"));
    affine.bias = reference_tensor<T>(one.at("bias"));
    CHECK(disagreement(values_of(layer_norm(affine, x)), reference_values(expected.at("affine")), allowed) ==
          "");
  }
}

TEST_CASE_TEMPLATE("a token without spread becomes exactly zero", T, float, double) {
  for (const Shape& shape : {Shape{3, 1}, Shape{1, 4}}) {
    const Tensor<T> normalised = layer_norm({}, Tensor<T>(shape, T(2.5)));
    for (const T value : normalised) CHECK(value == T(0));
  }
}

TEST_CASE("no tokens stay no tokens and a NaN spoils its own token only") {
  CHECK(shape_of(layer_norm({}, Tensor<double>::from_shape({0, 3}))) == Shape{0, 3});
  Tensor<double> x = NumpyRandom(0).randn({2, 3});
  x(0, 1) = std::nan("");
  const Tensor<double> normalised = layer_norm({}, x);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::isnan(normalised(0, i)));
    CHECK_FALSE(std::isnan(normalised(1, i)));
  }
}

TEST_CASE("arrays without tokens and numbers that do not fit the width are refused") {
  CHECK(message_of([] { layer_norm({}, Tensor<double>(1.0)); }) ==
        "layer norm needs tokens of width 1 or more, got (); make the last axis the width of a token");
  CHECK(message_of([] {
          layer_norm({}, Tensor<double>::from_shape({2, 0}));
        }).find("(2, 0)") != std::string::npos);
  LayerNorm<double> norm;
  norm.gain = Tensor<double>({3}, 1.0);
  CHECK(message_of([&] {
          layer_norm(norm, Tensor<double>({2, 4}, 1.0));
        }) == "the layer norm's γ of shape (3,) does not fit tokens of width 4; give γ the shape (4,)");
  norm.gain.reset();
  norm.bias = Tensor<double>({1, 4}, 1.0);
  CHECK(message_of([&] {
          layer_norm(norm, Tensor<double>({2, 4}, 1.0));
        }).find("β of shape (1, 4)") != std::string::npos);
}

TEST_CASE_TEMPLATE("RMS norm gives every stretch of its gain's length the mean square 1", T, float, double) {
  NumpyRandom random(5);
  const Tensor<T> x = random.randn({3, 2, 8});
  for (const std::size_t width : {8U, 4U, 1U}) {
    const Tensor<T> result = attnlab::rms_norm(x, Tensor<T>({width}, T(1)), T(0));
    for (std::size_t start = 0; start < x.size(); start += width) {
      double squares = 0.0;
      for (std::size_t i = 0; i < width; ++i) {
        const auto value = static_cast<double>(result.flat(start + i));
        squares += value * value / static_cast<double>(width);
        CHECK(std::signbit(result.flat(start + i)) == std::signbit(x.flat(start + i)));
      }
      CHECK(std::abs(squares - 1.0) < rounding_of<T>(width + 4));
    }
  }
  // (3, 4): mean square 12.5; with eps 12.5 the root is 5, times the gains 10 and 5.
  const Tensor<T> row = attnlab::rms_norm(Tensor<T>{T(3), T(4)}, Tensor<T>{T(10), T(5)}, T(12.5));
  CHECK(disagreement(values_of(row), {6, 4}, rounding_of<T>(4)) == "");
}

TEST_CASE("a gain that no stretch fits is refused") {
  const Tensor<double> x({2, 6}, 1.0);
  CHECK(
      message_of([&] { attnlab::rms_norm(x, Tensor<double>({4}, 1.0), 0.0); }) ==
      "the RMS norm's γ of shape (4,) does not fit an array of shape (2, 6); make γ as long as the last axis, or as one head of it");
  CHECK(message_of([&] {
          attnlab::rms_norm(x, Tensor<double>({2, 3}, 1.0), 0.0);
        }).find("γ of shape (2, 3)") != std::string::npos);
}
