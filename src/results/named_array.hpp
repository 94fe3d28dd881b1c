// An array that came from outside, with what its file tells about its precision.
#pragma once

#include <string>
#include <vector>

#include "results/report/array.hpp"

namespace attnlab {

struct NamedArray {
  /// How the numbers were stored. `text` is decimal digits, as in a csv.
  enum class Storage { integers, float16, float32, float64, text };

  std::string name;
  Array array;
  Storage storage = Storage::float64;
  /// Storage::text: per value, half a unit of the last digit that was written.
  std::vector<double> half_units;
};

}  // namespace attnlab
