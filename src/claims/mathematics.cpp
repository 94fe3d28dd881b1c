#include "claims/mathematics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/matmul.hpp"
#include "attention/positional.hpp"
#include "attention/softmax.hpp"

namespace attnlab {

Mathematics own_mathematics() {
  return {softmax<double>, softmax_global_maximum<double>, layer_norm<double>, sinusoidal_encoding};
}

namespace measure {

Tensor<double> weights_of(const Mathematics& mathematics, const Tensor<double>& query,
                          const Tensor<double>& key, double scale) {
  const Tensor<double> scores = matmul(query, transpose(key)) * scale;
  return mathematics.softmax(scores);
}

double largest_difference(const Tensor<double>& a, const Tensor<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a.flat(i)) && std::isnan(b.flat(i))) continue;
    const double difference = std::abs(a.flat(i) - b.flat(i));
    if (std::isnan(difference)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, difference);
  }
  return largest;
}

double asymmetry(const Tensor<double>& matrix) {
  return largest_difference(matrix, transpose(matrix));
}

Tensor<double> with_rows(const Tensor<double>& matrix, const std::vector<std::size_t>& order) {
  Tensor<double> result = Tensor<double>::from_shape({order.size(), matrix.shape()[1]});
  for (std::size_t row = 0; row < order.size(); ++row) {
    for (std::size_t i = 0; i < matrix.shape()[1]; ++i) result(row, i) = matrix(order[row], i);
  }
  return result;
}

Tensor<double> row_sums(const Tensor<double>& matrix) {
  Tensor<double> sums = Tensor<double>::from_shape({matrix.shape()[0]});
  for (std::size_t row = 0; row < matrix.shape()[0]; ++row) {
    sums(row) = 0.0;
    for (std::size_t i = 0; i < matrix.shape()[1]; ++i) sums(row) += matrix(row, i);
  }
  return sums;
}

double gradient_norm(const Tensor<double>& probabilities) {
  double squares = 0.0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    for (std::size_t j = 0; j < probabilities.size(); ++j) {
      const double p = probabilities.flat(i);
      const double entry = (i == j ? p : 0.0) - p * probabilities.flat(j);
      squares += entry * entry;
    }
  }
  return std::sqrt(squares);
}

double deviation(const Tensor<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace measure

}  // namespace attnlab
