// Hugging Face's safetensors: https://github.com/huggingface/safetensors (README, "Format").
#include <nlohmann/json.hpp>

#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"
#include "results/report/array.hpp"

namespace attnlab {
namespace {

using AnyJson = nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_json_header = 100'000'000;  // safetensors' own limit
constexpr JsonLimits header_limits{std::size_t{1} << 24U, std::size_t{1} << 20U};

const Text save_safetensors_again{"safetensors の save_file で保存し直してください",
                                  "save it again with safetensors' save_file"};

// --- The header

std::string_view json_header(std::string_view bytes, const std::string& file) {
  if (bytes.size() < length_bytes) {
    refuse_file(file, at_byte(0),
                attnlab::text("{} バイトしかありません。ヘッダーの長さに 8 バイト必要です",
                              "it has {} bytes; the length of the header alone needs 8", bytes.size()),
                save_safetensors_again);
  }
  const std::uint64_t length = little_endian(bytes.substr(0, length_bytes));
  const std::size_t most = std::min(longest_json_header, bytes.size() - length_bytes);
  if (length > most) {
    refuse_file(file, at_byte(0),
                attnlab::text("ヘッダーが {} バイトあることになっています（ここでは {} まで）",
                              "the header claims {} bytes; at most {} are possible here", length, most),
                save_safetensors_again);
  }
  return bytes.substr(length_bytes, length);
}

/// One tensor's entry of the header, read strictly.
class TensorEntry {
 public:
  TensorEntry(std::string name, const AnyJson& json, const std::string& file)
      : name_(std::move(name)), json_(json), file_(file) {
    if (!json_.is_object()) refuse({"オブジェクトではありません", "it is not an object"});
  }

  [[noreturn]] void refuse(const Text& problem) const {
    refuse_file(file_, place(), problem, save_safetensors_again);
  }

  Text place() const { return {"テンソル " + quotation(name_), "in tensor " + quotation(name_)}; }
  const std::string& name() const { return name_; }

  /// "F32", "F8_E4M3".
  std::string type() const {
    const AnyJson& dtype = member("dtype");
    if (!dtype.is_string()) refuse({"\"dtype\" が語ではありません", "its \"dtype\" is no word"});
    return dtype.get<std::string>();
  }

  std::vector<std::size_t> shape() const { return whole_numbers("shape"); }

  /// Where its data begin and end, counted from the end of the header.
  std::pair<std::size_t, std::size_t> range() const {
    const std::vector<std::size_t> ends = whole_numbers("data_offsets");
    if (ends.size() != 2 || ends[0] > ends[1]) {
      refuse(
          {"\"data_offsets\" が [始め, 終わり] ではありません", "its \"data_offsets\" are not [begin, end]"});
    }
    return {ends[0], ends[1]};
  }

 private:
  const AnyJson& member(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) {
      refuse(attnlab::text("\"{}\" がありません", "it has no \"{}\"", key));
    }
    return *found;
  }

  std::vector<std::size_t> whole_numbers(const std::string& key) const {
    const AnyJson& list = member(key);
    const bool good = list.is_array() && std::all_of(list.begin(), list.end(), [](const AnyJson& number) {
                        return number.is_number_unsigned();
                      });
    if (!good) {
      refuse(attnlab::text("\"{}\" が 0 以上の整数のリストではありません",
                           "its \"{}\" is not a list of whole numbers from 0", key));
    }
    return list.get<std::vector<std::size_t>>();
  }

