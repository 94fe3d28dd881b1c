// What is hidden never reaches an output. A product with the weights would bring it there, as 0 x NaN is NaN:
// so values that are NaN or infinite stay out of the product, and are added where their keys are read.
#pragma once

#include <cmath>

#include "core/tensor.hpp"

namespace attnlab {

template <class T>
bool all_finite(const Tensor<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); });
}

/// With 0 in the place of NaN and infinities.
template <class T>
Tensor<T> finite_part(Tensor<T> values) {
  for (T& value : values) value = std::isfinite(value) ? value : T(0);
  return values;
}

/// The rows of a matrix (rows, columns) that are not finite.
template <class T>
std::vector<std::size_t> odd_rows(const T* matrix, std::size_t rows, std::size_t columns) {
  std::vector<std::size_t> odd;
  for (std::size_t row = 0; row < rows; ++row) {
    const T* values = matrix + row * columns;
    if (!std::all_of(values, values + columns, [](T value) { return std::isfinite(value); }))
      odd.push_back(row);
  }
  return odd;
}

/// Adds what is not finite among the values (keys, width) of these keys to one query's output (width).
/// `weight_on(key)` is nothing for a key that is hidden.
template <class T, class WeightOn>
void add_odd_values(const std::vector<std::size_t>& keys, const T* values, std::size_t width,
                    const WeightOn& weight_on, T* output) {
  for (const std::size_t key : keys) {
    const std::optional<T> weight = weight_on(key);
    if (!weight) continue;
    for (std::size_t i = 0; i < width; ++i) {
      const T value = values[key * width + i];
      if (!std::isfinite(value)) output[i] += *weight * value;
    }
    if (std::all_of(output, output + width, [](T sum) { return std::isnan(sum); })) return;
  }
}

/// A V: weights (..., queries, keys) and value (..., keys, d_v), whose batch dimensions broadcast. A key is
/// hidden where its masked score is -inf and its weight 0.
template <class T>
Tensor<T> visible_product(const Tensor<T>& weights, const Tensor<T>& masked_scores, const Tensor<T>& value);

/// S + M, where a mask of -inf hides a score whatever it is.
template <class T>
Tensor<T> hide_scores(Tensor<T> masked_scores, const Tensor<T>& mask);

}  // namespace attnlab
