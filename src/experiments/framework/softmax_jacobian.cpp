#include "experiments/framework/softmax_jacobian.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace attnlab {

Tensor<double> softmax_gradient_norm(const Tensor<double>& weights) {
  const std::size_t keys = weights.shape().back();
  const std::vector<std::size_t> rows(weights.shape().begin(), weights.shape().end() - 1);
  Tensor<double> norm = Tensor<double>::from_shape(rows);
  for (std::size_t row = 0; row < norm.size(); ++row) {
    const double* p = weights.data() + row * keys;
    double squares = 0.0;
    for (std::size_t i = 0; i < keys; ++i) {
      const double diagonal = p[i] * (1.0 - p[i]);  // p_i − p_i p_i
      squares += diagonal * diagonal;
      for (std::size_t j = 0; j < i; ++j) {
        const double off = p[i] * p[j];
        squares += 2.0 * off * off;  // above and below the diagonal
      }
    }
    norm.data()[row] = std::sqrt(squares);
  }
  return norm;
}

}  // namespace attnlab
