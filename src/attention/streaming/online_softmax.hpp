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

/// The largest of `from` and the values. A NaN among them need not win.
template <class T>
T largest_of(T from, const T* values, std::size_t count);

}  // namespace attnlab
