// Reads the arrays of data/reference: {"shape": [...], "data": [...]}.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/tensor.hpp"

namespace attnlab {

/// Keys stay in the order in which the file has them: the order of drawing, and of the stages.
using StoredJson = nlohmann::ordered_json;

/// A number, or one of the strings nan, inf and -inf, which stand for what JSON cannot write.
double stored_number(const StoredJson& json);

struct StoredArray {
  std::vector<std::size_t> shape;
  std::vector<double> data;
};
StoredArray stored_array(const StoredJson& json);

/// How many terms the sums of a computation add up on the longest way through its stages, at most: each stage
/// is summed over the last axis of an earlier one.
std::size_t summed_terms(const StoredJson& stages);

template <class T>
Tensor<T> stored_tensor(const StoredJson& json) {
  const StoredArray array = stored_array(json);
  Tensor<T> tensor = Tensor<T>::from_shape(array.shape);
  for (std::size_t i = 0; i < array.data.size(); ++i) tensor.flat(i) = static_cast<T>(array.data[i]);
  return tensor;
}

template <class T>
std::vector<double> numbers_of(const Tensor<T>& tensor) {
  return {tensor.begin(), tensor.end()};
}

}  // namespace attnlab
