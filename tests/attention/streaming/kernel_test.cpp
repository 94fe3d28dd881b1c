// The kernel's edges, on every kind of vector unit that this processor has, against loops in double.
#include "attention/streaming/kernel/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "random/numpy_random.hpp"

using attnlab::can_run;
using attnlab::NumpyRandom;
using attnlab::panel_kernel;
using attnlab::PanelKernel;
using attnlab::SimdTarget;

namespace {

constexpr std::size_t widest_panel = 32;
constexpr std::size_t most = 70;

/// What the kernel reads and writes of one panel, and what plain loops make of it.
template <class T>
struct Panel {
  alignas(64) std::array<T, most * widest_panel> query{}, scores{}, output{};
  alignas(64) std::array<T, widest_panel> maximum{}, sum{}, factor{};
};

template <class T>
std::vector<T> drawn(NumpyRandom& random, std::size_t count) {
  const attnlab::Tensor<double> values = random.randn({count});
  std::vector<T> result(count);
  std::transform(values.begin(), values.end(), result.begin(), [](double x) { return static_cast<T>(x); });
  return result;
}

/// One query's attention by plain loops.
template <class T>
std::vector<double> plain_output(const T* query, const T* key, const T* value, std::size_t keys,
                                 std::size_t width, double scale) {
  std::vector<double> output(width, 0.0);
  double sum = 0;
  for (std::size_t j = 0; j < keys; ++j) {
    double score = 0;
    for (std::size_t d = 0; d < width; ++d) {
      score += static_cast<double>(query[d]) * static_cast<double>(key[j * width + d]);
    }
    const double weight = std::exp(score * scale);
    sum += weight;
    for (std::size_t d = 0; d < width; ++d) output[d] += weight * static_cast<double>(value[j * width + d]);
  }
  for (double& number : output) number /= sum;
  return output;
}

/// The largest difference of one panel's attention over `keys` keys, `first` of them in a first tile, from
/// plain loops in double.
template <class T>
double largest_error(const PanelKernel<T>& kernel, std::size_t queries, std::size_t keys, std::size_t width,
                     std::size_t first, const std::vector<T>& numbers) {
  static Panel<T> panel;
  const std::size_t step = kernel.panel;
  const T* query = numbers.data();
  const T* key = query + widest_panel * most;
  const T* value = key + most * most;
  const T scale = 1 / std::sqrt(static_cast<T>(width));
  panel = {};
  panel.maximum.fill(-std::numeric_limits<T>::infinity());
  for (std::size_t i = 0; i < queries; ++i) {
    for (std::size_t d = 0; d < width; ++d) panel.query[d * step + i] = query[i * width + d];
  }
  const auto take = [&](std::size_t begin, std::size_t count) {
    kernel.scores(panel.query.data(), key + begin * width, count, width, queries, scale, panel.scores.data());
    kernel.take(panel.scores.data(), count, queries, panel.maximum.data(), panel.sum.data(),
                panel.factor.data());
    kernel.add_values(panel.scores.data(), value + begin * width, count, width, queries, panel.factor.data(),
                      panel.output.data());
  };
  if (first > 0) take(0, first);
  if (first < keys) take(first, keys - first);

  double largest = 0;
  for (std::size_t i = 0; i < queries; ++i) {
    const std::vector<double> output =
        plain_output(query + i * width, key, value, keys, width, static_cast<double>(scale));
    for (std::size_t d = 0; d < width; ++d) {
      const double got = static_cast<double>(panel.output[d * step + i]) / static_cast<double>(panel.sum[i]);
      const double error = std::abs(got - output[d]);
      largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(largest, error);
    }
  }
  return largest;
}

}  // namespace

TEST_CASE_TEMPLATE("a panel is right at every number of keys and every width from 1 to 70", T, float,
                   double) {
  NumpyRandom random(5);
  const std::vector<T> numbers = drawn<T>(random, widest_panel * most + 2 * most * most);
  for (const SimdTarget target : {SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512}) {
    if (!can_run(target)) continue;
    CAPTURE(attnlab::name_of(target));
    const PanelKernel<T>& kernel = panel_kernel<T>(target);
    REQUIRE(kernel.panel <= widest_panel);
    double largest = 0;
    for (std::size_t keys = 1; keys <= most; ++keys) {
      for (std::size_t width = 1; width <= most; ++width) {
        const std::size_t queries = 1 + (keys * most + width) % kernel.panel;
        largest = std::max(largest, largest_error(kernel, queries, keys, width, keys / 3, numbers));
      }
    }
    // Scores of magnitude 5 and 70 sums: some 50 roundings.
    CHECK(largest <= 50 * static_cast<double>(std::numeric_limits<T>::epsilon()));
  }
}

