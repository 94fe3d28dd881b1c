// Multi-head attention: the article's runs, the fused projection of PyTorch's layer, and what each head sees.
#include "attention/multi_head.hpp"

#include <doctest/doctest.h>

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
using attnlab::disagreement;
using attnlab::dtype_name;
using attnlab::largest_magnitude;
using attnlab::matmul;
using attnlab::message_of;
using attnlab::multi_head_attention;
using attnlab::MultiHeadWeights;
using attnlab::NumpyRandom;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::rounding_of;
using attnlab::scaled_dot_product_attention;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

const nlohmann::json& stored() {
  static const nlohmann::json file = attnlab::reference("attention/multi_head.json");
  return file;
}

/// The article's class: RandomState(seed), W_Q, W_K, W_V (heads, d_model, d_k) and W_O, each times 0.1.
template <class T>
MultiHeadWeights<T> article_weights(std::uint32_t seed, std::size_t d_model, std::size_t heads) {
  NumpyRandom random(seed);
  const std::size_t width = attnlab::head_width(d_model, heads);
  MultiHeadWeights<T> weights;
  weights.query = random.randn({heads, d_model, width}) * 0.1;
  weights.key = random.randn({heads, d_model, width}) * 0.1;
  weights.value = random.randn({heads, d_model, width}) * 0.1;
  weights.output = random.randn({heads * width, d_model}) * 0.1;
  return weights;
}

/// (heads, d_model, width) side by side: (d_model, heads * width), as one matrix for all heads.
template <class T>
Tensor<T> fused(const Tensor<T>& projections) {
  const std::size_t heads = projections.shape()[0];
  const std::size_t width = projections.shape()[2];
  Tensor<T> result = Tensor<T>::from_shape({projections.shape()[1], heads * width});
  for (std::size_t head = 0; head < heads; ++head) {
    xt::view(result, xt::all(), xt::range(head * width, (head + 1) * width)) = xt::view(projections, head);
  }
  return result;
}

}  // namespace

TEST_CASE("the article's four heads over six tokens give its weights and output") {
  const Tensor<double> x = NumpyRandom(42).randn({6, 16});
  const auto stages = multi_head_attention(article_weights<double>(42, 16, 4), x, x, x);
  CHECK(shape_of(stages.attention.weights) == Shape{4, 6, 6});
  CHECK(shape_of(stages.output) == Shape{6, 16});
  const std::vector<double> first_row = {.1404, .1952, .1856, .1355, .1937, .1497};
  for (std::size_t key = 0; key < 6; ++key) {
    CHECK(std::abs(stages.attention.weights(0, 0, key) - first_row[key]) < .51e-4);
  }
  const nlohmann::json& expected = stored().at("article");
  CHECK(disagreement(values_of(stages.attention.weights), reference_values(expected.at("weights")), 1e-12) ==
        "");
  CHECK(disagreement(values_of(stages.output), reference_values(expected.at("output")), 1e-12) == "");
}

// The article's comparison with nn.MultiheadAttention: x in float32, two heads, no bias.
TEST_CASE_TEMPLATE("the parity listing gives the numbers of PyTorch's layer", T, float, double) {
  const Tensor<T> x = Tensor<float>(NumpyRandom(42).randn({4, 8}));  // the listing rounds x to float32
  const auto stages = multi_head_attention(article_weights<T>(0, 8, 2), x, x, x);
  const nlohmann::json& expected = stored().at("parity").at(dtype_name<T>);
  constexpr std::size_t terms =
      8 + 4 + 4 + 4 + 8;  // d_model, d_k, softmax and mean over 4 keys, joined heads
  const double allowed = rounding_of<T>(terms, largest_magnitude(values_of(stages.attention.scores)));
  CHECK(disagreement(values_of(stages.output), reference_values(expected.at("output")), allowed) == "");
  CHECK(disagreement(values_of(stages.attention.weights), reference_values(expected.at("weights")),
                     allowed) == "");
  // PyTorch computed in float32, whatever T is, and printed 6 digits: the last stands for 1e-8, of the second
  // for 1e-7.
  const std::vector<double> pytorch = {.00449286, -.0228128, -.00711573, -.00196028};
  const std::vector<double> half_a_digit = {.5e-8, .5e-7, .5e-8, .5e-8};
  const double rounding = rounding_of<float>(terms) * largest_magnitude(pytorch);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(static_cast<double>(stages.output(0, i)) - pytorch[i]) <= half_a_digit[i] + rounding);
  }
}

