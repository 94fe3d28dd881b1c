// A tensor as its file describes it: how each number is stored, and that the numbers themselves have not been
// touched yet.
#pragma once

#include "core/text.hpp"
#include "io/file_bytes.hpp"

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
std::string name_of(ElementType type);

enum class Coding { npy, safetensors };

/// The type that a format calls "f4" (npy, without its byte order) or "F32" (safetensors).
std::optional<ElementType> type_coded(std::string_view code, Coding coding);

/// Writes the bytes.size() / size_of(type) numbers to `values`, T = float or double. A float16 and a bfloat16
/// keep their exact value; what is wider than T is rounded to it.
template <class T>
void decode(std::string_view bytes, Encoding encoding, T* values);

/// Whether a table's first line 0, 1, 2, ... is its first row, or numbers the columns, as pandas does that
/// have no names. Only numbers with decimals below it tell.
enum class FirstLine { row, may_number_columns, numbers_columns };

struct StoredTensor {
  std::string name;  // "" where the format has no names
  Encoding encoding;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  /// Where its bytes begin: in the file, or for an npz in the unpacked member. 0 for numbers written as text.
  std::size_t offset = 0;
  /// As many bytes as shape and type say. Throws Error (failed) when an archive cannot be unpacked.
  std::function<SharedBytes()> bytes;
  /// Of packed numbers: `size` of these bytes from `offset` on, without the others. Else nothing.
  std::function<SharedBytes(std::size_t offset, std::size_t size)> part = {};
  std::string_view packing = {};  // their coding: "Q4_K"
  std::size_t packed_bytes = 0;
  std::string file = {};  // of a safetensors file: which
  /// Of numbers written as text with a fixed number of digits: per value, half a unit of the last digit.
  std::vector<double> half_units;
  FirstLine first_line = FirstLine::row;
  /// Of what is no array of numbers, though others beside it are: its type, as in "words (<U5)". `bytes`
  /// throws the refusal.
  std::optional<Text> foreign = {};
  /// Where it is an array of words: them, in row-major order, whatever their characters. Else nothing.
  std::function<std::vector<std::string>()> words = {};
};

/// Little-endian numbers in row-major order that lie in these bytes as they are, `offset` bytes into the
/// file.
StoredTensor lying_tensor(std::string name, ElementType type, std::vector<std::size_t> shape,
                          SharedBytes bytes, std::size_t offset);

/// What stands beside tensors and is none. `refusal` is what is said to whom asks for it.
StoredTensor foreign_tensor(std::string name, std::vector<std::size_t> shape, const Text& type,
                            std::function<void()> refusal);

/// As its file has it: "float32", "Q4_K".
std::string type_of(const StoredTensor& tensor);

/// The number of values. No stored tensor has more than fit in std::size_t.
std::size_t size_of(const StoredTensor& tensor);

/// Numbers that a text spelt out, in row-major order. T = float or double.
template <class T>
StoredTensor spelt_out(std::string name, std::vector<std::size_t> shape, std::vector<T> values);

}  // namespace attnlab
