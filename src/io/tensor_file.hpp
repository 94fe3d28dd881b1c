// Tensors that someone else wrote: which ones a file holds, and the numbers of one.
#pragma once

#include "core/tensor.hpp"
#include "core/text.hpp"
#include "io/stored_tensor.hpp"
#include "results/check/comparison.hpp"

namespace attnlab {

enum class TensorFormat { npy, npz, csv, json, safetensors, pytorch, gguf, llama2c };

struct TensorFile {
  std::string name;
  TensorFormat format = TensorFormat::npy;
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::string> metadata = {};  // of safetensors: what its header says beside them
  std::vector<StoredTensor> foreign = {};            // what stands beside them and is no array of numbers
};

/// "_orig_mod.module.": what torch.compile, DistributedDataParallel and averages of weights put before all
/// names; "" where nothing stands before all of them.
std::string wrapper_of(const std::vector<StoredTensor>& tensors);

/// The names without the prefix, where they have it.
void leave_out(const std::string& prefix, std::vector<StoredTensor>& tensors);

/// "'a', 'b'", the first six of many, for messages.
Text first_names(const std::vector<std::string>& names);

/// "npy", "safetensors".
std::string name_of(TensorFormat format);

/// The extensions that a message names.
constexpr std::string_view readable_extensions = "npy, npz, csv, txt, json, safetensors, pt, pth, bin, gguf";

/// By the path's extension; nothing for another one. A .bin counts as PyTorch's.
std::optional<TensorFormat> format_of_name(const std::string& path);

/// `words` is FILE or FILE:TENSOR, which leaves that tensor alone; the file - is standard input. The
/// extension gives the format; of standard input and of a pipe without one the first bytes do. A file is
/// mapped, not read: no number is touched, whatever its size (csv and json are read whole). Throws Error
/// (failed) that names the file, the place, what was found there and what is needed; Error (usage) for
/// another extension. A file must not be cut short by others while its tensors are in use.
TensorFile open_tensors(const std::string& words);

/// The same where all that is in it may be foreign.
TensorFile open_anything(const std::string& words);

/// The same of bytes at hand; `name` is for the messages. There is at least one tensor, and names are
/// printable: what would steer a terminal stands in them as \x1b.
TensorFile tensors_in(const SharedBytes& bytes, TensorFormat format, const std::string& name);

/// All that it holds, what is foreign behind the tensors: for whom takes them by name.
std::vector<StoredTensor> everything_in(TensorFile file);

/// Throws the refusal of what stands under that name, where it is foreign.
void refuse_foreign(const TensorFile& file, const std::string& name);

/// What a first line 0, 1, 2, ... of a table leaves open, and how it was read; nothing for other tensors.
std::optional<Text> doubt_of(const StoredTensor& tensor, const std::string& file);

/// The one of that name, or the only tensor of the file. Throws Error (usage) with how to choose one, behind
/// "--x " or "--input x=", and (failed) where what has that name is foreign, or
/// its first line numbers the columns.
StoredTensor only_tensor(const TensorFile& file, const std::string& name, const std::string& flag);

/// The file that these words name: FILE of FILE:TENSOR.
std::string file_of(const std::string& words);

/// All values in row-major order, T = float or double.
template <class T>
Tensor<T> load(const StoredTensor& tensor);

template <class Values>
bool only_zero_and_one(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0 || value == 1.0; });
}

/// Where numbers that are added to scores are nothing but 0 and one other, above 0 or -1, that one: they were
/// most likely meant as truth values, since what hides is far below 0.
template <class Values>
std::optional<double> likely_truth(const Values& values) {
  const auto other = std::find_if(values.begin(), values.end(), [](double value) { return value != 0.0; });
  if (other == values.end()) return std::nullopt;
  const double truth = *other;
  const bool is_meant = truth > 0.0 || truth == -1.0;
  const bool is_one =
      std::all_of(other, values.end(), [truth](double value) { return value == 0.0 || value == truth; });
  return is_meant && is_one ? std::optional<double>(truth) : std::nullopt;
}

/// Whether a mask's values are truth values: booleans, or integers or written numbers that are nothing but 0
/// and 1.
template <class Values>
bool holds_truth(TensorFormat format, const StoredTensor& stored, const Values& values) {
  const ElementType type = stored.encoding.type;
  const bool is_text = format == TensorFormat::json || format == TensorFormat::csv;
  return type == ElementType::boolean ||
         ((is_text || type < ElementType::float16) && only_zero_and_one(values));
}

/// All of them, for a comparison. Refuses more values than largest_array_size, taken together.
std::vector<NamedArray> named_arrays(const TensorFile& file);

}  // namespace attnlab
