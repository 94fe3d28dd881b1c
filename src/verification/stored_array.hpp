// Reads the arrays of data/reference, {"shape": [...], "data": [...]}, and compares tensors with them.
#pragma once

#include "core/json.hpp"
#include "core/tensor.hpp"
#include "results/report/array.hpp"
#include "verification/check.hpp"

namespace attnlab {

/// A number, or one of the strings nan, inf and -inf, which stand for what JSON cannot write.
double stored_number(const Json& json);

Array stored_array(const Json& json);

/// A word of an enumeration, by its words in order; any other is a mistake in the file.
template <class Choice>
Choice chosen(const std::string& word, const std::vector<std::string>& words) {
  const auto place = std::find(words.begin(), words.end(), word);
  if (place == words.end()) throw std::runtime_error("unknown word \"" + word + "\"");
  return static_cast<Choice>(place - words.begin());
}

/// How many terms the sums of a computation add up on the longest way through its stages, at most: each stage
/// is summed over the last axis of an earlier one.
std::size_t summed_terms(const Json& stages);

template <class T>
Tensor<T> stored_tensor(const Json& json) {
  const Array array = stored_array(json);
  Tensor<T> tensor = Tensor<T>::from_shape(array.shape);
  for (std::size_t i = 0; i < array.data.size(); ++i) tensor.flat(i) = static_cast<T>(array.data[i]);
  return tensor;
}

template <class T>
std::vector<double> numbers_of(const Tensor<T>& tensor) {
  return {tensor.begin(), tensor.end()};
}

/// How far an array is from the stored one; infinitely where the shapes differ.
Deviation deviation_from(const Json& stored, const std::vector<std::size_t>& shape,
                         const std::vector<double>& got, double tolerance);

/// The tolerance of stages that follow from one another: it grows with the terms of their sums and with the
/// largest score.
template <class T>
double tolerance_of_chain(const Json& stages, double largest_score) {
  return std::max(tolerance_for<T>(largest_score), rounding_of<T>(summed_terms(stages), largest_score));
}

template <class T>
using NamedTensors = std::map<std::string, Tensor<T>>;

/// A check per stored stage of `layer`: the subject is "softmax float32", `detail` the case. Throws
/// std::out_of_range for a stored stage that was not computed.
template <class T>
Checks compared(Section section, const std::string& layer, const std::string& detail, const Json& stored,
                const NamedTensors<T>& got, double tolerance);

}  // namespace attnlab
