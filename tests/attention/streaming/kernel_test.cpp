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
    std::vector<double> output(width, 0.0);
    double sum = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      double score = 0;
      for (std::size_t d = 0; d < width; ++d) {
        score += static_cast<double>(query[i * width + d]) * static_cast<double>(key[j * width + d]);
      }
      const double weight = std::exp(score * static_cast<double>(scale));
      sum += weight;
      for (std::size_t d = 0; d < width; ++d) output[d] += weight * static_cast<double>(value[j * width + d]);
    }
    for (std::size_t d = 0; d < width; ++d) {
      const double got = static_cast<double>(panel.output[d * step + i]) / static_cast<double>(panel.sum[i]);
      const double error = std::abs(got - output[d] / sum);
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
