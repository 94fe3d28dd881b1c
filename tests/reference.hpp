// Reads the stored reference values under data/reference/, and turns tensors into plain numbers to compare.
#pragma once

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/tensor.hpp"
#include "source_dir.hpp"

namespace attnlab {

/// For instance reference("attention/softmax.json"); throws when the file is missing or malformed.
inline nlohmann::json reference(const std::string& file) {
  std::ifstream stream(source_dir() / "data" / "reference" / file);
  return nlohmann::json::parse(stream);
}

/// The "data" of a stored array; the strings nan, inf and -inf stand for what JSON cannot write.
inline std::vector<double> reference_values(const nlohmann::json& array) {
  std::vector<double> values;
  for (const nlohmann::json& entry : array.at("data")) {
    values.push_back(entry.is_string() ? std::stod(entry.get<std::string>()) : entry.get<double>());
  }
  return values;
}

template <class T>
Tensor<T> reference_tensor(const nlohmann::json& array) {
  const auto shape = array.at("shape").get<std::vector<std::size_t>>();
  const std::vector<double> values = reference_values(array);
  Tensor<T> tensor = Tensor<T>::from_shape(shape);
  for (std::size_t i = 0; i < values.size(); ++i) tensor.flat(i) = static_cast<T>(values[i]);
  return tensor;
}

template <class T>
std::vector<double> values_of(const Tensor<T>& tensor) {
  return {tensor.begin(), tensor.end()};
}

}  // namespace attnlab
