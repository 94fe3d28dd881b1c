// One reader per format: what tensors the bytes hold. The bytes are never trusted. What is no array of
// numbers among others (words, complex numbers, floats of 8 bits) is listed as foreign.
#pragma once

#include <nlohmann/json.hpp>

#include "io/stored_tensor.hpp"

namespace attnlab {

struct ListedFile {
  std::vector<StoredTensor> tensors = {};
  nlohmann::json values = {};  // what the file says beside them; null of a format that says nothing
};

/// All throw Error (failed) that names the file, the place, what was found there and what is needed.

/// NumPy's format 1.0 to 3.0 (numpy/lib/format.py): float16, float32, float64, integers and bool of either
/// byte order, C or Fortran order. Python objects (they would run code), records, complex numbers and words
/// are foreign. Refuses bytes that are missing or left over. The tensor has no name.
ListedFile list_npy(const SharedBytes& bytes, const std::string& file);

/// The same of an npy of `size` bytes of which only the first are at hand, all when they are fewer than
/// `longest_npy_start`; `bytes` gives all of them.
constexpr std::size_t longest_npy_start = 12 + 10000;
bool is_npy_start(std::string_view start);
StoredTensor npy_tensor(std::string_view start, std::size_t size, const std::string& file,
                        const std::function<SharedBytes()>& bytes);

/// One tensor per member, in the archive's order, named without ".npy"; what is no npy is foreign. Refuses
/// names that occur twice, encryption and damage, and members that together would unpack to far more than the
/// file.
ListedFile list_npz(const SharedBytes& bytes, const std::string& file);

/// Either a table of numbers, one row per line, split at commas, semicolons, tabs or spaces (numpy.savetxt,
/// pandas with or without its index; lines that begin with # and empty lines are skipped), which gives one
/// unnamed tensor of two dimensions; or the long form of arrays_csv (array,indices,value), in which an array
/// of words is foreign.
ListedFile list_csv(const SharedBytes& bytes, const std::string& file);

/// Nested lists, [[1, 2], [3, 4]], which give one unnamed tensor; or an object of named arrays, each as
/// nested lists or as {"shape", "dtype", "data"}, either alone or under the key "arrays" (attnlab --json and
/// --data); whatever else it holds is foreign.
ListedFile list_json(const SharedBytes& bytes, const std::string& file);

/// Hugging Face's safetensors: a length of 8 bytes, a JSON header, the data. Sorted by their place. Other
/// types (F8_E4M3, F4, C64) are foreign; the values are the words of its __metadata__. Refuses data that
/// overlap, leave gaps, or do not fit their shape and type.
ListedFile list_safetensors(const SharedBytes& bytes, const std::string& file);

/// What torch.save wrote: a tensor, a dictionary of tensors, that under "model", or dictionaries of them.
/// What stands beside tensors is foreign; the values are those that nanoGPT and llama2.c save as
/// "model_args", null without. Nothing in the file is run.
ListedFile list_pytorch(const SharedBytes& bytes, const std::string& file);

/// llama.cpp's format, version 2 and 3: float32, float16, bfloat16, float64, integers, and packed Q8_0, Q4_0,
/// Q5_0, Q4_K, Q5_K, Q6_K; what is packed in another way is foreign. Source: ggml's docs/gguf.md.
ListedFile list_gguf(const SharedBytes& bytes, const std::string& file);

/// llama2.c's first format: seven int32, then float32 (github.com/karpathy/llama2.c, export.py,
/// legacy_export). Tensors and values get Llama's names of Hugging Face.
ListedFile list_llama2c(const SharedBytes& bytes, const std::string& file);

/// A text between quotation marks, as Python and JSON write it.
std::string python_literal(const std::string& text);

// --- JSON that someone else wrote, checked before a tree is built of it (strict_json.cpp)

/// How much of it is accepted.
struct JsonLimits {
  std::size_t values;   // numbers, words, lists and objects together
  std::size_t members;  // of one object
};

/// Throws Error (failed) that names the byte for what is no JSON, lists and objects nested too deep, a key
/// that occurs twice in an object, and more than the limits. `offset` is where the text begins in `file`.
void check_json_text(std::string_view text, const JsonLimits& limits, std::size_t offset,
                     const std::string& file);

}  // namespace attnlab