// What PyTorch computes: one (d, 3d) projection of x, cut into heads afterwards.
TEST_CASE_TEMPLATE("projecting once and cutting into heads gives the same as one projection per head", T,
                   float, double) {
  const MultiHeadWeights<T> weights = article_weights<T>(0, 8, 2);
  const Tensor<T> x = NumpyRandom(42).randn({4, 8});
  const Tensor<T> q = matmul(x, fused(weights.query));
  const Tensor<T> k = matmul(x, fused(weights.key));
  const Tensor<T> v = matmul(x, fused(weights.value));
  Tensor<T> concat = Tensor<T>::from_shape({4, 8});
  for (std::size_t head = 0; head < 2; ++head) {
    auto columns = xt::range(head * 4, head * 4 + 4);
    const Tensor<T> head_q = xt::view(q, xt::all(), columns);
    const Tensor<T> head_k = xt::view(k, xt::all(), columns);
    const Tensor<T> head_v = xt::view(v, xt::all(), columns);
    xt::view(concat, xt::all(), columns) = scaled_dot_product_attention(head_q, head_k, head_v).output;
  }
  const Tensor<T> expected = matmul(concat, weights.output);
  const auto stages = multi_head_attention(weights, x, x, x);
  constexpr std::size_t terms =
      8 + 4 + 4 + 4 + 8;  // d_model, d_k, softmax and mean over 4 keys, joined heads
  CHECK(disagreement(values_of(stages.output), values_of(expected),
                     rounding_of<T>(terms, largest_magnitude(values_of(stages.attention.scores)))) == "");
}

TEST_CASE_TEMPLATE("heads of any width over a batch with a mask per head agree with NumPy", T, float,
                   double) {
  const nlohmann::json& general = stored().at("general");
  const auto read = [&general](const char* name) { return reference_tensor<T>(general.at(name)); };
  AttentionOptions<T> options;
  options.mask = read("mask");
  const MultiHeadWeights<T> weights{read("w_q"), read("w_k"), read("w_v"), read("w_o")};
  const auto stages = multi_head_attention(weights, read("query"), read("key"), read("value"), options);
  CHECK(shape_of(stages.query) == Shape{2, 3, 2, 2});
  CHECK(shape_of(stages.key) == Shape{2, 3, 3, 2});
  CHECK(shape_of(stages.value) == Shape{2, 3, 3, 3});
  CHECK(shape_of(stages.attention.weights) == Shape{2, 3, 2, 3});
  CHECK(shape_of(stages.concat) == Shape{2, 2, 9});
  CHECK(shape_of(stages.output) == Shape{2, 2, 4});
  const nlohmann::json& expected = general.at(dtype_name<T>);
  constexpr std::size_t terms =
      4 + 2 + 3 + 3 + 9;  // d_model, d_k, softmax and mean over 3 keys, joined heads
  const double allowed = rounding_of<T>(terms, largest_magnitude(values_of(stages.attention.masked)));
  CHECK(disagreement(values_of(stages.attention.weights), reference_values(expected.at("weights")),
                     allowed) == "");
  CHECK(disagreement(values_of(stages.output), reference_values(expected.at("output")), allowed) == "");
}

