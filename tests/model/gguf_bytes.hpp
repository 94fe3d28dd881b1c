// A GGUF file of these values and tensors, by ggml's docs/gguf.md.
#pragma once

#include "io/formats.hpp"
#include "io/tensor_file.hpp"

namespace attnlab::test {

class GgufWriter {
 public:
  void put_text(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void put_value(const nlohmann::json& value) {
    if (value.is_array()) {
      put(std::uint32_t{9});
      put(type_of(value.front()));
      put(std::uint64_t{value.size()});
      for (const auto& one : value) put_bare(one);
    } else {
      put(type_of(value));
      put_bare(value);
    }
  }
  template <class Number>
  void put(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);  // NOLINT
  }
  void align() { bytes_.resize((bytes_.size() + 31) / 32 * 32, '\0'); }
  void append(const std::string& bytes) { bytes_ += bytes; }
  const std::string& bytes() const { return bytes_; }

 private:
  /// Whole numbers are signed, as some writers have them.
  static std::uint32_t type_of(const nlohmann::json& value) {
    return value.is_string() ? 8 : value.is_boolean() ? 7 : value.is_number_float() ? 6 : 5;
  }
  void put_bare(const nlohmann::json& value) {
    if (value.is_string()) return put_text(value.get<std::string>());
    if (value.is_boolean()) return put(static_cast<std::uint8_t>(value.get<bool>()));
    if (value.is_number_float()) return put(value.get<float>());
    put(value.get<std::int32_t>());
  }

  std::string bytes_ = "GGUF";
};

inline std::string gguf_bytes(const nlohmann::json& values, const std::vector<StoredTensor>& tensors) {
  GgufWriter file;
  file.put(std::uint32_t{3});
  file.put(std::uint64_t{tensors.size()});
  file.put(std::uint64_t{values.size()});
  for (const auto& [key, value] : values.items()) {
    file.put_text(key);
    file.put_value(value);
  }
  GgufWriter data;  // behind 32 bytes that are left out
  for (const StoredTensor& tensor : tensors) {
    data.align();
    file.put_text(tensor.name);
    file.put(static_cast<std::uint32_t>(tensor.shape.size()));
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) file.put(std::uint64_t{tensor.shape[axis]});
    file.put(std::uint32_t{0});
    file.put(std::uint64_t{data.bytes().size() - 32});
    for (const float number : load<float>(tensor)) data.put(number);
  }
  file.align();
  file.append(data.bytes().size() < 32 ? "" : data.bytes().substr(32));
  return file.bytes();
}

}  // namespace attnlab::test
