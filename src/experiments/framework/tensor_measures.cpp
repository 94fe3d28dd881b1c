#include "experiments/framework/tensor_measures.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/agreement.hpp"

namespace attnlab {

double worst(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  return std::max(a, b);
}

double largest(const Tensor<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

std::size_t largest_index(const Tensor<double>& values) {
  return static_cast<std::size_t>(
      std::distance(values.begin(), std::max_element(values.begin(), values.end())));
}

double sum_of(const Tensor<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double disorder(const Tensor<double>& scores, const Tensor<double>& weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&scores](std::size_t a, std::size_t b) { return scores.flat(a) < scores.flat(b); });
  double most = 0.0;
  double highest = -std::numeric_limits<double>::infinity();
  for (const std::size_t place : order) {
    most = worst(most, highest - weights.flat(place));
    highest = std::max(highest, weights.flat(place));
  }
  return most;
}

double largest_magnitude(const Tensor<double>& values) {
  double largest = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

double largest_difference(const Tensor<double>& a, const Tensor<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, difference(a.flat(i), b.flat(i)));
  return largest;
}

double row_sum_error(const Tensor<double>& weights) {
  const std::size_t keys = weights.shape().back();
  double largest = 0.0;
  for (std::size_t start = 0; start < weights.size(); start += keys) {
    double sum = 0.0;
    for (std::size_t key = 0; key < keys; ++key) sum += weights.flat(start + key);
    largest = std::max(largest, difference(sum, 1.0));  // std::max alone would pass over a NaN
  }
  return largest;
}

double standard_deviation(const Tensor<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count);
}

std::size_t rank_of(const Tensor<double>& matrix) {
  Tensor<double> left = matrix;
  const std::size_t rows = left.shape()[0];
  const std::size_t columns = left.shape()[1];
  double first_pivot = 0.0;
  for (std::size_t step = 0; step < std::min(rows, columns); ++step) {
    std::size_t pivot_row = step;
    std::size_t pivot_column = step;
    for (std::size_t i = step; i < rows; ++i) {
      for (std::size_t j = step; j < columns; ++j) {
        if (std::abs(left(i, j)) <= std::abs(left(pivot_row, pivot_column))) continue;
        pivot_row = i;
        pivot_column = j;
      }
    }
    const double pivot = std::abs(left(pivot_row, pivot_column));
    if (step == 0) first_pivot = pivot;
    if (pivot <= 1e-10 * first_pivot) return step;
    for (std::size_t j = 0; j < columns; ++j) std::swap(left(step, j), left(pivot_row, j));
    for (std::size_t i = 0; i < rows; ++i) std::swap(left(i, step), left(i, pivot_column));
    for (std::size_t i = step + 1; i < rows; ++i) {
      const double factor = left(i, step) / left(step, step);
      for (std::size_t j = step; j < columns; ++j) left(i, j) -= factor * left(step, j);
    }
  }
  return std::min(rows, columns);
}

OneSided most_one_sided(const Tensor<double>& square) {
  OneSided most;
  for (std::size_t i = 0; i < square.shape()[0]; ++i) {
    for (std::size_t j = i + 1; j < square.shape()[1]; ++j) {
      const double apart = difference(square(i, j), square(j, i));
      if (apart > most.difference) most = {i, j, apart};
    }
  }
  return most;
}

}  // namespace attnlab
