// What Python's pickle wrote down, as far as weights need it: numbers, texts, containers, tensors.
#pragma once

#include "io/stored_tensor.hpp"

namespace attnlab {

/// A tensor that a pickle describes; its numbers lie in a storage, a member of the archive.
struct PickledTensor {
  std::string_view storage;  // its key
  ElementType type = ElementType::float32;
  std::size_t first = 0;  // of the storage's numbers
  std::vector<std::size_t> shape;
  std::vector<std::size_t> strides;  // in numbers
};

struct PickleValue;
using PickleList = std::vector<PickleValue>;  // or a tuple
using PickleDictionary = std::vector<std::pair<PickleValue, PickleValue>>;

/// A class or function that a pickle names, or what it would make of one, of which only the name is known: it
/// is never called.
struct PickleName {
  std::string_view module;
  std::string_view name;
};

/// Where the numbers of tensors lie.
struct PickleStorage {
  ElementType type = ElementType::float32;
  std::string_view key;
};

struct PickleValue {
  std::variant<std::monostate, bool, std::int64_t, double, std::string_view, const PickleList*,
               const PickleDictionary*, const PickledTensor*, PickleStorage, PickleName>
      is;

  /// What it is, if it is that.
  template <class T>
  std::optional<T> as() const {
    const T* const found = std::get_if<T>(&is);
    return found == nullptr ? std::nullopt : std::optional<T>(*found);
  }
};

/// The value, and what keeps its parts.
struct Unpickled {
  PickleValue value;
  std::shared_ptr<const void> owner;
};

/// Bytes: each of them is up to 48 in memory.
constexpr std::size_t largest_pickle = std::size_t{1} << 22U;

/// Reads a pickle without running anything: protocols 2 to 5, dictionaries, lists, tuples, texts, numbers,
/// and of PyTorch its tensors and parameters; of objects of other classes their name. Throws Error (failed)
/// naming the byte and what stands there, for a call of another function than torch's, numpy's and the like,
/// and for more bytes than largest_pickle. Texts lie in `bytes`. Source: Python's
/// pickletools; torch/_utils.py, _rebuild_tensor_v2.
Unpickled unpickled(const SharedBytes& bytes, const std::string& file);

/// What stands under a key of a dictionary; None where there is none.
PickleValue value_under(const PickleValue& dictionary, std::string_view key);

}  // namespace attnlab
