// Chooses the reader for a format, and puts decoded values into row-major order.
#include "io/tensor_file.hpp"

#include <xtensor/xmanipulation.hpp>

#include "core/named.hpp"
#include "core/utf16.hpp"
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

struct Format {
  TensorFormat format;
  std::string_view name;
  std::string_view extensions;  // " " behind each
  ListedFile (*list)(const SharedBytes&, const std::string&);
};

constexpr std::array<Format, 8> formats = {
    {{TensorFormat::npy, "npy", ".npy ", list_npy},
     {TensorFormat::npz, "npz", ".npz ", list_npz},
     {TensorFormat::csv, "csv", ".csv .txt ", list_csv},
     {TensorFormat::json, "json", ".json ", list_json},
     {TensorFormat::safetensors, "safetensors", ".safetensors ", list_safetensors},
     {TensorFormat::pytorch, "pytorch", ".pt .pth .bin .ckpt ", list_pytorch},
     {TensorFormat::gguf, "gguf", ".gguf ", list_gguf},
     {TensorFormat::llama2c, "llama2.c", "", list_llama2c}}};

const Format& described(TensorFormat format) { return formats.at(static_cast<std::size_t>(format)); }

/// Whether a zip archive begins with what torch.save writes first; or the number of its older format.
bool is_of_pytorch(std::string_view bytes) {
  if (bytes.substr(0, 4) == "\x80\x02\x8a\x0a") return true;
  constexpr std::size_t name_place = 30;  // of a zip archive's first member (APPNOTE.TXT, 4.3.7)
  if (bytes.size() < name_place || bytes.substr(0, 2) != "PK") return false;
  const std::string_view name = bytes.substr(name_place, little_endian(bytes.substr(26, 2)));
  return name.find("data.pkl") != std::string_view::npos;
}

/// The format that the first bytes of a stream show.
TensorFormat format_of_bytes(std::string_view bytes) {
  if (bytes.substr(0, 6) == "\x93NUMPY") return TensorFormat::npy;
  if (bytes.substr(0, 4) == "GGUF") return TensorFormat::gguf;
  if (is_of_pytorch(bytes)) return TensorFormat::pytorch;
  if (bytes.substr(0, 2) == "PK") return TensorFormat::npz;
  if (bytes.size() > 8 && bytes[7] == '\0' && bytes[8] == '{') return TensorFormat::safetensors;
  const std::optional<std::string> converted = utf8_of_utf16(bytes.substr(0, 64));
  const std::string_view start = without_byte_order_mark(converted ? *converted : bytes);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  const char mark = first == std::string_view::npos ? ' ' : start[first];
  return mark == '{' || mark == '[' ? TensorFormat::json : TensorFormat::csv;
}

// --- Other kinds of files

/// How to make one that is read of it, in Python; nothing of a kind that nobody knows here.
std::optional<Text> conversion_of(const fs::path& path) {
  // {0} is the file, {1} its name as npz
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> ways{{
      {".onnx ",
       "np.savez({1}, **{{t.name: onnx.numpy_helper.to_array(t) for t in onnx.load({0}).graph.initializer}})"},
      {".h5 .keras ", "np.savez({1}, **{{w.path: w.numpy() for w in keras.models.load_model({0}).weights}})"},
  }};
  const std::string extension = lower_case(path.extension().string()) + " ";
  for (const auto& [extensions, way] : ways) {
    if (extension.size() < 2 || extensions.find(extension) == std::string_view::npos) continue;
    const std::string npz = fs::path(path).replace_extension(".npz").string();
    return text("Python で変換してください：{}", "convert it in Python: {}",
                fmt::format(fmt::runtime(way), quotation(path.string()), quotation(npz)));
  }
  return std::nullopt;
}

// --- FILE:TENSOR

struct Address {
  std::string file;
  std::string tensor;  // "" for all
};

/// A file of that whole name comes first; else a colon divides where it stands behind a known extension or a
/// stream.
Address address_of(const std::string& words) {
  std::error_code ignored;
  if (fs::exists(words, ignored)) return {words, ""};
  for (std::size_t colon = words.find(':'); colon != std::string::npos; colon = words.find(':', colon + 1)) {
    const std::string file = words.substr(0, colon);
    if (is_stream(file) || format_of_name(file)) return {file, words.substr(colon + 1)};
  }
  return {words, ""};
}

