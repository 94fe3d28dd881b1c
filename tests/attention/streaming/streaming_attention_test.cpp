// The streaming kernel against the textbook's form: two implementations that must agree.
#include "attention/streaming/streaming_attention.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "agreement.hpp"
#include "attention/lanes.hpp"
#include "attention/masks.hpp"
#include "attention/matmul.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/weight_layout.hpp"
#include "core/agreement.hpp"
#include "core/error.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::AttentionOptions;
using attnlab::AttentionStages;
using attnlab::BooleanMask;
using attnlab::CausalAlignment;
using attnlab::disagreement;
using attnlab::MaskedRow;
using attnlab::NumpyRandom;
using attnlab::ReadableKeys;
using attnlab::reference_tensor;
using attnlab::scaled_dot_product_attention;
using attnlab::ScoreOptions;
using attnlab::Shape;
using attnlab::streaming_attention;
using attnlab::StreamingAttention;
using attnlab::Tensor;
using attnlab::values_of;

namespace {

template <class T>
Tensor<T> drawn(NumpyRandom& random, const Shape& shape, double size = 1.0) {
  const Tensor<double> values = random.randn(shape);
  Tensor<T> tensor = Tensor<T>::from_shape(shape);
  std::transform(values.begin(), values.end(), tensor.begin(),
                 [size](double value) { return static_cast<T>(size * value); });
  return tensor;
}

template <class T>
double allowed(const Tensor<T>& masked) {
  constexpr std::size_t widest = 9;  // of the heads here
  const std::size_t keys = masked.shape().back();
  return attnlab::rounding_in_attention<T>(widest, keys, attnlab::largest_magnitude(values_of(masked)));
}

template <class T>
void check_agreement(const StreamingAttention<T>& got, const AttentionStages<T>& expected) {
  CHECK(attnlab::shape_of(got.output) == attnlab::shape_of(expected.output));
  CHECK(disagreement(values_of(got.output), values_of(expected.output), allowed(expected.masked)) == "");
}

/// The textbook's form of the same options.
template <class T>
AttentionOptions<T> plain(const ScoreOptions<T>& options, std::size_t queries, std::size_t keys) {
  AttentionOptions<T> result;
  result.scale = options.scale;
  BooleanMask mask = attnlab::padding_mask(queries, keys, std::min(keys, options.readable.padded));
  if (options.readable.causal) {
    mask = attnlab::both(mask, attnlab::causal_mask(queries, keys, options.readable.alignment));
  }
  if (options.readable.reach)
    mask = attnlab::both(
        mask, attnlab::window_mask(queries, keys, *options.readable.reach, options.readable.alignment));
  result.mask = attnlab::additive_mask(mask, -std::numeric_limits<T>::infinity());
  if (options.mask) result.mask = Tensor<T>(*result.mask + *options.mask);
  return result;
}

struct StreamLengths {
  std::size_t queries;
  std::size_t keys;
};

// Below, at and beyond the kernel's blocks of 256 queries and 512 or 256 keys; a single key; Lq != Lk.
const std::vector<StreamLengths>& stream_lengths() {
  static const std::vector<StreamLengths> all{{1, 1},     {1, 7},     {7, 1},    {31, 65},
                                              {256, 512}, {257, 513}, {300, 40}, {40, 1100}};
  return all;
}

template <class T>
void check_every_length(const ScoreOptions<T>& options, double size = 1.0) {
  NumpyRandom random(0);
  for (const StreamLengths& length : stream_lengths()) {
    CAPTURE(length.queries);
    CAPTURE(length.keys);
    const Tensor<T> query = drawn<T>(random, {length.queries, 5}, size);
    const Tensor<T> key = drawn<T>(random, {length.keys, 5}, size);
    const Tensor<T> value = drawn<T>(random, {length.keys, 3});
    check_agreement(
        streaming_attention(query, key, value, options),
        scaled_dot_product_attention(query, key, value, plain(options, length.queries, length.keys)));
  }
}

void in_two_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::thread other(run);
  run();
  other.join();
}

}  // namespace

