// A tensor as its file describes it: the numbers themselves have not been touched yet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/element_type.hpp"
#include "io/shared_bytes.hpp"

namespace attnlab {

struct StoredTensor {
  std::string name;  // "" where the format has no names
  Encoding encoding;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  /// Where its bytes begin: in the file, or for an npz in the unpacked member. 0 for numbers written as text.
  std::size_t offset = 0;
  /// As many bytes as shape and type say. Throws Error (failed) when an archive cannot be unpacked.
  std::function<SharedBytes()> bytes;
  /// Of numbers written as text with a fixed number of digits: per value, half a unit of the last digit.
  std::vector<double> half_units;
};

/// The number of values. No stored tensor has more than fit in std::size_t.
std::size_t size_of(const StoredTensor& tensor);

/// Numbers that a text spelt out, in row-major order. T = float or double.
template <class T>
StoredTensor spelt_out(std::string name, std::vector<std::size_t> shape, std::vector<T> values);

}  // namespace attnlab
