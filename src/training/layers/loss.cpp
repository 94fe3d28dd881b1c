#include "training/layers/loss.hpp"

#include <algorithm>
#include <cmath>

#include "training/layers/attention.hpp"

namespace attnlab {

template <class T>
LossSum cross_entropy(StridedMatrix<T> logits, const int* targets, typename Same<T>::Type share) {
  LossSum sum;
  for (std::size_t i = 0; i < logits.rows; ++i) {
    T* row = logits.row(i);
    if (targets[i] == no_target) {
      std::fill_n(row, logits.columns, T(0));
      continue;
    }
    const auto target = static_cast<std::size_t>(targets[i]);
    const T* top = std::max_element(row, row + logits.columns);
    sum.correct += static_cast<std::size_t>(top - row) == target ? 1U : 0U;
    const auto behind = static_cast<double>(*top - row[target]);
    softmax_row(row, logits.columns);
    sum.loss += behind - std::log(static_cast<double>(*top));  // finite where the target's p has become 0
    ++sum.counted;
    for (std::size_t k = 0; k < logits.columns; ++k) row[k] *= share;
    row[target] -= share;
  }
  return sum;
}

template <class T>
double squared_error(T* y, ReadsVector<T> target, std::size_t count, typename Same<T>::Type share) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const T error = y[i] - target[i];
    sum += static_cast<double>(error) * static_cast<double>(error);
    y[i] = 2 * share * error;
  }
  return static_cast<double>(share) * sum;
}

template LossSum cross_entropy(StridedMatrix<float>, const int*, float);
template LossSum cross_entropy(StridedMatrix<double>, const int*, double);
template double squared_error(float*, const float*, std::size_t, float);
template double squared_error(double*, const double*, std::size_t, double);

}  // namespace attnlab
