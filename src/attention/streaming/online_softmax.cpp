#include "attention/streaming/online_softmax.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "attention/streaming/exponential.hpp"

namespace attnlab {

namespace {

/// scores_j = exp(scores_j - c), c no less than any of them; returns their sum.
template <class T>
T exponentials(T c, T* scores, std::size_t count) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t lanes = Batch::size;
  const Batch shift(c);
  Batch first(T(0));
  Batch second(T(0));
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {  // two at a time: their latencies overlap
    const Batch a = exp_of_nonpositive(Batch::load_unaligned(scores + i) - shift);
    const Batch b = exp_of_nonpositive(Batch::load_unaligned(scores + i + lanes) - shift);
    a.store_unaligned(scores + i);
    b.store_unaligned(scores + i + lanes);
    first += a;
    second += b;
  }
  T sum = sum_of_lanes(first + second);
  for (; i < count; ++i) {
    scores[i] = exp_of_nonpositive(scores[i] - c);
    sum += scores[i];
  }
  return sum;
}

/// 0, 1, ..., one per lane.
template <class T>
xsimd::batch<T> indices() {
  std::array<T, xsimd::batch<T>::size> values{};
  std::iota(values.begin(), values.end(), T(0));
  return xsimd::batch<T>::load_unaligned(values.data());
}

/// -inf - -inf would be NaN: a row without readable keys so far is shifted by 0.
template <class T>
T shift_of(T maximum) {
  return maximum == -std::numeric_limits<T>::infinity() ? T(0) : maximum;
}

}  // namespace

template <class T>
RowState<T> empty_row() {
  return {-std::numeric_limits<T>::infinity(), T(0)};
}

template <class T>
T take(RowState<T>& row, T* scores, std::size_t count) {
  const T maximum = largest_of(row.maximum, scores, count);
  const T shift = shift_of(maximum);
  const T earlier = std::exp(row.maximum - shift);
  row.sum = row.sum * earlier + exponentials(shift, scores, count);
  row.maximum = maximum;
  return earlier;
}

template <class T>
WeightSums<T> to_weights(const RowState<T>& row, T place, T* scores, std::size_t count) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t lanes = Batch::size;
  const T shift = shift_of(row.maximum);
  const T log_sum = std::log(row.sum);
  WeightSums<T> sums;
  Batch weight_log(T(0));
  Batch distance(T(0));
  Batch largest(T(0));
  Batch index = indices<T>();
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Batch below = Batch::load_unaligned(scores + i) - Batch(shift);
    const Batch weight = exp_of_nonpositive(below) / Batch(row.sum);
    const Batch term = weight * (below - Batch(log_sum));
    weight_log += xsimd::select(weight > Batch(T(0)), term, weight);  // 0 ln 0 = 0
    distance += weight * xsimd::abs(Batch(place) - index);
    largest = xsimd::max(largest, weight);
    weight.store_unaligned(scores + i);
    index += Batch(static_cast<T>(lanes));
  }
  sums.weight_log = sum_of_lanes(weight_log);
  sums.distance = sum_of_lanes(distance);
  for (std::size_t lane = 0; lane < lanes; ++lane) sums.largest = std::max(sums.largest, largest.get(lane));
  for (; i < count; ++i) {
    const T below = scores[i] - shift;
    const T weight = exp_of_nonpositive(below) / row.sum;
    if (weight > T(0)) sums.weight_log += weight * (below - log_sum);
    sums.distance += weight * std::abs(place - static_cast<T>(i));
    sums.largest = std::max(sums.largest, weight);
    scores[i] = weight;
  }
  return sums;
}

template <class T>
T largest_of(T from, const T* values, std::size_t count) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t lanes = Batch::size;
  Batch first(from);
  Batch second(from);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    first = xsimd::max(first, Batch::load_unaligned(values + i));
    second = xsimd::max(second, Batch::load_unaligned(values + i + lanes));
  }
  first = xsimd::max(first, second);
  T largest = from;
  for (std::size_t lane = 0; lane < lanes; ++lane) largest = std::max(largest, first.get(lane));
  for (; i < count; ++i) largest = std::max(largest, values[i]);
  return largest;
}

template RowState<float> empty_row();
template RowState<double> empty_row();
template float take(RowState<float>&, float*, std::size_t);
template double take(RowState<double>&, double*, std::size_t);
template WeightSums<float> to_weights(const RowState<float>&, float, float*, std::size_t);
template WeightSums<double> to_weights(const RowState<double>&, double, double*, std::size_t);
template float largest_of(float, const float*, std::size_t);
template double largest_of(double, const double*, std::size_t);

}  // namespace attnlab
