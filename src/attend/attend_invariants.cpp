#include "attend/attend_invariants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// Largest |a - b|, NaN beside NaN counting as equal; infinite for NaN beside a number.
template <class T>
double largest_difference(const Tensor<T>& a, const Tensor<T>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a.data()[i]);
    const auto y = static_cast<double>(b.data()[i]);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    largest = worst(largest, std::abs(x - y));
  }
  return largest;
}

template <class T>
double largest_finite(const Tensor<T>& values) {
  double largest = 0.0;
  for (const T value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return largest;
}

/// How far the sum of a row is from 1, over all rows that read a key. NaN scores count as infinitely far.
template <class T>
double row_sum_error(const Tensor<T>& weights, const RowFlags& nothing_read) {
  const std::size_t keys = weights.shape().back();
  double largest = 0.0;
  for (std::size_t row_index = 0; row_index < nothing_read.size(); ++row_index) {
    if (nothing_read[row_index]) continue;
    double sum = 0.0;
    for (std::size_t key = 0; key < keys; ++key)
      sum += static_cast<double>(weights.data()[row_index * keys + key]);
    largest = worst(largest, std::abs(sum - 1.0));
  }
  return largest;
}

template <class T>
double rounding_of(const AttendRun& run) {
  if (run.settings.precision == Precision::float16) return std::ldexp(1.0, -10);
  return static_cast<double>(std::numeric_limits<T>::epsilon());
}

}  // namespace

template <class T>
std::vector<Invariant> attend_invariants(const AttendRun& run, const AttentionStages<T>& stages,
                                         const Tensor<T>& streamed) {
  std::vector<Invariant> invariants;
  const auto keys = static_cast<double>(run.keys);
  invariants.push_back(
      {"weights_sum_to_one",
       {"読めるキーのある行の注意度は、どれも和が 1", "every row that reads a key sums to 1"},
       row_sum_error(stages.weights, run.nothing_read),
       rounding_of<T>(run) * (8.0 + keys)});
  if (run.settings.precision == Precision::float16) return invariants;
  invariants.push_back(
      {"streaming_agrees",
       {"注意度を残さない計算と出力が一致", "streaming, which keeps no weights, gives the same output"},
       largest_difference(stages.output, streamed),
       rounding_of<T>(run) * (64.0 + keys) * std::max(1.0, largest_finite(streamed))});
  return invariants;
}

template std::vector<Invariant> attend_invariants(const AttendRun&, const AttentionStages<float>&,
                                                  const Tensor<float>&);
template std::vector<Invariant> attend_invariants(const AttendRun&, const AttentionStages<double>&,
                                                  const Tensor<double>&);

}  // namespace attnlab
