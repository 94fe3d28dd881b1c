// How a file stores one number, and the number that its bytes stand for.
#pragma once

#include <cstddef>
#include <string_view>

namespace attnlab {

enum class ElementType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64
};

struct Encoding {
  ElementType type = ElementType::float64;
  bool big_endian = false;
};

/// In bytes.
std::size_t size_of(ElementType type);

/// As NumPy and PyTorch call it: "float32", "bool".
std::string_view name_of(ElementType type);

/// Writes the bytes.size() / size_of(type) numbers to `values`, T = float or double. A float16 and a bfloat16
/// keep their exact value; what is wider than T is rounded to it.
template <class T>
void decode(std::string_view bytes, Encoding encoding, T* values);

}  // namespace attnlab
