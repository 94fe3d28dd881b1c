// GGUF, llama.cpp's format: named values, then tensors, some packed in blocks that are unpacked when used.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/packed_blocks.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_entries = std::size_t{1} << 21U;  // of the header, items of lists among them
constexpr std::size_t largest_alignment = std::size_t{1} << 20U;
constexpr std::size_t most_tensors = std::size_t{1} << 16U;

const Text get_gguf_again{"元の GGUF ファイルをもう一度入手してください", "get the original GGUF file again"};

/// Takes one value after another from the bytes. Source: ggml's docs/gguf.md.
class GgufReader {
 public:
  GgufReader(const SharedBytes& bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[noreturn]] void refuse(const Text& problem) const {
    refuse_file(file_, at_byte(at_), problem, get_gguf_again);
  }

  template <class Number>
  Number number() {
    Number value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  /// As unsigned where it can be: writers choose either type for a size.
  template <class Number>
  nlohmann::json signed_number() {
    const auto value = number<Number>();
    return value < 0 ? nlohmann::json(value) : nlohmann::json(static_cast<std::uint64_t>(value));
  }

  std::string text() {
    const auto size = number<std::uint64_t>();
    return std::string(take(size));
  }

  /// A value of the type with that number; a list of lists is none that is needed.
  nlohmann::json value(std::uint32_t type, bool in_list = false) {
    static const std::map<std::uint32_t, nlohmann::json (*)(GgufReader&)> readers{
        {0, [](GgufReader& r) { return nlohmann::json(r.number<std::uint8_t>()); }},
        {1, [](GgufReader& r) { return r.signed_number<std::int8_t>(); }},
        {2, [](GgufReader& r) { return nlohmann::json(r.number<std::uint16_t>()); }},
        {3, [](GgufReader& r) { return r.signed_number<std::int16_t>(); }},
        {4, [](GgufReader& r) { return nlohmann::json(r.number<std::uint32_t>()); }},
        {5, [](GgufReader& r) { return r.signed_number<std::int32_t>(); }},
        {6, [](GgufReader& r) { return nlohmann::json(r.number<float>()); }},
        {7, [](GgufReader& r) { return nlohmann::json(r.number<std::uint8_t>() != 0); }},
        {8, [](GgufReader& r) { return nlohmann::json(r.text()); }},
        {list_type, [](GgufReader& r) { return r.list(); }},
        {10, [](GgufReader& r) { return nlohmann::json(r.number<std::uint64_t>()); }},
        {11, [](GgufReader& r) { return r.signed_number<std::int64_t>(); }},
        {12, [](GgufReader& r) { return nlohmann::json(r.number<double>()); }}};
    if (++entries_ > most_entries) refuse({"値が多すぎます", "it holds too many values"});
    const auto reader = readers.find(type);
    if (reader == readers.end() || (in_list && type == list_type))
      refuse(attnlab::text("値の型 {} は知られていません", "the type {} of a value is not known", type));
    return reader->second(*this);
  }

  std::size_t place() const { return at_; }

 private:
  static constexpr std::uint32_t list_type = 9;

  nlohmann::json list() {
    const auto type = number<std::uint32_t>();
    const auto count = number<std::uint64_t>();
    nlohmann::json items = nlohmann::json::array();
    for (std::uint64_t i = 0; i < count; ++i) items.push_back(value(type, true));
    return items;
  }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.view.size() - at_) refuse({"途中で終わっています", "it ends early"});
    at_ += count;
    return bytes_.view.substr(at_ - count, count);
  }

  const SharedBytes& bytes_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t entries_ = 0;
};

// --- Tensors

/// Where a tensor lies and how its numbers are packed.
struct Packed {
  std::uint32_t type = 0;
  std::uint64_t offset = 0;  // behind the header
};