TEST_CASE_TEMPLATE("streaming attention gives the stored results of NumPy", T, float, double) {
  for (const nlohmann::json& stored : attnlab::reference("attention/scaled_dot_product.json")) {
    CAPTURE(stored.at("name"));
    ScoreOptions<T> options;
    if (!stored.at("scale").is_null()) options.scale = stored.at("scale").get<T>();
    if (!stored.at("mask").is_null()) options.mask = reference_tensor<T>(stored.at("mask"));
    const nlohmann::json& expected = stored.at(sizeof(T) == sizeof(float) ? "float32" : "float64");
    const Tensor<T> output =
        streaming_attention(reference_tensor<T>(stored.at("query")), reference_tensor<T>(stored.at("key")),
                            reference_tensor<T>(stored.at("value")), options)
            .output;
    CHECK(attnlab::shape_of(output) == expected.at("output").at("shape").get<Shape>());
    CHECK(disagreement(values_of(output), attnlab::reference_values(expected.at("output")),
                       allowed(reference_tensor<T>(expected.at("masked")))) == "");
  }
}

TEST_CASE_TEMPLATE("streaming and plain attention agree at every length", T, float, double) {
  SUBCASE("without a mask") { check_every_length<T>({}); }
  SUBCASE("with a scale of its own") {
    ScoreOptions<T> options;
    options.scale = T(2.5);
    check_every_length(options);
  }
  SUBCASE("with scores of 10,000 and more") { check_every_length<T>({}, 100.0); }
  SUBCASE("causal, to the lower right") {
    ScoreOptions<T> options;
    options.readable.causal = true;
    check_every_length(options);
  }
  SUBCASE("causal, to the upper left") {
    ScoreOptions<T> options;
    options.readable.causal = true;
    options.readable.alignment = CausalAlignment::top_left;
    check_every_length(options);
  }
  SUBCASE("a window, causal, with padding") {
    ScoreOptions<T> options;
    options.readable = {true, 20, 3};
    check_every_length(options);
  }
  SUBCASE("a window, causal, with padding, counted from the first query and key") {
    ScoreOptions<T> options;
    options.readable = {true, 20, 3, CausalAlignment::top_left};
    check_every_length(options);
  }
  SUBCASE("a window that reaches farther than any key") {
    ScoreOptions<T> options;
    options.readable.reach = std::numeric_limits<std::size_t>::max();
    check_every_length(options);
  }
  SUBCASE("everything padded away") {
    ScoreOptions<T> options;
    options.readable.padded = 1;
    check_every_length(options);
  }
}

TEST_CASE_TEMPLATE("an additive mask may hide keys anywhere, and whole rows", T, float, double) {
  NumpyRandom random(1);
  const Tensor<T> query = drawn<T>(random, {2, 300, 8});
  const Tensor<T> key = drawn<T>(random, {2, 600, 8});
  const Tensor<T> value = drawn<T>(random, {2, 600, 4});
  Tensor<T> mask = drawn<T>(random, {300, 600});
  for (std::size_t i = 0; i < mask.size(); i += 3) mask.flat(i) = -std::numeric_limits<T>::infinity();
  for (std::size_t key_index = 0; key_index < 600; ++key_index) {
    mask(7, key_index) = -std::numeric_limits<T>::infinity();
    if (key_index < 520)
      mask(8, key_index) = -std::numeric_limits<T>::infinity();  // a first tile without keys
  }
  ScoreOptions<T> options;
  options.mask = mask;
  check_agreement(streaming_attention(query, key, value, options),
                  scaled_dot_product_attention(query, key, value, {std::nullopt, mask}));
}

TEST_CASE_TEMPLATE("rows without a readable key become what was asked for", T, float, double) {
  NumpyRandom random(2);
  const Tensor<T> query = drawn<T>(random, {5, 4});
  const Tensor<T> key = drawn<T>(random, {3, 4});
  const Tensor<T> value = drawn<T>(random, {3, 2});
  ScoreOptions<T> options;
  options.readable.causal = true;  // the first two of five queries see none of three keys
  for (const MaskedRow rule : {MaskedRow::nan, MaskedRow::zero, MaskedRow::uniform}) {
    const auto stages = scaled_dot_product_attention(query, key, value, plain(options, 5, 3));
    const Tensor<T> weights = attnlab::with_masked_rows(stages.weights, stages.masked, rule);
    const Tensor<T> output = streaming_attention(query, key, value, options, rule).output;
    CHECK(disagreement(values_of(output), values_of(attnlab::matmul(weights, value)), 1e-6) == "");
  }
}

TEST_CASE_TEMPLATE("scores that are infinite or NaN spoil their own row alone", T, float, double) {
  NumpyRandom random(3);
  Tensor<T> query = drawn<T>(random, {4, 2});
  const Tensor<T> key = drawn<T>(random, {600, 2});
  const Tensor<T> value = drawn<T>(random, {600, 2});
  query(1, 0) = std::numeric_limits<T>::quiet_NaN();
  query(2, 1) = std::numeric_limits<T>::infinity();
  check_agreement(streaming_attention(query, key, value), scaled_dot_product_attention(query, key, value));
}

