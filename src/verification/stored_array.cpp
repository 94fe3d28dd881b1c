#include "verification/stored_array.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace attnlab {

double stored_number(const StoredJson& json) {
  if (!json.is_string()) return json.get<double>();
  const auto word = json.get<std::string>();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("\"" + word + "\" is no number");
}

StoredArray stored_array(const StoredJson& json) {
  StoredArray array;
  array.shape = json.at("shape").get<std::vector<std::size_t>>();
  std::size_t size = 1;
  for (const std::size_t length : array.shape) size *= length;
  for (const StoredJson& entry : json.at("data")) array.data.push_back(stored_number(entry));
  if (array.data.size() != size) throw std::runtime_error("an array's shape and data do not fit");
  return array;
}

std::size_t summed_terms(const StoredJson& stages) {
  std::size_t terms = 0;
  for (const StoredJson& stage : stages) {
    if (!stage.is_object()) continue;
    const auto shape = stage.at("shape").get<std::vector<std::size_t>>();
    if (!shape.empty()) terms += shape.back();
  }
  return terms;
}

}  // namespace attnlab