std::optional<ElementType> plain_type(std::uint32_t type) {
  static const std::map<std::uint32_t, ElementType> types{
      {0, ElementType::float32},  {1, ElementType::float16},  {24, ElementType::int8},
      {25, ElementType::int16},   {26, ElementType::int32},   {27, ElementType::int64},
      {28, ElementType::float64}, {30, ElementType::bfloat16}};
  const auto found = types.find(type);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// float32 of the packed blocks that hold these bytes of it.
SharedBytes unpacked(const SharedBytes& packed, const BlockCoding& coding, std::size_t offset,
                     std::size_t size) {
  const std::size_t block_size = coding.values * sizeof(float);
  const std::size_t first = offset / block_size;
  const std::size_t end = (offset + size + block_size - 1) / block_size;
  const auto values = std::make_shared<std::vector<float>>((end - first) * coding.values);
  for (std::size_t block = first; block < end; ++block) {
    coding.unpack(
        reinterpret_cast<const unsigned char*>(packed.view.data()) + block * coding.bytes,  // NOLINT
        values->data() + (block - first) * coding.values);
  }
  const std::string_view all(reinterpret_cast<const char*>(values->data()),  // NOLINT
                             values->size() * sizeof(float));
  return {all.substr(offset - first * block_size, size), values};
}

StoredTensor foreign_packing(const StoredTensor& tensor, std::uint32_t type, const std::string& file) {
  const std::string coding = name_of_coding(type);
  return foreign_tensor(tensor.name, tensor.shape, Text::same(coding), [name = tensor.name, coding, file] {
    refuse_file(
        file, in_array(name), text("型 {} は読めません", "its type {} cannot be read", coding),
        {"F32、F16、BF16、Q8_0、Q4_0、Q4_1、Q5_0、Q5_1、Q3_K、Q4_K、Q5_K、Q6_K のモデルを使ってください",
         "use a model of F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q3_K, Q4_K, Q5_K or Q6_K"});
  });
}

/// The tensor of this packing, whose data begin at byte `begin` of the file.
void place_tensor(StoredTensor& tensor, const Packed& packed, const SharedBytes& bytes, std::size_t begin,
                  const std::string& file) {
  const std::size_t count = checked_size(tensor.shape, largest_shape_size, file, in_array(tensor.name));
  const std::optional<ElementType> plain = plain_type(packed.type);
  const BlockCoding* const coding = block_coding(packed.type);
  if (!plain && coding == nullptr) {
    tensor = foreign_packing(tensor, packed.type, file);
    return;
  }
  const std::size_t size = plain ? count * size_of(*plain) : count / coding->values * coding->bytes;
  const bool splits_evenly = plain || (!tensor.shape.empty() && tensor.shape.back() % coding->values == 0);
  const bool is_there = begin <= bytes.view.size() && packed.offset <= bytes.view.size() - begin &&
                        size <= bytes.view.size() - begin - packed.offset;
  if (!splits_evenly || !is_there) {
    refuse_file(
        file, in_array(tensor.name),
        text("{} バイトのデータがファイルの中にありません", "its {} bytes do not lie in the file", size),
        get_gguf_again);
  }
  const SharedBytes part = bytes.part(begin + packed.offset, size);
  tensor = lying_tensor(tensor.name, plain.value_or(ElementType::float32), tensor.shape, part,
                        begin + packed.offset);
  if (plain) return;
  tensor.packing = coding->name;
  tensor.packed_bytes = size;
  tensor.part = [part, coding](std::size_t from, std::size_t length) {
    return unpacked(part, *coding, from, length);
  };
  tensor.bytes = [part, coding, all = count * sizeof(float)] { return unpacked(part, *coding, 0, all); };
}

}  // namespace

ListedFile list_gguf(const SharedBytes& bytes, const std::string& file) {
  GgufReader reader(bytes, file);
  const bool is_gguf = bytes.view.rfind("GGUF", 0) == 0;
  if (!is_gguf) reader.refuse({"GGUF の形式ではありません", "it is no GGUF file"});
  reader.number<std::uint32_t>();
  if (const auto version = reader.number<std::uint32_t>(); version != 2 && version != 3)
    reader.refuse(text("GGUF の版 {} は読めません", "the version {} of GGUF cannot be read", version));
  const auto tensors = reader.number<std::uint64_t>();
  const auto values = reader.number<std::uint64_t>();
  if (tensors > most_tensors || values > most_entries)
    reader.refuse(text("テンソルが {} 個、値が {} 個あることになっています",
                       "it claims {} tensors and {} values", tensors, values));
  ListedFile header{{}, nlohmann::json::object()};
  for (std::uint64_t i = 0; i < values; ++i) {
    const std::string name = reader.text();
    header.values[name] = reader.value(reader.number<std::uint32_t>());
  }
  std::vector<Packed> packed;
  for (std::uint64_t i = 0; i < tensors; ++i) {
    StoredTensor tensor;
    tensor.name = printable(reader.text());
    const auto axes = reader.number<std::uint32_t>();
    if (axes > most_axes) reader.refuse(text("次元が {} あります", "a tensor has {} axes", axes));
    for (std::uint32_t axis = 0; axis < axes; ++axis)
      tensor.shape.insert(tensor.shape.begin(), reader.number<std::uint64_t>());  // the last one comes first
    const auto type = reader.number<std::uint32_t>();
    packed.push_back({type, reader.number<std::uint64_t>()});
    header.tensors.push_back(std::move(tensor));
  }
  const nlohmann::json stated = header.values.value("general.alignment", nlohmann::json(32U));
  const std::size_t alignment = stated.is_number_unsigned() ? stated.get<std::size_t>() : 0;
  if (alignment == 0 || alignment > largest_alignment)
    reader.refuse(text("general.alignment が {} です", "its general.alignment is {}",
                       stated.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).substr(0, 40)));
  const std::size_t begin = (reader.place() + alignment - 1) / alignment * alignment;
  for (std::size_t i = 0; i < packed.size(); ++i)
    place_tensor(header.tensors[i], packed[i], bytes, begin, file);
  return header;
}

}  // namespace attnlab
