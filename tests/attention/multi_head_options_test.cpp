// What a multi-head layer may have besides its matrices: biases, shared key heads, its own widths, masks.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>
#include <xtensor/xview.hpp>

#include "agreement.hpp"
#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::AttentionOptions;
using attnlab::disagreement;
using attnlab::message_of;
using attnlab::multi_head_attention;
using attnlab::MultiHeadStages;
using attnlab::MultiHeadWeights;
using attnlab::NumpyRandom;
using attnlab::rounding_of;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

/// d_model 5, d_k 3, d_v 2, d_out 7: every width is another.
template <class T>
MultiHeadWeights<T> option_weights(std::size_t heads, std::size_t kv_heads) {
  NumpyRandom random(11);
  MultiHeadWeights<T> drawn;
  drawn.query = random.randn({heads, 5, 3});
  drawn.key = random.randn({kv_heads, 5, 3});
  drawn.value = random.randn({kv_heads, 5, 2});
  drawn.output = random.randn({heads * 2, 7});
  drawn.query_bias = Tensor<T>(random.randn({heads, 3}));
  drawn.key_bias = Tensor<T>(random.randn({kv_heads, 3}));
  drawn.value_bias = Tensor<T>(random.randn({kv_heads, 2}));
  drawn.output_bias = Tensor<T>(random.randn({7}));
  return drawn;
}

/// Sums over tokens of width 5 and a bias, heads of 3, softmax and mean over 6 keys, and up to 6 heads of 2
/// and a bias; scores up to 20.
template <class T>
double rounding_in_heads() {
  return rounding_of<T>(6 + 3 + 6 + 6 + 13, 20.0);
}

template <class T>
struct OptionInputs {
  Tensor<T> query;  // (..., 4, 5)
  Tensor<T> key;    // (..., 6, 5)
  Tensor<T> value;  // (..., 6, 5)
};

template <class T>
OptionInputs<T> inputs(Shape batch) {
  NumpyRandom random(12);
  batch.insert(batch.end(), {4, 5});
  OptionInputs<T> drawn;
  drawn.query = random.randn(batch);
  batch[batch.size() - 2] = 6;
  drawn.key = random.randn(batch);
  drawn.value = random.randn(batch);
  return drawn;
}

template <class T>
MultiHeadStages<T> attend(const MultiHeadWeights<T>& option_weights, const OptionInputs<T>& in,
                          const AttentionOptions<T>& options = {}) {
  return multi_head_attention(option_weights, in.query, in.key, in.value, options);
}

/// One more column of ones: what a bias multiplies.
template <class T>
Tensor<T> with_ones(const Tensor<T>& tokens) {
  Shape shape = shape_of(tokens);
  ++shape.back();
  Tensor<T> wider(shape, T{1});
  const std::size_t width = shape.back() - 1;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    wider.data()[i / width * (width + 1) + i % width] = tokens.data()[i];
  return wider;
}

/// The bias (heads, width) as one more row of W (heads, d_model, width).
template <class T>
Tensor<T> with_bias_row(const Tensor<T>& matrix, const Tensor<T>& bias) {
  Shape shape = shape_of(matrix);
  Tensor<T> taller = Tensor<T>::from_shape({shape[0], shape[1] + 1, shape[2]});
  xt::view(taller, xt::all(), xt::range(0, shape[1]), xt::all()) = matrix;
  xt::view(taller, xt::all(), shape[1], xt::all()) = bias;
  return taller;
}

/// Head h of the result is head h / times of `heads`, copied one by one.
template <class T>
Tensor<T> repeated(const Tensor<T>& heads, std::size_t times) {
  Shape shape = shape_of(heads);
  shape[0] *= times;
  Tensor<T> result = Tensor<T>::from_shape(shape);
  for (std::size_t head = 0; head < shape[0]; ++head) {
    xt::view(result, head) = xt::view(heads, head / times);
  }
  return result;
}

std::string message_for(const MultiHeadWeights<double>& option_weights) {
  return message_of([&] { attend(option_weights, inputs<double>({})); });
}

}  // namespace

TEST_CASE_TEMPLATE("a bias is one more row of the matrix met by a one in every token", T, float, double) {
  for (const Shape& batch : {Shape{}, Shape{2, 3}, Shape{2, 3, 3}}) {
    const MultiHeadWeights<T> biased = option_weights<T>(4, 4);
    MultiHeadWeights<T> taller;
    taller.query = with_bias_row(biased.query, *biased.query_bias);
    taller.key = with_bias_row(biased.key, *biased.key_bias);
    taller.value = with_bias_row(biased.value, *biased.value_bias);
    taller.output = biased.output;
    const OptionInputs<T> in = inputs<T>(batch);
    const MultiHeadStages<T> got = attend(biased, in);
    const MultiHeadStages<T> same =
        attend(taller, OptionInputs<T>{with_ones(in.query), with_ones(in.key), with_ones(in.value)});
    const Tensor<T> expected_output = same.output + *biased.output_bias;
    INFO(attnlab::printed(batch));
    CHECK(disagreement(values_of(got.query), values_of(same.query), rounding_in_heads<T>()) == "");
    CHECK(disagreement(values_of(got.attention.weights), values_of(same.attention.weights),
                       rounding_in_heads<T>()) == "");
    CHECK(disagreement(values_of(got.output), values_of(expected_output), rounding_in_heads<T>()) == "");
  }
}