TEST_CASE_TEMPLATE("heads may share keys and values", T, float, double) {
  NumpyRandom random(4);
  const Tensor<T> query = drawn<T>(random, {2, 6, 30, 4});
  const Tensor<T> key = drawn<T>(random, {2, 3, 20, 4});
  const Tensor<T> value = drawn<T>(random, {2, 3, 20, 5});
  const Tensor<T> grouped = streaming_attention(query, key, value).output;
  for (std::size_t batch = 0; batch < 2; ++batch) {
    for (std::size_t head = 0; head < 6; ++head) {
      const auto slice = [&](const Tensor<T>& from, std::size_t index, std::size_t rows, std::size_t width) {
        Tensor<T> part = Tensor<T>::from_shape({rows, width});
        std::copy_n(from.data() + index * rows * width, rows * width, part.data());
        return part;
      };
      const std::size_t shared = batch * 3 + head / 2;
      const auto expected = scaled_dot_product_attention(
          slice(query, batch * 6 + head, 30, 4), slice(key, shared, 20, 4), slice(value, shared, 20, 5));
      CHECK(disagreement(values_of(slice(grouped, batch * 6 + head, 30, 5)), values_of(expected.output),
                         allowed(expected.masked)) == "");
    }
  }
}

// Press et al. 2022: with 8 heads 1/2, 1/4, ..., 1/256.
TEST_CASE_TEMPLATE("linear biases subtract slope times distance", T, float, double) {
  CHECK(attnlab::alibi_slopes<T>(8) == std::vector<T>{T(0.5), T(0.25), T(0.125), T(0.0625), T(0.03125),
                                                      T(0.015625), T(0.0078125), T(0.00390625)});
  const std::vector<T> of_three = attnlab::alibi_slopes<T>(3);  // two heads' slopes, then the first of four
  CHECK(of_three == std::vector<T>{T(1.0 / 16), T(1.0 / 256), T(0.25)});

  NumpyRandom random(5);
  const Tensor<T> query = drawn<T>(random, {2, 10, 4});
  const Tensor<T> key = drawn<T>(random, {2, 14, 4});
  const Tensor<T> value = drawn<T>(random, {2, 14, 3});
  ScoreOptions<T> options;
  options.slopes = {T(0.5), T(0.25)};
  Tensor<T> bias = Tensor<T>::from_shape({2, 10, 14});
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t i = 0; i < 10; ++i) {
      for (std::size_t j = 0; j < 14; ++j) {
        const double distance = std::abs(static_cast<double>(i + 4) - static_cast<double>(j));
        bias(head, i, j) = -options.slopes[head] * static_cast<T>(distance);
      }
    }
  }
  check_agreement(streaming_attention(query, key, value, options),
                  scaled_dot_product_attention(query, key, value, {std::nullopt, bias}));
}

TEST_CASE_TEMPLATE("threads change no bit", T, float, double) {
  NumpyRandom random(6);
  const Tensor<T> query = drawn<T>(random, {3, 700, 16});
  const Tensor<T> key = drawn<T>(random, {3, 900, 16});
  const Tensor<T> value = drawn<T>(random, {3, 900, 16});
  CHECK(streaming_attention(query, key, value).output ==
        streaming_attention(query, key, value, {}, MaskedRow::nan, in_two_threads).output);
}

TEST_CASE_TEMPLATE("few queries over many keys are split over threads, and that changes no bit", T, float,
                   double) {
  NumpyRandom random(8);
  for (const std::size_t queries : {1U, 2U, 3U}) {
    const Tensor<T> query = drawn<T>(random, {4, queries, 21}, 2.0);
    const Tensor<T> key = drawn<T>(random, {2, 9000, 21});
    const Tensor<T> value = drawn<T>(random, {2, 9000, 13});
    ScoreOptions<T> options;
    options.slopes = attnlab::alibi_slopes<T>(4);
    options.readable.padded = 4200;  // the last part reads nothing
    const auto alone = streaming_attention(query, key, value, options);
    CHECK(alone.output ==
          streaming_attention(query, key, value, options, MaskedRow::nan, in_two_threads).output);
    ScoreOptions<T> written = options;
    written.mask = attnlab::alibi_bias(options.slopes, queries, 9000);
    check_agreement(
        alone, scaled_dot_product_attention(query, attnlab::repeat_heads(key, 2),
                                            attnlab::repeat_heads(value, 2), plain(written, queries, 9000)));
  }
}

