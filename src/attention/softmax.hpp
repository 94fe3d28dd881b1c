// Softmax along the last axis: the stable form, and two instructive ways to get it wrong.
#pragma once

#include "core/tensor.hpp"

namespace attnlab {

/// softmax(x)_j = exp(x_j - max x) / sum_k exp(x_k - max x), for every row along the last axis.
///
/// scores: (..., keys); returns the same shape. Finite scores give finite weights; a row of -inf alone, or
/// one that holds NaN or +inf, gives NaN, as in NumPy and PyTorch. Rows without keys stay empty.
/// T = float or double. Throws Error (usage) for an array without dimensions; so do the other two.
/// Source: textbook 2.2.2, code 2.2.1, with the maximum taken by rows.
template <class T>
Tensor<T> softmax(const Tensor<T>& scores);

/// exp(x) / sum exp(x): overflows to NaN from x = 88.73 (float) or 709.79 (double). For the lesson only.
template <class T>
Tensor<T> softmax_naive(const Tensor<T>& scores);

/// The textbook's code 2.2.1 as printed: subtracts the maximum of the *whole* array, so a row far below it
/// underflows to 0/0 = NaN. For the lesson only.
template <class T>
Tensor<T> softmax_global_maximum(const Tensor<T>& scores);

}  // namespace attnlab