void keep_only(const std::string& name, TensorFile& file) {
  StoredTensor* found = find_named(file.tensors, name);
  if (found == nullptr) {
    refuse_foreign(file, name);
    const bool nameless = file.tensors.size() == 1 && file.tensors.front().name.empty();
    refuse_file(file.name, text("配列 {} がありません", "it has no tensor {}", quotation(name)),
                nameless
                    ? Text{"このファイルの配列には名前がないので、: から後を除いてください",
                           "its only tensor has no name: leave out the colon and what follows"}
                    : text("入っているのは {} です", "it holds {}", first_names(names_of(file.tensors))));
  }
  file.tensors = {*found};
  file.foreign.clear();
}

/// "'note' (words), 'gain' (complex numbers '<c16')", the first few.
Text listed_foreign(const std::vector<StoredTensor>& foreign) {
  constexpr std::size_t most = 6;
  std::vector<Text> texts;
  for (std::size_t i = 0; i < std::min(foreign.size(), most); ++i)
    texts.push_back(text("{}（{}）", "{} ({})", quotation(foreign[i].name), *foreign[i].foreign));
  return listed(texts);
}

const Text save_an_array{"配列を 1 つ以上保存してください", "save one array or more to it"};

TensorFile listed_in(const SharedBytes& bytes, TensorFormat format, const std::string& name) {
  TensorFile file{name, format, {}};
  ListedFile listed = described(format).list(bytes, name);
  for (StoredTensor& tensor : listed.tensors) {
    tensor.name = printable(tensor.name);
    (tensor.foreign ? file.foreign : file.tensors).push_back(std::move(tensor));
  }
  if (file.tensors.empty() && file.foreign.empty())
    refuse_file(name, {"配列が一つも入っていません", "there are no arrays in it"}, save_an_array);
  if (format == TensorFormat::safetensors) listed.values.get_to(file.metadata);
  return file;
}

/// Refuses a file without any tensor, for the only reason that there is, if there is one.
TensorFile with_tensors(TensorFile file) {
  if (!file.tensors.empty()) return file;
  if (file.foreign.size() == 1) file.foreign.front().bytes();
  refuse_file(file.name,
              text("数値の配列が一つもありません：{}", "it holds no array of numbers, but {}",
                   listed_foreign(file.foreign)),
              save_an_array);
}

// --- Values

NamedArray::Storage storage_of(const StoredTensor& tensor) {
  if (!tensor.half_units.empty()) return NamedArray::Storage::text;
  switch (tensor.encoding.type) {
    case ElementType::float16:
    case ElementType::bfloat16: return NamedArray::Storage::float16;
    case ElementType::float32: return NamedArray::Storage::float32;
    case ElementType::float64: return NamedArray::Storage::float64;
    default: return NamedArray::Storage::integers;
  }
}

NamedArray named_array(const StoredTensor& tensor) {
  const Tensor<double> values = load<double>(tensor);
  NamedArray result;
  result.name = tensor.name;
  result.storage = storage_of(tensor);
  result.array.shape = tensor.shape;
  result.array.dtype = result.storage == NamedArray::Storage::float32 ? DType::float32 : DType::float64;
  result.array.data.assign(values.begin(), values.end());
  result.half_units = tensor.half_units;
  return result;
}

}  // namespace

std::string wrapper_of(const std::vector<StoredTensor>& tensors) {
  std::string wrapper;
  const auto stands_before_all = [&](std::string_view next) {
    const std::string whole = wrapper + std::string(next);
    std::size_t wrapped = 0;
    std::size_t bare = 0;
    for (const StoredTensor& tensor : tensors) {
      if (tensor.foreign || tensor.name == "n_averaged") continue;  // the count of torch.optim.swa_utils
      ++(tensor.name.rfind(whole, 0) == 0 ? wrapped : bare);
    }
    return wrapped > 0 && bare == 0;
  };
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view next : {"_orig_mod.", "module."}) {
      if (!stands_before_all(next)) continue;
      wrapper += next;
      found = true;
    }
  }
  return wrapper;
}

void leave_out(const std::string& prefix, std::vector<StoredTensor>& tensors) {
  for (StoredTensor& tensor : tensors) {
    if (tensor.name.rfind(prefix, 0) == 0) tensor.name.erase(0, prefix.size());
  }
}

Text first_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) quoted.push_back(quotation(names[i]));
  const std::string list = joined(quoted, ", ");
  if (names.size() <= most) return Text::same(list);
  return {fmt::format("{} など {} 個", list, names.size()),
          fmt::format("{} and {} more", list, names.size() - most)};
}

std::string name_of(TensorFormat format) { return std::string(described(format).name); }

TensorFile tensors_in(const SharedBytes& bytes, TensorFormat format, const std::string& name) {
  return with_tensors(listed_in(bytes, format, name));
}