TEST_CASE("joining the heads puts their outputs side by side") {
  // One token that every head reads with weight 1, as value (1,2,3) in the first head and (4,5,6) in the
  // second.
  MultiHeadWeights<double> weights;
  weights.query = Tensor<double>({2, 1, 1}, 1.0);
  weights.key = Tensor<double>({2, 1, 1}, 1.0);
  weights.value = {{{1, 2, 3}}, {{4, 5, 6}}};
  weights.output = Tensor<double>({6, 1}, 1.0);
  const Tensor<double> x({1, 1}, 1.0);
  const auto stages = multi_head_attention(weights, x, x, x);
  const Tensor<double> joined = {{1, 2, 3, 4, 5, 6}};
  CHECK(stages.concat == joined);
  CHECK(stages.output(0, 0) == 21.0);
}

TEST_CASE("one head that projects nothing is plain attention") {
  const Tensor<double> identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  MultiHeadWeights<double> weights;
  weights.query = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  weights.key = weights.query;
  weights.value = weights.query;
  weights.output = identity;
  const Tensor<double> x = NumpyRandom(0).randn({2, 5, 3});
  CHECK(disagreement(values_of(multi_head_attention(weights, x, x, x).output),
                     values_of(scaled_dot_product_attention(x, x, x).output), attnlab::tolerance64()) == "");
}

TEST_CASE("a head's width is d_model over heads and a width that does not divide is a usage error") {
  CHECK(attnlab::head_width(16, 4) == 4);
  CHECK(attnlab::head_width(768, 12) == 64);
  CHECK(message_of([] { attnlab::head_width(16, 3); }) ==
        "d_model 16 cannot be split over 3 heads; choose a divisor of 16");
  CHECK(message_of([] { attnlab::head_width(16, 0); }).find("over 0 heads") != std::string::npos);
  CHECK(message_of([] { attnlab::head_width(16, 32); }).find("over 32 heads") != std::string::npos);
  CHECK(message_of([] { attnlab::head_width(0, 2); }) ==
        "d_model 0 cannot be split over 2 heads; choose a d_model of 1 or more");
}

// Textbook code 2.2.10 as printed gives W_O heads * d_model rows, which code 2.2.11's shapes cannot feed.
TEST_CASE("an output projection with heads times d_model rows is refused") {
  MultiHeadWeights<double> weights = article_weights<double>(0, 16, 4);
  weights.output = NumpyRandom(0).randn({64, 16});
  const Tensor<double> x = NumpyRandom(0).randn({6, 16});
  CHECK(message_of([&] { multi_head_attention(weights, x, x, x); }) ==
        "the joined heads have width 4 * 4 = 16, but W_O has shape (64, 16); give W_O heads * d_v rows");
}

TEST_CASE("projections and inputs that do not fit are usage errors that name their shapes") {
  const MultiHeadWeights<double> weights = article_weights<double>(0, 16, 4);
  const Tensor<double> x = NumpyRandom(0).randn({6, 16});
  const Tensor<double> narrow = NumpyRandom(0).randn({6, 8});
  CHECK(message_of([&] { multi_head_attention(weights, x, narrow, x); }) ==
        "an input of shape (6, 8) is no sequence of tokens of width 16; make its last two axes (tokens, 16)");
  CHECK(message_of([&] { multi_head_attention(weights, NumpyRandom(0).randn({16}), x, x); }).find("(16,)") !=
        std::string::npos);
  MultiHeadWeights<double> uneven = weights;
  uneven.key = NumpyRandom(0).randn({2, 16, 4});  // two heads of keys, four of values
  CHECK(
      message_of([&] { multi_head_attention(uneven, x, x, x); }) ==
      "the heads' projections do not fit: W_Q (4, 16, 4), W_K (2, 16, 4), W_V (4, 16, 4); give all three the shape (heads, d_model, head width)");
  CHECK(message_of([&] { multi_head_attention(MultiHeadWeights<double>{}, x, x, x); }) != "no error");
}
