// An array as results carry it: plain values with axis names, free of xtensor.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// The type in which an array was computed. Its values are kept as double, which holds a float exactly.
enum class DType { float32, float64 };

/// Row-major values; `axes` names one meaning per entry of `shape` ("queries", "keys", ...).
struct Array {
  std::vector<std::size_t> shape;
  std::vector<std::string> axes;
  std::vector<double> data;
  DType dtype = DType::float64;
};

}  // namespace attnlab
