// Softmax of a row that arrives in pieces: the largest score so far and the sum of exponentials below it.
#pragma once

#include <cmath>
#include <limits>

namespace attnlab {

/// weight = exp(score - maximum) / sum. A row without any readable key has maximum -inf and sum 0.
template <class T>
struct RowState {
  T maximum = -std::numeric_limits<T>::infinity();
  T sum = T(0);
};

template <class T>
bool reads_nothing(const RowState<T>& row) {
  return row.maximum == -std::numeric_limits<T>::infinity() && !std::isnan(row.sum);  // NaN is no mask
}

}  // namespace attnlab
