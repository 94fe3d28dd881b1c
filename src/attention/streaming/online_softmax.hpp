// Softmax of a row that arrives in pieces: the largest score so far and the sum of exponentials below it.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "core/tensor.hpp"

namespace attnlab {

/// weight = exp(score - maximum) / sum. A row without any readable key has maximum -inf and sum 0.
template <class T>
struct RowState {
  T maximum;
  T sum;
};

template <class T>
RowState<T> empty_row();

template <class T>
bool reads_nothing(const RowState<T>& row) {
  return row.maximum == -std::numeric_limits<T>::infinity() && !std::isnan(row.sum);  // NaN is no mask
}

/// Takes the next `count` scores of the row, replaces them by exp(score - new maximum), and returns by what
/// everything summed before must be multiplied: exp(old maximum - new maximum).
/// Source: Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, algorithm 1.
template <class T>
T take(RowState<T>& row, T* scores, std::size_t count);

/// What the weights of some keys sum to.
template <class T>
struct WeightSums {
  T weight_log = 0;  // sum of w ln w
  T distance = 0;    // sum of w |place - index of the key|
  T largest = 0;
};

/// Replaces scores by weights, once the row is complete; NaN for a row without any readable key. `place` is
/// the query's own place, counted from the first of these keys.
template <class T>
WeightSums<T> to_weights(const RowState<T>& row, T place, T* scores, std::size_t count);

/// The largest of `from` and the values. A NaN among them need not win.
template <class T>
T largest_of(T from, const T* values, std::size_t count);

}  // namespace attnlab
