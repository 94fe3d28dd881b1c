// Additive attention: a case worked by hand, NumPy's stages, unequal widths, batches, and operands that do
// not fit.
#include "attention/additive.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <xtensor/xview.hpp>

#include "agreement.hpp"
#include "attention/matmul.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "core/agreement.hpp"
#include "core/error.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::additive_attention;
using attnlab::AdditiveStages;
using attnlab::AdditiveWeights;
using attnlab::disagreement;
using attnlab::message_of;
using attnlab::NumpyRandom;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

/// The message for operands and a network of these shapes.
std::string message_for(const Shape& query, const Shape& key, const Shape& value, const Shape& hidden,
                        const Shape& score) {
  return message_of([&] {
    additive_attention<double>({Tensor<double>(hidden, 1.0), Tensor<double>(score, 1.0)},
                               Tensor<double>(query, 1.0), Tensor<double>(key, 1.0),
                               Tensor<double>(value, 1.0));
  });
}

}  // namespace

// One query of width 1, two keys of width 2, two hidden units.
//   [q; k_0] W = (1, 1, 0) W = (1 + 0.5, -1 + 0) = (1.5, -1)
//   [q; k_1] W = (1, 0, 2) W = (1 + 0, -1 + 2)   = (1, 1)
TEST_CASE("two keys and two hidden units worked by hand") {
  const AdditiveWeights<double> network{{{1.0, -1.0}, {0.5, 0.0}, {0.0, 1.0}}, {2.0, 3.0}};
  const Tensor<double> query(Shape{1, 1}, 1.0);
  const Tensor<double> key{{1.0, 0.0}, {0.0, 2.0}};
  const Tensor<double> value = attnlab::transpose(Tensor<double>{{10.0, 20.0}});
  const AdditiveStages<double> stages = additive_attention(network, query, key, value);

  CHECK(shape_of(stages.hidden) == Shape{1, 2, 2});
  CHECK(stages.hidden(0, 0, 0) == doctest::Approx(std::tanh(1.5)).epsilon(1e-15));
  CHECK(stages.hidden(0, 0, 1) == doctest::Approx(std::tanh(-1.0)).epsilon(1e-15));
  CHECK(stages.hidden(0, 1, 0) == doctest::Approx(std::tanh(1.0)).epsilon(1e-15));
  CHECK(stages.hidden(0, 1, 1) == doctest::Approx(std::tanh(1.0)).epsilon(1e-15));
  const double first = 2.0 * std::tanh(1.5) - 3.0 * std::tanh(1.0);
  const double second = 5.0 * std::tanh(1.0);
  CHECK(stages.scores(0, 0) == doctest::Approx(first).epsilon(1e-14));
  CHECK(stages.scores(0, 1) == doctest::Approx(second).epsilon(1e-14));
  const double share = 1.0 / (1.0 + std::exp(second - first));
  CHECK(stages.weights(0, 0) == doctest::Approx(share).epsilon(1e-14));
  CHECK(stages.output(0, 0) == doctest::Approx(20.0 - 10.0 * share).epsilon(1e-14));
}

// Unequal widths, one of everything, batches of 2, (3, 2) and of the keys alone.
TEST_CASE_TEMPLATE("every stage of additive attention agrees with NumPy", T, float, double) {
  for (const nlohmann::json& stored : attnlab::reference("attention/additive.json")) {
    CAPTURE(stored.at("name"));
    const AdditiveStages<T> stages = additive_attention<T>(
        {reference_tensor<T>(stored.at("w_hidden")), reference_tensor<T>(stored.at("w_score"))},
        reference_tensor<T>(stored.at("query")), reference_tensor<T>(stored.at("key")),
        reference_tensor<T>(stored.at("value")));
    const auto check = [&](const Tensor<T>& got, const char* stage) {
      CAPTURE(stage);
      const nlohmann::json& expected = stored.at("stages").at(stage);
      // d_q + d_k is at most 9, with 5 hidden units and 5 keys; the inputs have more digits than a float.
      const double allowed = attnlab::rounding_of<T>(9 + 5 + 5 + 5, 10.0);
      CHECK(shape_of(got) == expected.at("shape").template get<Shape>());
      CHECK(disagreement(values_of(got), reference_values(expected), allowed) == "");
    };
    check(stages.hidden, "hidden");
    check(stages.scores, "scores");
    check(stages.weights, "weights");
    check(stages.output, "output");
  }
}

TEST_CASE("additive attention takes widths that the dot product refuses") {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({2, 3});
  const Tensor<double> key = random.randn({4, 6});
  const AdditiveWeights<double> network{random.randn({9, 5}), random.randn({5})};
  CHECK(shape_of(additive_attention(network, query, key, key).output) == Shape{2, 6});
  CHECK_THROWS_AS(attnlab::scaled_dot_product_attention(query, key, key), attnlab::Error);
}

