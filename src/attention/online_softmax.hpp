// Softmax of a row that arrives in pieces: the largest score so far and the sum of exponentials below it.
#pragma once

#include <cstddef>

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

/// Takes the next `count` scores of the row, replaces them by exp(score - new maximum), and returns by what
/// everything summed before must be multiplied: exp(old maximum - new maximum).
/// Source: Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, algorithm 1.
template <class T>
T take(RowState<T>& row, T* scores, std::size_t count);

/// Replaces scores by weights, once the row is complete; NaN for a row without any readable key.
template <class T>
void to_weights(const RowState<T>& row, T* scores, std::size_t count);

}  // namespace attnlab
