// Files for `attnlab attend`, written as other programs write them.
#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "io/foreign_bytes.hpp"
#include "io/report_files.hpp"
#include "program.hpp"

namespace attnlab::test {

template <class T>
using Named = std::vector<std::pair<std::string, Tensor<T>>>;

template <class T>
Array plain_array(const Tensor<T>& tensor) {
  return to_array(tensor, std::vector<std::string>(tensor.dimension(), "axis"));
}

template <class T>
std::string npy(const Tensor<T>& tensor) {
  return array_npy(plain_array(tensor));
}

template <class T>
std::string npz(const Named<T>& tensors) {
  Report report;
  for (const auto& [name, tensor] : tensors) report.stages.push_back({name, {}, plain_array(tensor)});
  return arrays_npz(report);
}

/// Nested lists, as json.dump(tensor.tolist()) writes them.
template <class T>
nlohmann::json lists(const Tensor<T>& tensor, std::size_t axis = 0, std::size_t begin = 0) {
  if (axis == tensor.dimension()) return static_cast<double>(tensor.flat(begin));
  std::size_t below = 1;
  for (std::size_t i = axis + 1; i < tensor.dimension(); ++i) below *= tensor.shape()[i];
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t i = 0; i < tensor.shape()[axis]; ++i)
    list.push_back(lists(tensor, axis + 1, begin + i * below));
  return list;
}

/// One row of a matrix per line.
template <class T>
std::string csv(const Tensor<T>& matrix) {
  std::string text;
  for (const nlohmann::json& row : lists(matrix)) {
    const std::string cells = row.dump();
    text += cells.substr(1, cells.size() - 2) + "\n";
  }
  return text;
}

template <class T>
std::string safetensors_of(const Named<T>& tensors) {
  nlohmann::ordered_json header;
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t begin = data.size();
    data.resize(begin + tensor.size() * sizeof(T));
    std::memcpy(data.data() + begin, tensor.data(), tensor.size() * sizeof(T));
    header[name] = {{"dtype", sizeof(T) == 4 ? "F32" : "F64"},
                    {"shape", std::vector<std::size_t>(tensor.shape().begin(), tensor.shape().end())},
                    {"data_offsets", {begin, data.size()}}};
  }
  return safetensors(header.dump(), data);
}

/// A file of one of the five formats, by turns; the words that name the tensor in it.
template <class T>
std::string write_some_format(const Workplace& place, const std::string& name, const Tensor<T>& tensor,
                              std::size_t turn) {
  const Tensor<T> other = Tensor<T>::from_shape({1});  // so that the tensor must be found by its name
  switch (turn % 5) {
    case 1:
      place.write(name + ".npz", npz<T>({{"other", other}, {name, tensor}}));
      return name + ".npz:" + name;
    case 2: place.write(name + ".json", lists(tensor).dump()); return name + ".json";
    case 3:
      place.write(name + ".safetensors", safetensors_of<T>({{"other", other}, {"layer.0." + name, tensor}}));
      return name + ".safetensors:layer.0." + name;
    case 4:
      if (tensor.dimension() == 2) {
        place.write(name + ".csv", csv(tensor));
        return name + ".csv";
      }
      break;
    default: break;
  }
  place.write(name + ".npy", npy(tensor));
  return name + ".npy";
}

}  // namespace attnlab::test
