// Scaled dot-product attention against NumPy's stages, the documents' printed numbers, and operands that do
// not fit.
#include "attention/scaled_dot_product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>
#include <xtensor/xview.hpp>

#include "agreement.hpp"
#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "core/agreement.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::AttentionOptions;
using attnlab::AttentionStages;
using attnlab::disagreement;
using attnlab::dtype_name;
using attnlab::matmul;
using attnlab::message_of;
using attnlab::NumpyRandom;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::rounding_in_attention;
using attnlab::scaled_dot_product_attention;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

template <class T>
void check_against_numpy(const AttentionStages<T>& stages, const nlohmann::json& expected) {
  const double largest = attnlab::largest_magnitude(reference_values(expected.at("masked")));
  constexpr std::size_t widest = 9;  // of the stored cases
  const double allowed = rounding_in_attention<T>(widest, stages.weights.shape().back(), largest);
  const auto check = [&](const Tensor<T>& got, const char* stage) {
    CAPTURE(stage);
    CHECK(shape_of(got) == expected.at(stage).at("shape").get<Shape>());
    CHECK(disagreement(values_of(got), reference_values(expected.at(stage)), allowed) == "");
  };
  check(stages.raw_scores, "raw_scores");
  check(stages.scores, "scores");
  check(stages.masked, "masked");
  check(stages.weights, "weights");
  check(stages.output, "output");
}

/// Unit vectors at 0°, 36°, ..., 324°: the textbook's keys and values.
Tensor<double> ten_vectors() {
  Tensor<double> vectors = Tensor<double>::from_shape({10, 2});
  for (std::size_t i = 0; i < 10; ++i) {
    const double angle = static_cast<double>(i) * std::acos(-1.0) / 5.0;
    vectors(i, 0) = std::cos(angle);
    vectors(i, 1) = std::sin(angle);
  }
  return vectors;
}

void check_printed(const Tensor<double>& got, const std::vector<double>& printed, double half_a_digit) {
  REQUIRE(got.size() == printed.size());
  for (std::size_t i = 0; i < printed.size(); ++i) CHECK(std::abs(got.flat(i) - printed[i]) <= half_a_digit);
}

double entropy(const Tensor<double>& weights) {
  double sum = 0.0;
  for (const double weight : weights) sum -= weight * std::log(weight);
  return sum;
}

/// The message for operands of these shapes, in English; both languages must be there.
std::string message_for(const Shape& query, const Shape& key, const Shape& value, const Shape& mask = {}) {
  AttentionOptions<double> options;
  if (!mask.empty()) options.mask = Tensor<double>(mask, 0.0);
  return message_of([&] {
    scaled_dot_product_attention(Tensor<double>(query, 1.0), Tensor<double>(key, 1.0),
                                 Tensor<double>(value, 1.0), options);
  });
}

}  // namespace

// Batches of (), (2,3) and (2,3,3), unequal lengths and widths, own scales, masks that broadcast, a masked
// row.
TEST_CASE_TEMPLATE("every stage agrees with NumPy", T, float, double) {
  for (const nlohmann::json& stored : attnlab::reference("attention/scaled_dot_product.json")) {
    CAPTURE(stored.at("name"));
    AttentionOptions<T> options;
    if (!stored.at("scale").is_null()) options.scale = stored.at("scale").get<T>();
    if (!stored.at("mask").is_null()) options.mask = reference_tensor<T>(stored.at("mask"));
    check_against_numpy(scaled_dot_product_attention(reference_tensor<T>(stored.at("query")),
                                                     reference_tensor<T>(stored.at("key")),
                                                     reference_tensor<T>(stored.at("value")), options),
                        stored.at(dtype_name<T>));
  }
}

// Textbook code 2.2.2 to 2.2.4: no scaling.
TEST_CASE("ten unit vectors and a query at 45 degrees give the textbook's weights and output") {
  const Tensor<double> vectors = ten_vectors();
  const double half = std::sqrt(0.5);
  AttentionOptions<double> unscaled;
  unscaled.scale = 1.0;
  const auto stages = scaled_dot_product_attention(Tensor<double>{{half, half}}, vectors, vectors, unscaled);
  check_printed(stages.weights,
                {.16019032, .21207589, .192532, .12436818, .06754685, .03894495, .02941685, .03240294,
                 .05016238, .09235966},
                0.51e-8);
  check_printed(stages.output, {0.31564537501415324, 0.3156453688639892}, 1e-13);
}

TEST_CASE("one value vector five times as long draws the weight to itself") {
  Tensor<double> vectors = ten_vectors();
  vectors(3, 0) *= 5.0;
  vectors(3, 1) *= 5.0;
  const double half = std::sqrt(0.5);
  AttentionOptions<double> unscaled;
  unscaled.scale = 1.0;
  const auto stages = scaled_dot_product_attention(Tensor<double>{{half, half}}, vectors, vectors, unscaled);
  check_printed(stages.weights,
                {.0976698, .129305, .11738887, .46611766, .04118405, .02374516, .01793577, .01975643,
                 .03058455, .0563127},
                0.51e-8);
  check_printed(stages.output, {-0.5043066, 2.33685631}, 0.51e-8);
}

