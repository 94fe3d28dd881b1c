// Entropy in nats along the last axis.
#include "experiments/framework/entropy.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace attnlab {

Tensor<double> entropy(const Tensor<double>& weights) {
  const std::size_t keys = weights.shape().back();
  const std::vector<std::size_t> rows(weights.shape().begin(), weights.shape().end() - 1);
  Tensor<double> result = Tensor<double>::from_shape(rows);
  for (std::size_t row = 0; row < result.size(); ++row) {
    double sum = 0.0;
    for (std::size_t key = 0; key < keys; ++key) {
      const double p = weights.data()[row * keys + key];
      if (p != 0.0) sum -= p * std::log(p);  // NaN stays NaN
    }
    result.data()[row] = sum;
  }
  return result;
}

}  // namespace attnlab