TEST_CASE("every row of additive weights sums to 1 and every batch entry is computed alone") {
  NumpyRandom random(3);
  const Tensor<double> query = random.randn({2, 3, 4});
  const Tensor<double> key = random.randn({2, 5, 2});
  const Tensor<double> value = random.randn({2, 5, 3});
  const AdditiveWeights<double> network{random.randn({6, 7}), random.randn({7})};
  const AdditiveStages<double> all = additive_attention(network, query, key, value);
  for (std::size_t b = 0; b < 2; ++b) {
    const Tensor<double> q = xt::view(query, b);
    const Tensor<double> k = xt::view(key, b);
    const Tensor<double> v = xt::view(value, b);
    const Tensor<double> expected = xt::view(all.output, b);
    const AdditiveStages<double> alone = additive_attention(network, q, k, v);
    CHECK(disagreement(values_of(alone.output), values_of(expected),
                       attnlab::rounding_of<double>(6 + 7 + 5 + 5, 10.0)) == "");
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0.0;
      for (std::size_t column = 0; column < 5; ++column) sum += all.weights(b, row, column);
      CHECK(std::abs(sum - 1.0) <= attnlab::rounding_of<double>(5));
    }
  }
}

// The first d_q rows of W read the query: with zeros there, the query has no say.
TEST_CASE("the first rows of the hidden layer belong to the query") {
  NumpyRandom random(5);
  const Tensor<double> query = random.randn({3, 2});
  const Tensor<double> key = random.randn({4, 3});
  AdditiveWeights<double> network{random.randn({5, 6}), random.randn({6})};
  const Tensor<double> before = additive_attention(network, query, key, key).weights;
  CHECK(std::abs(before(0, 0) - before(1, 0)) > 1e-3);
  xt::view(network.hidden, xt::range(0, 2), xt::all()) = 0.0;
  const Tensor<double> blind = additive_attention(network, query, key, key).weights;
  for (std::size_t column = 0; column < 4; ++column) CHECK(blind(0, column) == blind(1, column));
}

TEST_CASE("no query gives an empty result") {
  const AdditiveStages<double> stages = additive_attention<double>(
      {Tensor<double>(Shape{5, 4}, 1.0), Tensor<double>(Shape{4}, 1.0)}, Tensor<double>(Shape{0, 2}),
      Tensor<double>(Shape{3, 3}, 1.0), Tensor<double>(Shape{3, 2}, 1.0));
  CHECK(shape_of(stages.weights) == Shape{0, 3});
  CHECK(shape_of(stages.output) == Shape{0, 2});
}

TEST_CASE("additive attention says what does not fit") {
  CHECK(
      message_for({3, 4}, {5, 2}, {5, 1}, {7, 8}, {8}) ==
      "the hidden layer has weights of shape (7, 8), but its input [q; k] has d_q + d_k = 4 + 2 = 6 entries; give it the shape (d_q + d_k, units)");
  CHECK(
      message_for({3, 4}, {5, 2}, {5, 1}, {6, 8}, {7}) ==
      "the output layer has weights of shape (7,), but there are 8 hidden units; give it the shape (units,)");
  CHECK(
      message_for({3, 4}, {5, 2}, {5, 1}, {6, 8}, {8, 1}) ==
      "the output layer has weights of shape (8, 1), but there are 8 hidden units; give it the shape (units,)");
  CHECK(message_for({3, 4}, {5, 2}, {6, 1}, {6, 8}, {8}) ==
        "got 5 keys but 6 values; give one value for each key");
  CHECK(message_for({3, 4}, {0, 2}, {0, 1}, {6, 8}, {8}) ==
        "keys of shape (0, 2) leave nothing to attend to; give at least one key");
  CHECK(message_for({4}, {5, 2}, {5, 1}, {6, 8}, {8}) ==
        "query needs two or more dimensions, got (4,); give it the shape (length, width)");
  CHECK(
      message_for({2, 3, 4}, {3, 5, 2}, {3, 5, 1}, {6, 8}, {8}) ==
      "the batch dimensions of query, key and value do not broadcast: (2, 3, 4), (3, 5, 2), (3, 5, 1); make each batch dimension equal, or 1");
  CHECK(
      message_for({2, 3, 4}, {5, 2}, {3, 5, 1}, {6, 8}, {8}) ==
      "the batch dimensions of query, key and value do not broadcast: (2, 3, 4), (5, 2), (3, 5, 1); make each batch dimension equal, or 1");
}
