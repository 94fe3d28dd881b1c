#include "experiments/framework/tensor_measures.hpp"

#include <xtensor/xmath.hpp>

#include "core/number_order.hpp"

namespace attnlab {
namespace {

/// measure(row, keys) of every row along the last axis: weights (..., keys) give (...).
template <class Measure>
Tensor<double> of_rows(const Tensor<double>& weights, Measure measure) {
  const std::size_t keys = weights.shape().back();
  const std::vector<std::size_t> rows(weights.shape().begin(), weights.shape().end() - 1);
  Tensor<double> measured = Tensor<double>::from_shape(rows);
  for (std::size_t row = 0; row < measured.size(); ++row) {
    measured.data()[row] = measure(weights.data() + row * keys, keys);
  }
  return measured;
}

}  // namespace

double worst(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return infinity;
  return std::max(a, b);
}

double largest(const Tensor<double>& values) { return *std::max_element(values.begin(), values.end()); }

Tensor<double> row_maximum(const Tensor<double>& weights) {
  return xt::amax(weights, {weights.dimension() - 1});
}

std::size_t largest_index(const Tensor<double>& values) {
  return static_cast<std::size_t>(
      std::distance(values.begin(), std::max_element(values.begin(), values.end())));
}

std::size_t largest_in_row(const Tensor<double>& values, std::size_t row) {
  const std::size_t columns = values.shape().back();
  const double* first = values.data() + row * columns;
  return static_cast<std::size_t>(std::max_element(first, first + columns) - first);
}

std::vector<std::size_t> largest_of_all(const std::vector<double>& values, double tolerance) {
  const double most = *std::max_element(values.begin(), values.end());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] >= most - tolerance) places.push_back(i);
  return places;
}

Tensor<double> row_mean(const Tensor<double>& values) {
  return of_rows(values, [](const double* row, std::size_t count) {
    return std::accumulate(row, row + count, 0.0) / static_cast<double>(count);
  });
}

Tensor<double> row_variance(const Tensor<double>& values) {
  return of_rows(values, [](const double* row, std::size_t count) {
    const auto n = static_cast<double>(count);
    const double mean = std::accumulate(row, row + count, 0.0) / n;
    return std::accumulate(row, row + count, 0.0,
                           [mean](double sum, double x) { return sum + (x - mean) * (x - mean); }) /
           n;
  });
}

double sum_of(const Tensor<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double disorder(const Tensor<double>& scores, const Tensor<double>& weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return smaller_first(scores.flat(a), scores.flat(b)); });
  double most = 0.0;
  double highest = -infinity;
  for (const std::size_t place : order) {
    most = worst(most, highest - weights.flat(place));
    highest = std::max(highest, weights.flat(place));
  }
  return most;
}

double largest_difference(const Tensor<double>& a, const Tensor<double>& b) {
  return worst_of(a.size(), [&](std::size_t i) { return difference(a.flat(i), b.flat(i)); });
}

double overshoot(const Tensor<double>& output, const Tensor<double>& value) {
  const Tensor<double> low = xt::amin(value, {0});
  const Tensor<double> high = xt::amax(value, {0});
  return worst_of(output.size(), [&](std::size_t i) {
    const std::size_t column = i % low.size();
    return std::max(low.flat(column) - output.flat(i), output.flat(i) - high.flat(column));
  });
}

double row_sum_error(const Tensor<double>& weights) {
  const std::size_t keys = weights.shape().back();
  return worst_of(weights.size() / keys, [&](std::size_t row) {
    const double* first = weights.data() + row * keys;
    return difference(std::accumulate(first, first + keys, 0.0), 1.0);
  });
}

double standard_deviation(const Tensor<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = sum_of(values) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count);
}

Tensor<double> entropy(const Tensor<double>& weights) {
  return of_rows(weights, [](const double* p, std::size_t keys) {
    double sum = 0.0;
    for (std::size_t key = 0; key < keys; ++key) {
      if (p[key] != 0.0) sum -= p[key] * std::log(p[key]);  // NaN stays NaN
    }
    return sum;
  });
}

Tensor<double> softmax_gradient_norm(const Tensor<double>& weights) {
  return of_rows(weights, [](const double* p, std::size_t keys) {
    double squares = 0.0;
    for (std::size_t i = 0; i < keys; ++i) {
      const double diagonal = p[i] * (1.0 - p[i]);  // p_i − p_i p_i
      squares += diagonal * diagonal;
      for (std::size_t j = 0; j < i; ++j) {
        const double off = p[i] * p[j];
        squares += 2.0 * off * off;  // above and below the diagonal
      }
    }
    return std::sqrt(squares);
  });
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
      const double gap = difference(square(i, j), square(j, i));
      if (gap > most.difference) most = {i, j, gap};
    }
  }
  return most;
}

}  // namespace attnlab