// Textbook code 2.2.5 and 2.2.6, drawn in the book's order.
TEST_CASE("scaling keeps a hundred dimensions from saturating the softmax") {
  NumpyRandom random(0);
  const Tensor<double> q_low = random.randn({1, 1});
  const Tensor<double> q_high = random.randn({1, 100});
  const Tensor<double> k_low = random.randn({20, 1});
  const Tensor<double> k_high = random.randn({20, 100});
  AttentionOptions<double> unscaled;
  unscaled.scale = 1.0;
  const Tensor<double> low = scaled_dot_product_attention(q_low, k_low, k_low, unscaled).weights;
  const Tensor<double> low_scaled = scaled_dot_product_attention(q_low, k_low, k_low).weights;
  const Tensor<double> high = scaled_dot_product_attention(q_high, k_high, k_high, unscaled).weights;
  const Tensor<double> high_scaled = scaled_dot_product_attention(q_high, k_high, k_high).weights;
  CHECK(low == low_scaled);
  CHECK(std::abs(*std::max_element(low.begin(), low.end()) - .1894) < .51e-4);
  CHECK(std::abs(high(0, 19) - .8044) < .51e-4);
  CHECK(std::abs(high_scaled(0, 19) - .1353) < .51e-4);
  CHECK(*std::max_element(high.begin(), high.end()) == high(0, 19));
  CHECK(*std::max_element(high_scaled.begin(), high_scaled.end()) == high_scaled(0, 19));
  CHECK(std::abs(entropy(high) - .7302) < .51e-4);
  CHECK(std::abs(entropy(high_scaled) - 2.7336) < .51e-4);
}

// The article's annotated heat map: np.random.seed(42), X, then W_Q, W_K, W_V times 0.1.
TEST_CASE("self-attention over the article's tokens gives its weights") {
  NumpyRandom random(42);
  const Tensor<double> x = random.randn({4, 8});
  const Tensor<double> w_q = random.randn({8, 8}) * 0.1;
  const Tensor<double> w_k = random.randn({8, 8}) * 0.1;
  const Tensor<double> w_v = random.randn({8, 8}) * 0.1;
  const auto stages = scaled_dot_product_attention(matmul(x, w_q), matmul(x, w_k), matmul(x, w_v));
  check_printed(
      stages.weights,
      {.235, .264, .246, .255, .257, .235, .244, .265, .268, .243, .254, .235, .242, .259, .248, .251},
      .51e-3);
  check_against_numpy(stages, attnlab::reference("attention/multi_head.json").at("self_attention"));
}

TEST_CASE("the default scale is one over the root of the key width") {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({3, 16});
  const Tensor<double> key = random.randn({5, 16});
  AttentionOptions<double> quarter;
  quarter.scale = 0.25;
  CHECK(scaled_dot_product_attention(query, key, key).weights ==
        scaled_dot_product_attention(query, key, key, quarter).weights);
}

TEST_CASE("no queries and no batches give empty results") {
  const auto stages = scaled_dot_product_attention(Tensor<double>::from_shape({0, 4}),
                                                   Tensor<double>({5, 4}, 1.0), Tensor<double>({5, 2}, 1.0));
  CHECK(shape_of(stages.weights) == Shape{0, 5});
  CHECK(shape_of(stages.output) == Shape{0, 2});
  const Tensor<double> none = Tensor<double>::from_shape({0, 3, 4});
  CHECK(shape_of(scaled_dot_product_attention(none, none, none).output) == Shape{0, 3, 4});
}

TEST_CASE("operands that do not fit are a usage error that says how to mend them") {
  CHECK(
      message_for({2, 3}, {5, 4}, {5, 2}) ==
      "query and key differ in width: d_q 3, d_k 4; a dot product needs d_q = d_k; additive attention takes unequal widths");
  CHECK(message_for({2, 4}, {5, 4}, {6, 2}) == "got 5 keys but 6 values; give one value for each key");
  CHECK(message_for({4}, {5, 4}, {5, 2}) ==
        "query needs two or more dimensions, got (4,); give it the shape (length, width)");
  CHECK(message_for({2, 4}, {0, 4}, {0, 2}) ==
        "keys of shape (0, 4) leave nothing to attend to; give at least one key of width 1 or more");
  CHECK(message_for({2, 0}, {5, 0}, {5, 2}) ==
        "keys of shape (5, 0) leave nothing to attend to; give at least one key of width 1 or more");
  CHECK(message_for({2, 3, 4}, {3, 5, 4}, {3, 5, 2}).find("do not broadcast") != std::string::npos);
  CHECK(message_for({3, 5, 4}, {3, 5, 4}, {2, 5, 2}).find("do not broadcast") != std::string::npos);
}

TEST_CASE("a mask that would add queries or keys is refused") {
  CHECK(
      message_for({2, 4}, {5, 4}, {5, 2}, {5, 2}) ==
      "a mask of shape (5, 2) does not broadcast to scores of shape (2, 5); make its last two axes (queries, keys) = (2, 5), or 1");
  CHECK(message_for({1, 4}, {5, 4}, {5, 2}, {3, 5}).find("does not broadcast") != std::string::npos);
  CHECK(message_for({3, 4}, {1, 4}, {1, 2}, {3, 5}).find("does not broadcast") != std::string::npos);
  CHECK(message_for({3, 4}, {5, 4}, {5, 2}, {2, 3, 5}) == "no error");
}