TEST_CASE_TEMPLATE("a query alone that reads nothing is what the rule says", T, float, double) {
  NumpyRandom random(9);
  const Tensor<T> query = drawn<T>(random, {1, 3});
  const Tensor<T> key = drawn<T>(random, {5, 3});
  ScoreOptions<T> options;
  options.mask = Tensor<T>::from_shape({1, 5});
  options.mask->fill(-std::numeric_limits<T>::infinity());
  CHECK(std::isnan(streaming_attention(query, key, key, options).output(0, 0)));
  CHECK(streaming_attention(query, key, key, options, MaskedRow::zero).output(0, 0) == T(0));
  const T mean = (key(0, 0) + key(1, 0) + key(2, 0) + key(3, 0) + key(4, 0)) / 5;
  CHECK(streaming_attention(query, key, key, options, MaskedRow::uniform).output(0, 0) ==
        doctest::Approx(static_cast<double>(mean)));
  options.mask->fill(std::numeric_limits<T>::quiet_NaN());
  CHECK(std::isnan(streaming_attention(query, key, key, options, MaskedRow::zero).output(0, 0)));
}

TEST_CASE_TEMPLATE("maximum and sum of a row turn its scores into weights", T, float, double) {
  NumpyRandom random(7);
  const Tensor<T> query = drawn<T>(random, {3, 4}, 5.0);
  const Tensor<T> key = drawn<T>(random, {800, 4}, 5.0);
  const auto streamed = streaming_attention(query, key, key);
  const auto stages = scaled_dot_product_attention(query, key, key);
  for (std::size_t i = 0; i < 3; ++i) {
    const attnlab::RowState<T>& row = streamed.rows[i];
    for (std::size_t j = 0; j < 800; ++j) {
      const T weight = std::exp(stages.scores(i, j) - row.maximum) / row.sum;
      CHECK(std::abs(weight - stages.weights(i, j)) <= allowed(stages.scores));
    }
  }
}

TEST_CASE_TEMPLATE("softmax's exponential is within two units in the last place", T, float, double) {
  const auto exponential = [](T x) {
    attnlab::exp_of_nonpositive(&x, T(0), 1, &x);
    return x;
  };
  double worst = 0.0;
  for (double x = 0.0; x > -87.0; x -= 0.00371) {
    const T argument = static_cast<T>(x);
    const double exact = std::exp(static_cast<double>(argument));
    const double unit = exact * static_cast<double>(std::numeric_limits<T>::epsilon());
    worst = std::max(worst, std::abs(static_cast<double>(exponential(argument)) - exact) / unit);
  }
  CHECK(worst <= 2.0);
  CHECK(exponential(T(0)) == T(1));
  CHECK(exponential(-std::numeric_limits<T>::infinity()) == T(0));
  CHECK(exponential(T(-1e30)) == T(0));
  CHECK(std::isnan(exponential(std::numeric_limits<T>::quiet_NaN())));
}

TEST_CASE("operands that do not fit are named in both languages") {
  const auto message = [](const Shape& query, const Shape& key, const Shape& value,
                          const ScoreOptions<double>& options = {}) -> std::string {
    try {
      streaming_attention(Tensor<double>(query, 1.0), Tensor<double>(key, 1.0), Tensor<double>(value, 1.0),
                          options);
    } catch (const attnlab::Error& error) {
      CHECK(error.kind() == attnlab::ErrorKind::usage);
      CHECK(error.message(attnlab::Language::ja) != error.message(attnlab::Language::en));
      return error.message(attnlab::Language::en);
    }
    return "no error";
  };
  const auto says = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(says(message({3}, {3, 2}, {3, 2}), "query (3,)"));
  CHECK(says(message({3, 2}, {4, 5}, {4, 5}), "query (3, 2), key (4, 5)"));
  CHECK(says(message({3, 2}, {0, 2}, {0, 2}), "key (0, 2)"));
  CHECK(says(message({3, 2}, {4, 2}, {5, 2}), "values of shape (5, 2) do not broadcast to (4, 2)"));
  CHECK(says(message({4, 3, 2}, {3, 4, 2}, {3, 4, 2}), "do not broadcast"));
  ScoreOptions<double> options;
  options.mask = Tensor<double>({2, 4}, 0.0);
  CHECK(says(message({3, 2}, {4, 2}, {4, 2}, options), "a mask of shape (2, 4)"));
  options.mask.reset();
  options.slopes = {1.0, 0.5};
  CHECK(says(message({3, 3, 2}, {3, 4, 2}, {3, 4, 2}, options), "2 ALiBi slopes for 3 heads"));
}