TEST_CASE_TEMPLATE("a query alone is right at every number of keys and every width from 1 to 70", T, float,
                   double) {
  NumpyRandom random(6);
  const std::vector<T> numbers = drawn<T>(random, most + 2 * most * most);
  for (const SimdTarget target : {SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512}) {
    if (!can_run(target)) continue;
    CAPTURE(attnlab::name_of(target));
    const attnlab::RowKernel<T>& kernel = panel_kernel<T>(target).row;
    double largest = 0;
    for (std::size_t keys = 1; keys <= most; ++keys) {
      for (std::size_t width = 1; width <= most; ++width) {
        const T* key = numbers.data() + most;
        const T* value = key + most * most;
        const T scale = 1 / std::sqrt(static_cast<T>(width));
        std::vector<T> scores(most + widest_panel);
        std::vector<T> output(width, T(0));
        T maximum = -std::numeric_limits<T>::infinity();
        T sum = 0;
        const auto take = [&](std::size_t begin, std::size_t count) {
          kernel.scores(numbers.data(), key + begin * width, count, width, scale, scores.data());
          const T factor = kernel.take(scores.data(), count, &maximum, &sum);
          kernel.add_values(scores.data(), value + begin * width, count, width, factor, output.data());
        };
        if (keys / 3 > 0) take(0, keys / 3);
        take(keys / 3, keys - keys / 3);
        const std::vector<double> expected =
            plain_output(numbers.data(), key, value, keys, width, static_cast<double>(scale));
        for (std::size_t d = 0; d < width; ++d) {
          const double error = std::abs(static_cast<double>(output[d] / sum) - expected[d]);
          largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(largest, error);
        }
      }
    }
    CHECK(largest <= 50 * static_cast<double>(std::numeric_limits<T>::epsilon()));
  }
}

TEST_CASE_TEMPLATE("a panel's second pass makes weights, and tells what they sum to", T, float, double) {
  constexpr std::size_t keys = 7;
  for (const SimdTarget target : {SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512}) {
    if (!can_run(target)) continue;
    CAPTURE(attnlab::name_of(target));
    const PanelKernel<T>& kernel = panel_kernel<T>(target);
    alignas(64) std::array<std::array<T, widest_panel>, 7> rows{};
    auto& [maximum, sum, log_sum, place, weight_log, distance, most_of] = rows;
    alignas(64) std::array<T, keys * widest_panel> scores{};
    for (std::size_t i = 0; i < kernel.panel; ++i) {
      maximum[i] = 3;
      place[i] = static_cast<T>(i);
      for (std::size_t j = 0; j < keys; ++j) {
        const T score = j == i % keys ? T(3) : -static_cast<T>(i + j);
        scores[j * kernel.panel + i] = score;
        sum[i] += std::exp(score - 3);
      }
      log_sum[i] = std::log(sum[i]);
    }
    const auto before = scores;
    kernel.weights(scores.data(), keys, kernel.panel,
                   {maximum.data(), sum.data(), log_sum.data(), place.data()},
                   {weight_log.data(), distance.data(), most_of.data()});
    const double allowed = 20 * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::size_t i = 0; i < kernel.panel; ++i) {
      double logs = 0;
      double far = 0;
      double largest = 0;
      for (std::size_t j = 0; j < keys; ++j) {
        const double weight =
            std::exp(static_cast<double>(before[j * kernel.panel + i]) - 3) / static_cast<double>(sum[i]);
        CHECK(std::abs(static_cast<double>(scores[j * kernel.panel + i]) - weight) <= allowed);
        logs += weight * std::log(weight);
        far += weight * std::abs(static_cast<double>(i) - static_cast<double>(j));
        largest = std::max(largest, weight);
      }
      CHECK(std::abs(static_cast<double>(weight_log[i]) - logs) <= allowed);
      CHECK(std::abs(static_cast<double>(distance[i]) - far) <= allowed * 30);
      CHECK(std::abs(static_cast<double>(most_of[i]) - largest) <= allowed);
    }
  }
}

TEST_CASE_TEMPLATE("the kernel's exponential is within 2 units in the last place", T, float, double) {
  using Limits = std::numeric_limits<T>;
  for (const SimdTarget target : {SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512}) {
    if (!can_run(target)) continue;
    CAPTURE(attnlab::name_of(target));
    const PanelKernel<T>& kernel = panel_kernel<T>(target);
    static Panel<T> panel;
    const auto exponential = [&](T x) {
      panel.scores[0] = 0;  // the maximum
      panel.scores[kernel.panel] = x;
      panel.maximum.fill(-Limits::infinity());
      kernel.take(panel.scores.data(), 2, 1, panel.maximum.data(), panel.sum.data(), panel.factor.data());
      return panel.scores[kernel.panel];
    };
    double largest = 0;
    const double least = std::log(static_cast<double>(Limits::min()));
    for (int i = 0; i < 20000; ++i) {
      const T x = static_cast<T>(least * 0.9999 * i / 20000);
      const long double expected = std::exp(static_cast<long double>(x));
      const auto error = static_cast<double>(std::abs(exponential(x) - expected) / expected);
      largest = std::max(largest, error);
    }
    CHECK(largest <= 2 * static_cast<double>(Limits::epsilon()));
    CHECK(exponential(T(0)) == T(1));
    CHECK(exponential(-Limits::infinity()) == T(0));
    CHECK(exponential(static_cast<T>(least - 1)) == T(0));
    CHECK(std::isnan(exponential(Limits::quiet_NaN())));
    CHECK(std::isnan(exponential(Limits::signaling_NaN())));
  }
}
