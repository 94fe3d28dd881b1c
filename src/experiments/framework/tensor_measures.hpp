// Single numbers about tensors that several experiments and claims measure: sizes, sums, differences, order,
// rank.
#pragma once

#include "core/agreement.hpp"
#include "core/tensor.hpp"

namespace attnlab {

/// The larger of two errors; infinite where one is NaN, over which std::max would pass.
double worst(double a, double b);

/// The worst of error(0), error(1), ..., error(count - 1); 0 where none is above it.
template <class Error>
double worst_of(std::size_t count, Error error) {
  double most = 0.0;
  for (std::size_t i = 0; i < count; ++i) most = worst(most, error(i));
  return most;
}

/// The largest value; NaN hides what follows it.
double largest(const Tensor<double>& values);

/// The largest value of each row along the last axis: weights (..., keys) give (...).
Tensor<double> row_maximum(const Tensor<double>& weights);

/// Where it stands, row-major; the first place of several.
std::size_t largest_index(const Tensor<double>& values);

/// Its place in one row along the last axis, likewise.
std::size_t largest_in_row(const Tensor<double>& values, std::size_t row);

/// The places of all that lie within the tolerance of the largest.
std::vector<std::size_t> largest_of_all(const std::vector<double>& values, double tolerance);

/// The largest of the entries (i, j) of a matrix for which `counts` holds; 0 where none is above it.
template <class Counts>
double largest_where(const Tensor<double>& matrix, Counts counts) {
  return worst_of(matrix.size(), [&](std::size_t place) {
    const std::size_t columns = matrix.shape()[1];
    return counts(place / columns, place % columns) ? matrix.flat(place) : 0.0;
  });
}

double sum_of(const Tensor<double>& values);

/// Mean and variance (ddof 0) of each row along the last axis: (..., n) give (...).
Tensor<double> row_mean(const Tensor<double>& values);
Tensor<double> row_variance(const Tensor<double>& values);

/// How far the weights fall where the scores rise; 0 when both have one order.
double disorder(const Tensor<double>& scores, const Tensor<double>& weights);

/// max |a - b| of tensors of one shape; two NaN do not differ, a NaN and a number differ infinitely.
double largest_difference(const Tensor<double>& a, const Tensor<double>& b);

/// How far an output (rows, columns) leaves the range of the values (rows, columns) in any column: a weighted
/// mean cannot.
double overshoot(const Tensor<double>& output, const Tensor<double>& value);

/// max |sum along the last axis - 1|; infinite where a sum is NaN. weights (..., keys).
double row_sum_error(const Tensor<double>& weights);

/// With ddof 0, over all values.
double standard_deviation(const Tensor<double>& values);

/// How evenly a distribution is spread: -sum p log p in nats along the last axis, with 0 log 0 = 0; 0 when
/// one key takes everything, log(keys) when all share alike. weights (..., keys) gives (...).
Tensor<double> entropy(const Tensor<double>& weights);

/// How strongly the weights still react to the scores: the Frobenius norm of diag(p) − p pᵀ, the derivative
/// of softmax by its scores, for every row p along the last axis. weights (..., keys) gives (...). It is 0
/// when one key has all the weight.
Tensor<double> softmax_gradient_norm(const Tensor<double>& weights);

/// By Gaussian elimination with full pivoting; what is below 1e-10 of the first pivot counts as 0. (rows,
/// columns).
std::size_t rank_of(const Tensor<double>& matrix);

/// The pair of places whose numbers in a square matrix differ most from each other's.
struct OneSided {
  std::size_t first = 0;
  std::size_t second = 1;
  double difference = 0.0;  // |m(first, second) - m(second, first)|; infinite where one of them is NaN
};
OneSided most_one_sided(const Tensor<double>& square);

}  // namespace attnlab
