// Files as torch.save writes them, by hand: a zip archive with a pickle (Python's pickletools) and storages.
#pragma once

#include "core/standard.hpp"
#include "io/zip_archive.hpp"

namespace attnlab::test {

/// A text, at most 255 bytes.
inline std::string pickled(const std::string& text) {
  return "\x8c" + std::string(1, static_cast<char>(text.size())) + text;
}

/// A tensor of 6 numbers of storage 0, 3 x 2: by rows, or transposed.
inline std::string pickled_tensor(const std::string& storage = "FloatStorage", bool transposed = false) {
  const std::string strides = transposed ? "K\1K\3\x86" : "K\2K\1\x86";
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") + "ctorch\n" + storage + "\n" +
         pickled("0") + pickled("cpu") + "K\6tQ" + std::string("K\0", 2) + "K\3K\2\x86" + strides +
         "\x89"
         "ccollections\nOrderedDict\n)RtR";
}

/// A dictionary of what was pickled.
inline std::string pickled_dictionary(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string bytes = "}(";
  for (const auto& [name, value] : items) bytes += pickled(name) + value;
  return bytes + "u";
}

/// An object of a class, with a state.
inline std::string pickled_object(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n)\x81}" + pickled("depth") + "K\3s" + "b";
}

/// torch.save of it; storage 0 holds 0, 1, ..., 5.
inline std::string torch_bytes(const std::string& value) {
  const std::array<float, 6> numbers{0, 1, 2, 3, 4, 5};
  const std::string storage(reinterpret_cast<const char*>(numbers.data()), sizeof numbers);  // NOLINT
  return zip_archive({{"m/data.pkl", "\x80\2" + value + "."}, {"m/data/0", storage}});
}

}  // namespace attnlab::test
