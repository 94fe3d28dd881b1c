// What is told of the weights without keeping them, against the same told of kept weights.
#include "attention/weight_summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "agreement.hpp"
#include "attention/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "random/numpy_random.hpp"

using attnlab::KeyRange;
using attnlab::MapSize;
using attnlab::MaskedRow;
using attnlab::NumpyRandom;
using attnlab::Pool;
using attnlab::ScoreOptions;
using attnlab::streaming_attention;
using attnlab::summarise_weights;
using attnlab::Tensor;
using attnlab::WeightStatistics;
using attnlab::WeightSummary;

namespace {

/// Written down from the definitions, for weights that are kept. (queries, keys)
WeightStatistics statistics_of(const Tensor<double>& weights) {
  const std::size_t queries = weights.shape()[0];
  const std::size_t keys = weights.shape()[1];
  WeightStatistics all;
  for (std::size_t i = 0; i < queries; ++i) {
    if (std::isnan(weights(i, 0))) continue;
    ++all.queries;
    double largest = 0.0;
    for (std::size_t j = 0; j < keys; ++j) {
      const double weight = weights(i, j);
      const auto offset = static_cast<double>(i + keys) - static_cast<double>(queries + j);
      if (weight > 0.0) all.entropy -= weight * std::log(weight);
      all.distance += weight * std::abs(offset);
      largest = std::max(largest, weight);
      if (j == 0) all.on_first += weight;
      if (offset == 0.0) all.on_own += weight;
      if (offset == 1.0) all.on_previous += weight;
    }
    all.largest += largest;
  }
  const auto n = static_cast<double>(all.queries);
  return {all.entropy / n, all.largest / n,     all.distance / n, all.on_first / n,
          all.on_own / n,  all.on_previous / n, all.queries};
}

void check_equal(const WeightStatistics& got, const WeightStatistics& expected) {
  // Up to 700 keys and scores below 8, and means over 600 queries whose terms all have one sign.
  const double rounding = attnlab::rounding_of<double>(5 + 2 * 700 + 600, 8.0);
  CHECK(std::abs(got.entropy - expected.entropy) <= rounding * std::max(1.0, expected.entropy));
  CHECK(std::abs(got.largest - expected.largest) <= rounding);
  CHECK(std::abs(got.distance - expected.distance) <= rounding * std::abs(expected.distance));
  CHECK(std::abs(got.on_first - expected.on_first) <= rounding);
  CHECK(std::abs(got.on_own - expected.on_own) <= rounding);
  CHECK(std::abs(got.on_previous - expected.on_previous) <= rounding);
  CHECK(got.queries == expected.queries);
}

struct SummaryInputs {
  Tensor<double> query;
  Tensor<double> key;
};

SummaryInputs drawn(std::size_t queries, std::size_t keys) {
  NumpyRandom random(0);
  SummaryInputs inputs;
  inputs.query = random.randn({queries, 6});
  inputs.key = random.randn({keys, 6});
  return inputs;
}

WeightSummary summary(const SummaryInputs& inputs, const ScoreOptions<double>& options, const MapSize& size,
                      MaskedRow rule = MaskedRow::nan) {
  const auto rows = streaming_attention(inputs.query, inputs.key, inputs.key, options).rows;
  return summarise_weights(inputs.query, inputs.key, options, rows, size, rule).front();
}

Tensor<double> kept_weights(const SummaryInputs& inputs, bool causal) {
  attnlab::AttentionOptions<double> options;
  if (causal) {
    options.mask =
        attnlab::additive_mask(attnlab::causal_mask(inputs.query.shape()[0], inputs.key.shape()[0]),
                               -std::numeric_limits<double>::infinity());
  }
  return attnlab::scaled_dot_product_attention(inputs.query, inputs.key, inputs.key, options).weights;
}

}  // namespace

TEST_CASE("statistics of weights that were never kept are those of kept weights") {
  for (const bool causal : {false, true}) {
    for (const auto& tokens : {std::pair{1U, 1U}, {5U, 9U}, {300U, 700U}, {600U, 520U}}) {
      CAPTURE(causal);
      CAPTURE(tokens.first);
      const SummaryInputs inputs = drawn(tokens.first, tokens.second);
      ScoreOptions<double> options;
      if (causal) options.readable.causal = true;
      const MapSize size{{0, inputs.query.shape()[0]}, {0, inputs.key.shape()[0]}, 1, 1, Pool::maximum};
      check_equal(summary(inputs, options, size).statistics, statistics_of(kept_weights(inputs, causal)));
    }
  }
}

