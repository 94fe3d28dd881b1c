// What training makes small: cross-entropy for words, the mean squared error for numbers, and their
// gradients.
#pragma once

#include <cstddef>

#include "training/strided_matrix.hpp"

namespace attnlab {

/// A target that does not count.
constexpr int no_target = -1;

struct LossSum {
  double loss = 0.0;        // summed over the targets that count
  std::size_t correct = 0;  // whose largest logit is the target's (the first of equal ones)
  std::size_t counted = 0;
  LossSum& operator+=(const LossSum& other) {
    loss += other.loss;
    correct += other.correct;
    counted += other.counted;
    return *this;
  }
};

/// −ln p_target with p = softmax(logits), row by row; logits (rows, answers) become dlogits = share · (p −
/// 1[target]), 0 where no target counts. `share` is 1 / counted for the mean over a whole batch.
template <class T>
LossSum cross_entropy(StridedMatrix<T> logits, const int* targets, typename Same<T>::Type share);

/// share · Σ (y − target)², of `count` numbers; y becomes dy = 2 share (y − target).
template <class T>
double squared_error(T* y, ReadsVector<T> target, std::size_t count, typename Same<T>::Type share);

}  // namespace attnlab