TEST_CASE_TEMPLATE("grouped key and value heads equal those heads repeated for every query head", T, float,
                   double) {
  for (const std::size_t kv_heads : std::vector<std::size_t>{1, 2, 3, 6}) {
    for (const Shape& batch : {Shape{}, Shape{2, 3}}) {
      const MultiHeadWeights<T> grouped = option_weights<T>(6, kv_heads);
      MultiHeadWeights<T> full = grouped;
      full.key = repeated(grouped.key, 6 / kv_heads);
      full.value = repeated(grouped.value, 6 / kv_heads);
      full.key_bias = repeated(*grouped.key_bias, 6 / kv_heads);
      full.value_bias = repeated(*grouped.value_bias, 6 / kv_heads);
      const MultiHeadStages<T> got = attend(grouped, inputs<T>(batch));
      const MultiHeadStages<T> expected = attend(full, inputs<T>(batch));
      INFO(kv_heads, " key heads, batch ", attnlab::printed(batch));
      CHECK(shape_of(got.key) == shape_of(expected.key));
      CHECK(disagreement(values_of(got.key), values_of(expected.key), rounding_in_heads<T>()) == "");
      CHECK(disagreement(values_of(got.value), values_of(expected.value), rounding_in_heads<T>()) == "");
      CHECK(disagreement(values_of(got.output), values_of(expected.output), rounding_in_heads<T>()) == "");
    }
  }
}

TEST_CASE("every width and both lengths may differ") {
  const MultiHeadStages<double> stages = attend(option_weights<double>(4, 2), inputs<double>({2, 3, 3}));
  CHECK(shape_of(stages.query) == Shape{2, 3, 3, 4, 4, 3});
  CHECK(shape_of(stages.key) == Shape{2, 3, 3, 4, 6, 3});
  CHECK(shape_of(stages.value) == Shape{2, 3, 3, 4, 6, 2});
  CHECK(shape_of(stages.attention.weights) == Shape{2, 3, 3, 4, 4, 6});
  CHECK(shape_of(stages.concat) == Shape{2, 3, 3, 4, 8});
  CHECK(shape_of(stages.output) == Shape{2, 3, 3, 4, 7});
}

TEST_CASE("every batch is attended on its own") {
  const MultiHeadWeights<double> layer = option_weights<double>(4, 2);
  const OptionInputs<double> in = inputs<double>({3});
  const MultiHeadStages<double> all = attend(layer, in);
  for (std::size_t i = 0; i < 3; ++i) {
    const OptionInputs<double> one{xt::view(in.query, i), xt::view(in.key, i), xt::view(in.value, i)};
    const Tensor<double> expected = attend(layer, one).output;
    const Tensor<double> got = xt::view(all.output, i);
    CHECK(disagreement(values_of(got), values_of(expected), rounding_in_heads<double>()) == "");
  }
}

TEST_CASE("a mask hides keys from every head and what was hidden does not matter") {
  AttentionOptions<double> options;
  Tensor<double> mask({4, 6}, 0.0);
  for (std::size_t query = 0; query < 4; ++query) mask(query, 5) = -infinity;
  options.mask = mask;
  const MultiHeadWeights<double> layer = option_weights<double>(4, 2);
  OptionInputs<double> in = inputs<double>({2});
  const MultiHeadStages<double> before = attend(layer, in, options);
  xt::view(in.key, xt::all(), 5) = 100.0;
  xt::view(in.value, xt::all(), 5) = -100.0;
  const MultiHeadStages<double> after = attend(layer, in, options);
  CHECK(values_of(before.output) == values_of(after.output));
  CHECK(values_of(attend(layer, in).output) != values_of(after.output));
  for (std::size_t head = 0; head < 4; ++head) CHECK(after.attention.weights(1, head, 3, 5) == 0.0);
}

TEST_CASE("key heads that do not divide the heads are refused with a remedy") {
  CHECK(
      message_for(option_weights<double>(4, 3)) ==
      "4 heads of queries cannot share 3 heads of keys and values; choose a divisor of 4 for the heads of keys and values");
  CHECK(message_for(option_weights<double>(2, 4)).find("2 heads of queries cannot share 4") == 0);
}

TEST_CASE("a bias of the wrong shape is a usage error that names it") {
  MultiHeadWeights<double> layer = option_weights<double>(4, 2);
  layer.key_bias = Tensor<double>(NumpyRandom(0).randn({4, 3}));
  CHECK(message_for(layer) == "the bias of W_K has shape (4, 3); give it the shape (2, 3)");
  layer = option_weights<double>(4, 2);
  layer.output_bias = Tensor<double>(NumpyRandom(0).randn({5}));
  CHECK(message_for(layer) == "the bias of W_O has shape (5,); give it the shape (7,)");
}