std::vector<StoredTensor> everything_in(TensorFile file) {
  std::move(file.foreign.begin(), file.foreign.end(), std::back_inserter(file.tensors));
  return std::move(file.tensors);
}

void refuse_foreign(const TensorFile& file, const std::string& name) {
  if (const StoredTensor* foreign = find_named(file.foreign, name)) foreign->bytes();
}

std::optional<Text> doubt_of(const StoredTensor& tensor, const std::string& file) {
  if (tensor.first_line == FirstLine::row) return std::nullopt;
  return text("{} の最初の行 0, 1, 2, ... は列の番号かもしれません。数値の行として読みました",
              "the first line 0, 1, 2, ... of {} may number its columns: it was read as a row of numbers",
              quotation(file));
}

StoredTensor only_tensor(const TensorFile& file, const std::string& name, const std::string& flag) {
  const StoredTensor* found = find_named(file.tensors, name);
  if (found == nullptr) refuse_foreign(file, name);
  if (found == nullptr && file.tensors.size() == 1) found = &file.tensors.front();
  if (found != nullptr && found->first_line == FirstLine::numbers_columns) {
    refuse_file(
        file.name,
        {"最初の行 0, 1, 2, ... は列の番号のようです",
         "its first line 0, 1, 2, ... seems to number the columns"},
        {"to_csv(index=False, header=False) のように番号なしで保存してください。数値の行なら 0.0 と書いてください",
         "save it without them, as in to_csv(index=False, header=False); if it is a row, write 0.0"});
  }
  if (found != nullptr) return *found;
  refuse_usage(text("{} には配列が {} 個あります（{}）", "{} holds {} arrays ({})", quotation(file.name),
                    file.tensors.size(), first_names(names_of(file.tensors))),
               text("{}{}:{} のように 1 つを選んでください", "choose one, as in {}{}:{}", flag,
                    printable(file.name), file.tensors.front().name));
}

std::string file_of(const std::string& words) { return address_of(words).file; }

std::optional<TensorFormat> format_of_name(const std::string& path) {
  const std::string extension = lower_case(fs::path(path).extension().string()) + " ";
  for (const Format& format : formats) {
    if (extension.size() > 1 && format.extensions.find(extension) != std::string_view::npos)
      return format.format;
  }
  return std::nullopt;
}

TensorFile open_tensors(const std::string& words) { return with_tensors(open_anything(words)); }

TensorFile open_anything(const std::string& words) {
  const Address address = address_of(words);
  const std::string& path = address.file;
  std::optional<TensorFormat> format = format_of_name(path);
  if (!format && !is_stream(path)) {
    refuse_usage(
        text("{} の拡張子では形式が決まりません", "the extension of {} names no format", quotation(path)),
        conversion_of(path).value_or(text("拡張子は {} のどれかにしてください",
                                          "its extension must be one of {}", readable_extensions)));
  }
  const SharedBytes bytes = bytes_of(path);
  if (!format) format = format_of_bytes(bytes.view);
  const bool is_bin = lower_case(fs::path(path).extension().string()) == ".bin";
  if (is_bin && !is_of_pytorch(bytes.view)) format = TensorFormat::llama2c;
  TensorFile file = listed_in(bytes, *format, path);
  if (!address.tensor.empty()) keep_only(address.tensor, file);
  return file;
}

template <class T>
Tensor<T> load(const StoredTensor& tensor) {
  typename Tensor<T>::shape_type shape(tensor.shape.begin(), tensor.shape.end());
  if (tensor.fortran_order) std::reverse(shape.begin(), shape.end());
  Tensor<T> values(shape);
  const SharedBytes bytes = tensor.bytes();
  decode(bytes.view, tensor.encoding, values.data());
  if (tensor.fortran_order) values = Tensor<T>(xt::transpose(values));
  return values;
}

template Tensor<float> load(const StoredTensor&);
template Tensor<double> load(const StoredTensor&);

std::vector<NamedArray> named_arrays(const TensorFile& file) {
  std::size_t values = 0;
  std::vector<NamedArray> arrays;
  for (const StoredTensor& tensor : file.tensors) {
    values += checked_size(tensor.shape, largest_array_size, file.name, in_array(tensor.name));
    if (values > largest_array_size) {
      refuse_file(file.name,
                  text("配列の値が合わせて {} 個を超えます", "its arrays have more than {} values together",
                       largest_array_size),
                  {"ファイル名:配列名 の形で 1 つを選んでください", "name one of them as FILE:NAME"});
    }
    arrays.push_back(named_array(tensor));
  }
  return arrays;
}

}  // namespace attnlab