TEST_CASE("a map with a cell for every weight is the weights") {
  const SummaryInputs inputs = drawn(7, 9);
  const Tensor<double> weights = kept_weights(inputs, true);
  ScoreOptions<double> options;
  options.readable.causal = true;
  for (const Pool pool : {Pool::maximum, Pool::mean}) {
    const Tensor<double> map = summary(inputs, options, {{0, 7}, {0, 9}, 7, 9, pool}).map;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      CHECK(std::abs(map.flat(i) - weights.flat(i)) <= attnlab::rounding_in_attention<double>(5, 9, 8.0));
    }
  }
}

TEST_CASE("cells hold the largest or the mean of the weights below them, of the chosen part") {
  const SummaryInputs inputs = drawn(530, 1100);
  const Tensor<double> weights = kept_weights(inputs, false);
  const KeyRange queries{13, 521};
  const KeyRange keys{100, 1003};
  for (const Pool pool : {Pool::maximum, Pool::mean}) {
    const Tensor<double> map = summary(inputs, {}, {queries, keys, 10, 17, pool}).map;
    Tensor<double> expected({10, 17}, 0.0);
    Tensor<double> count({10, 17}, 0.0);
    for (std::size_t i = queries.begin; i < queries.end; ++i) {
      for (std::size_t j = keys.begin; j < keys.end; ++j) {
        const std::size_t row = (i - queries.begin) * 10 / (queries.end - queries.begin);
        const std::size_t column = (j - keys.begin) * 17 / (keys.end - keys.begin);
        double& cell = expected(row, column);
        cell = pool == Pool::maximum ? std::max(cell, weights(i, j)) : cell + weights(i, j);
        count(row, column) += 1.0;
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double cell = pool == Pool::maximum ? expected.flat(i) : expected.flat(i) / count.flat(i);
      CHECK(std::abs(map.flat(i) - cell) <= attnlab::rounding_of<double>(5 + 2 * 1100 + 51 * 54, 8.0) * cell);
    }
  }
}

TEST_CASE("queries that read nothing are not counted, and drawn as asked") {
  const SummaryInputs inputs = drawn(5, 3);
  ScoreOptions<double> options;
  options.readable.causal = true;  // the first two queries stand before every key
  const MapSize size{{0, 5}, {0, 3}, 5, 3, Pool::mean};
  const WeightSummary nan = summary(inputs, options, size);
  CHECK(nan.statistics.queries == 3);
  CHECK(std::isnan(nan.map(1, 0)));
  CHECK(nan.map(2, 0) == doctest::Approx(1.0));
  CHECK(summary(inputs, options, size, MaskedRow::zero).map(1, 2) == 0.0);
  CHECK(summary(inputs, options, size, MaskedRow::uniform).map(1, 2) == doctest::Approx(1.0 / 3.0));
}

namespace {

/// What both ways tell of the same weights.
struct BothWays {
  std::vector<WeightSummary> streamed;
  std::vector<WeightSummary> kept;
};

/// (2, 3, queries, keys), with a mask that leaves rows of its own empty in every head.
template <class T>
BothWays both_ways(std::size_t queries, std::size_t keys, const MapSize& size, MaskedRow rule) {
  NumpyRandom random(9);
  const Tensor<T> query = random.randn({2, 3, queries, 5});
  const Tensor<T> key = random.randn({2, 3, keys, 5});
  ScoreOptions<T> options;
  options.mask = Tensor<T>(random.randn({3, queries, keys}));
  for (std::size_t row = 0; row < 3 * queries; ++row) {
    for (std::size_t j = 0; j < keys; ++j) {
      const bool hides = row % 7 == 2 || (row % queries < queries / 4) || (row + j) % 5 == 0;
      if (hides) options.mask->flat(row * keys + j) = -std::numeric_limits<T>::infinity();
    }
  }
  const auto rows = streaming_attention(query, key, key, options).rows;
  const auto stages = attnlab::scaled_dot_product_attention(query, key, key, {std::nullopt, options.mask});
  const attnlab::RowFlags nothing_read = attnlab::rows_that_read_nothing(stages.masked);
  CHECK(nothing_read == attnlab::rows_that_read_nothing(rows));
  CHECK(std::count(nothing_read.begin(), nothing_read.end(), true) > 0);
  CHECK(std::count(nothing_read.begin(), nothing_read.end(), false) > 0);
  const Tensor<T> weights = attnlab::with_masked_rows(stages.weights, stages.masked, rule);
  return {summarise_weights(query, key, options, rows, size, rule),
          summarise_weights(weights, nothing_read, size, rule)};
}

template <class T>
void check_both_ways(std::size_t queries, std::size_t keys, const MapSize& size, MaskedRow rule) {
  const double rounding = attnlab::rounding_of<T>(5 + 2 * keys + queries, 8.0);
  const BothWays recorded = both_ways<T>(queries, keys, size, rule);
  REQUIRE(recorded.kept.size() == 6);
  REQUIRE(recorded.streamed.size() == 6);
  for (std::size_t i = 0; i < recorded.kept.size(); ++i) {
    const WeightStatistics& kept = recorded.kept[i].statistics;
    const WeightStatistics& streamed = recorded.streamed[i].statistics;
    CHECK(kept.entropy == doctest::Approx(streamed.entropy).epsilon(rounding));
    CHECK(kept.largest == doctest::Approx(streamed.largest).epsilon(rounding));
    CHECK(kept.distance == doctest::Approx(streamed.distance).epsilon(rounding));
    CHECK(kept.on_first == doctest::Approx(streamed.on_first).epsilon(rounding));
    CHECK(kept.on_own == doctest::Approx(streamed.on_own).epsilon(rounding));
    CHECK(kept.on_previous == doctest::Approx(streamed.on_previous).epsilon(rounding));
    CHECK(kept.queries == streamed.queries);
    const std::vector<double> map(recorded.kept[i].map.begin(), recorded.kept[i].map.end());
    const std::vector<double> expected(recorded.streamed[i].map.begin(), recorded.streamed[i].map.end());
    CHECK(attnlab::disagreement(map, expected, rounding) == "");
  }
}

}  // namespace

TEST_CASE_TEMPLATE("kept weights are told of as those that were never kept", T, float, double) {
  for (const Pool pool : {Pool::maximum, Pool::mean}) {
    for (const MaskedRow rule : {MaskedRow::nan, MaskedRow::zero, MaskedRow::uniform}) {
      check_both_ways<T>(9, 6, {{0, 9}, {0, 6}, 9, 6, pool}, rule);
      check_both_ways<T>(9, 13, {{1, 8}, {3, 13}, 3, 4, pool}, rule);
      check_both_ways<T>(300, 600, {{0, 300}, {0, 600}, 32, 17, pool}, rule);
      check_both_ways<T>(300, 600, {{17, 290}, {256, 599}, 40, 19, pool}, rule);
    }
  }
}

TEST_CASE("statistics of kept weights are those written down from the definitions") {
  for (const auto& [queries, keys] : {std::pair{1, 1}, {5, 9}, {9, 5}, {64, 70}}) {
    const SummaryInputs inputs = drawn(static_cast<std::size_t>(queries), static_cast<std::size_t>(keys));
    const Tensor<double> weights = kept_weights(inputs, true);
    attnlab::RowFlags nothing_read;
    for (std::size_t i = 0; i < weights.shape()[0]; ++i) nothing_read.push_back(std::isnan(weights(i, 0)));
    const MapSize size{{0, weights.shape()[0]}, {0, weights.shape()[1]}, 1, 1, Pool::maximum};
    check_equal(summarise_weights(weights, nothing_read, size).front().statistics, statistics_of(weights));
  }
}

TEST_CASE("a row reads nothing when every masked score is minus infinity") {
  constexpr double hidden = -std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor<double> masked{{{hidden, hidden}, {hidden, 0.0}}, {{nan, hidden}, {hidden, hidden}}};
  CHECK(attnlab::rows_that_read_nothing(masked) == attnlab::RowFlags{true, false, false, true});
}