  std::string name_;
  const AnyJson& json_;
  const std::string& file_;
};

// --- The data

struct PlacedTensor {
  StoredTensor tensor;
  std::size_t bytes = 0;
};

/// Of a type that is none of ours.
StoredTensor foreign_entry(const TensorEntry& entry, const std::string& file) {
  const std::string type = entry.type();
  return foreign_tensor(
      entry.name(), entry.shape(), Text::same(printable(type)), [type, place = entry.place(), file] {
        refuse_file(file, place,
                    text("型 {} は読めません。F16, BF16, F32, F64, 整数, BOOL のどれかが必要です",
                         "the type {} is not supported; F16, BF16, F32, F64, integers or BOOL "
                         "are needed",
                         quotation(type)),
                    save_safetensors_again);
      });
}

/// `data` is all that stands behind the header, at byte `offset` of the file.
PlacedTensor tensor_of(const TensorEntry& entry, const SharedBytes& data, std::size_t offset,
                       const std::string& file) {
  const std::optional<ElementType> type = type_coded(entry.type(), Coding::safetensors);
  StoredTensor tensor =
      type ? lying_tensor(entry.name(), *type, entry.shape(), {}, 0) : foreign_entry(entry, file);
  const auto [begin, end] = entry.range();
  if (end > data.view.size()) {
    entry.refuse(attnlab::text("データが {} バイト目まであるはずですが、{} バイトしかありません",
                               "its data end at byte {} of {}", end, data.view.size()));
  }
  const std::size_t values = checked_size(tensor.shape, largest_shape_size, file, entry.place());
  tensor.offset = offset + begin;
  if (tensor.foreign) return {tensor, end - begin};
  const std::size_t needed = values * size_of(tensor.encoding.type);
  if (end - begin != needed) {
    entry.refuse(attnlab::text("データが {0} バイトありますが、形状 {2} の {1} には {3} バイト必要です",
                               "it has {} bytes of data; {} of shape {} needs {}", end - begin,
                               name_of(tensor.encoding.type), shape_text(tensor.shape), needed));
  }
  tensor.bytes = [part = data.part(begin, needed)] { return part; };
  return {tensor, needed};
}

/// Sorted by their place, the data follow one another from the first byte to the last.
void check_places(const std::vector<PlacedTensor>& tensors, std::size_t begin, std::size_t end,
                  const std::string& file) {
  std::size_t expected = begin;
  for (const auto& [tensor, bytes] : tensors) {
    if (tensor.offset != expected) {
      const bool overlap = tensor.offset < expected;
      refuse_file(
          file, at_byte(tensor.offset),
          attnlab::text("テンソル {} のデータが{}。{} バイト目から始まる必要があります",
                        "the data of tensor {} {}; they must begin at byte {}", quotation(tensor.name),
                        overlap ? Text{"ほかのデータと重なっています", "overlap those of another"}
                                : Text{"すきまを空けて始まります", "leave a gap before them"},
                        expected),
          save_safetensors_again);
    }
    expected += bytes;
  }
  if (expected != end) {
    refuse_file(file, at_byte(expected),
                attnlab::text("どのテンソルのものでもないデータが {} バイトあります",
                              "{} bytes from here on belong to no tensor", end - expected),
                save_safetensors_again);
  }
}

AnyJson words_in(const AnyJson& metadata) {
  AnyJson words = AnyJson::object();
  for (const auto& [name, word] : metadata.items()) {
    if (metadata.is_object() && word.is_string()) words[name] = word;
  }
  return words;
}

}  // namespace

ListedFile list_safetensors(const SharedBytes& bytes, const std::string& file) {
  const std::string_view text = json_header(bytes.view, file);
  check_json_text(text, header_limits, length_bytes, file);
  const AnyJson header = AnyJson::parse(text.begin(), text.end());
  if (!header.is_object()) {
    refuse_file(file, at_byte(length_bytes),
                {"ヘッダーが JSON のオブジェクトではありません", "its header is not a JSON object"},
                save_safetensors_again);
  }
  const std::size_t begin = length_bytes + text.size();
  const SharedBytes data = bytes.part(begin, bytes.view.size() - begin);
  std::vector<PlacedTensor> placed;
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") continue;
    placed.push_back(tensor_of(TensorEntry(name, json, file), data, begin, file));
  }
  std::stable_sort(placed.begin(), placed.end(), [](const PlacedTensor& one, const PlacedTensor& other) {
    if (one.tensor.offset != other.tensor.offset) return one.tensor.offset < other.tensor.offset;
    return one.bytes == 0 && other.bytes != 0;
  });
  check_places(placed, begin, bytes.view.size(), file);
  ListedFile listed{{}, words_in(header.value("__metadata__", AnyJson()))};
  listed.tensors.reserve(placed.size());
  for (PlacedTensor& one : placed) listed.tensors.push_back(std::move(one.tensor));
  return listed;
}

}  // namespace attnlab
