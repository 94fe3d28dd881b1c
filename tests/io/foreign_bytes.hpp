// Files as others write them, made in memory, and what the readers say of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/tensor_file.hpp"

namespace attnlab::test {

inline TensorFile foreign(TensorFormat format, const std::string& bytes) {
  return tensors_in(shared(bytes), format, "w");
}

/// What the error says, or "" when there is none.
template <class Read>
std::string complaint_of(Read read, Language language = Language::en) {
  try {
    read();
  } catch (const Error& error) {
    return error.message(language);
  }
  return "";
}

/// When the tensors are listed and all loaded.
inline std::string complaint_about(TensorFormat format, const std::string& bytes,
                                   Language language = Language::en) {
  return complaint_of([&] { named_arrays(foreign(format, bytes)); }, language);
}

/// A safetensors file: the length of the header, little-endian, the header, the data.
inline std::string safetensors(const std::string& header, const std::string& data) {
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) {
    bytes += static_cast<char>(std::uint64_t{header.size()} >> (8U * i) & 0xFFU);
  }
  return bytes + header + data;
}

}  // namespace attnlab::test
