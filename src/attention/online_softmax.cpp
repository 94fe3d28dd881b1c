#include "attention/online_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/exponential.hpp"

namespace attnlab {

namespace {

/// The largest of `from` and the scores. A NaN among them need not win: its exponential spoils the sum.
template <class T>
T largest_of(T from, const T* scores, std::size_t count) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t lanes = Batch::size;
  Batch first(from);
  Batch second(from);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    first = xsimd::max(first, Batch::load_unaligned(scores + i));
    second = xsimd::max(second, Batch::load_unaligned(scores + i + lanes));
  }
  first = xsimd::max(first, second);
  T largest = from;
  for (std::size_t lane = 0; lane < lanes; ++lane) largest = std::max(largest, first.get(lane));
  for (; i < count; ++i) largest = std::max(largest, scores[i]);
  return largest;
}

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
  T sum = xsimd::hadd(first + second);
  for (; i < count; ++i) {
    scores[i] = exp_of_nonpositive(scores[i] - c);
    sum += scores[i];
  }
  return sum;
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
void to_weights(const RowState<T>& row, T* scores, std::size_t count) {
  exponentials(shift_of(row.maximum), scores, count);
  for (std::size_t i = 0; i < count; ++i) scores[i] /= row.sum;
}

template RowState<float> empty_row();
template RowState<double> empty_row();
template float take(RowState<float>&, float*, std::size_t);
template double take(RowState<double>&, double*, std::size_t);
template void to_weights(const RowState<float>&, float*, std::size_t);
template void to_weights(const RowState<double>&, double*, std::size_t);

}  // namespace attnlab
