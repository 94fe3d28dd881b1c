// Linear layers: every element by hand, any number of batch dimensions, and errors that name the shapes.
#include "attention/linear.hpp"

#include <doctest/doctest.h>

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
using attnlab::Linear;
using attnlab::linear;
using attnlab::message_of;
using attnlab::NumpyRandom;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

/// 3 numbers in, 2 out: no transposed weight fits.
template <class T>
Linear<T> layer(bool with_bias) {
  NumpyRandom random(1);
  Linear<T> drawn;
  drawn.weight = random.randn({2, 3});
  if (with_bias) drawn.bias = Tensor<T>(random.randn({2}));
  return drawn;
}

/// The definition, element by element: sum over i of x[i] W[o, i], plus b[o].
template <class T>
std::vector<double> by_hand(const Linear<T>& layer, const Tensor<T>& x) {
  std::vector<double> result;
  for (std::size_t start = 0; start < x.size(); start += 3) {
    for (std::size_t out = 0; out < 2; ++out) {
      double sum = layer.bias ? (*layer.bias)(out) : 0.0;
      for (std::size_t in = 0; in < 3; ++in) sum += double{x.data()[start + in]} * layer.weight(out, in);
      result.push_back(sum);
    }
  }
  return result;
}

std::string message_for(const Linear<double>& layer, const Tensor<double>& x) {
  return message_of([&] { linear(layer, x); });
}

}  // namespace

TEST_CASE_TEMPLATE("a linear layer is x times the transposed weight plus the bias for any batch", T, float,
                   double) {
  const std::vector<Shape> batches = {{}, {1}, {5}, {2, 3}, {2, 3, 4}, {1, 1, 2, 1}};
  for (const bool with_bias : {false, true}) {
    const Linear<T> drawn = layer<T>(with_bias);
    for (Shape shape : batches) {
      Shape expected_shape = shape;
      shape.push_back(3);
      expected_shape.push_back(2);
      const Tensor<T> x = NumpyRandom(2).randn(shape);
      const Tensor<T> result = linear(drawn, x);
      INFO(attnlab::printed(shape));
      CHECK(shape_of(result) == expected_shape);
      // Three products and a bias; 10 for terms that cancel.
      CHECK(disagreement(values_of(result), by_hand(drawn, x), attnlab::rounding_of<T>(3 + 1, 10.0)) == "");
    }
  }
}

TEST_CASE("no tokens give no outputs") {
  CHECK(shape_of(linear(layer<double>(true), Tensor<double>(Shape{2, 0, 3}))) == Shape{2, 0, 2});
}

TEST_CASE("a linear layer that does not fit its input is a usage error") {
  const Linear<double> good = layer<double>(true);
  CHECK(
      message_for(good, NumpyRandom(0).randn({4, 2})) ==
      "an input of shape (4, 2) does not fit a weight of shape (2, 3); make its last axis 3, or transpose the weight");
  CHECK(message_for(good, Tensor<double>(1.0)).find("shape ()") != std::string::npos);
  Linear<double> wrong = good;
  wrong.bias = Tensor<double>(NumpyRandom(0).randn({3}));
  CHECK(message_for(wrong, NumpyRandom(0).randn({3})) ==
        "a bias of shape (3,) does not fit a weight of shape (2, 3); give the bias the shape (2,)");
  wrong.weight = NumpyRandom(0).randn({3});
  CHECK(message_for(wrong, NumpyRandom(0).randn({3})) ==
        "the weight of a linear layer has shape (3,); give it the shape (out, in)");
}
