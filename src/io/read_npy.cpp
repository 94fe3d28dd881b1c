// NumPy's npy format: magic, version, the header, and the values.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/npy_header.hpp"
#include "io/unreadable.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t longest_header = 10000;  // NumPy's own limit

// --- The type

struct KnownType {
  std::string_view code;
  ElementType type;
};

std::optional<Encoding> encoding_of(const std::string& descr) {
  constexpr std::array<KnownType, 12> known = {{{"f2", ElementType::float16},
                                                {"f4", ElementType::float32},
                                                {"f8", ElementType::float64},
                                                {"i1", ElementType::int8},
                                                {"i2", ElementType::int16},
                                                {"i4", ElementType::int32},
                                                {"i8", ElementType::int64},
                                                {"u1", ElementType::uint8},
                                                {"u2", ElementType::uint16},
                                                {"u4", ElementType::uint32},
                                                {"u8", ElementType::uint64},
                                                {"b1", ElementType::boolean}}};
  std::string_view code = descr;
  bool big_endian = false;
  if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
    big_endian = code.front() == '>';
    code.remove_prefix(1);
  }
  for (const KnownType& candidate : known) {
    if (code == candidate.code) return Encoding{candidate.type, big_endian};
  }
  return std::nullopt;
}

[[noreturn]] void refuse_type(const std::string& descr, const std::string& file, std::size_t offset) {
  if (descr.find('O') != std::string::npos) {
    refuse_file(file, at_byte(offset),
                {"Python のオブジェクトの配列です（読み込むとプログラムが実行されうるので読みません）",
                 "it is an array of Python objects, which could run a program when loaded"},
                {"astype(float) で数値にしてから保存してください", "convert it with astype(float) first"});
  }
  refuse_file(file, at_byte(offset),
              text("型 {} は読めません", "the type {} is not supported", quotation(descr)),
              {"float16, float32, float64, 整数, bool のどれかで保存してください",
               "save float16, float32, float64, integers or bool"});
}

// --- The file

void check_magic(std::string_view bytes, const std::string& file) {
  if (bytes.substr(0, magic.size()) == magic) return;
  if (bytes.empty()) refuse_file(file, at_byte(0), {"中身がありません", "it is empty"}, save_npy_again());
  const std::string found = quotation(bytes.substr(0, magic.size()));
  const bool is_zip = bytes.substr(0, 2) == "PK";
  refuse_file(file, at_byte(0),
              text("先頭が {} で、npy のしるし '\\x93NUMPY' ではありません",
                   "it begins with {}, not with npy's mark '\\x93NUMPY'", found),
              is_zip
                  ? Text{"npz のようです。拡張子を .npz にしてください", "it looks like an npz: name it .npz"}
                  : save_npy_again());
}

[[noreturn]] void refuse_truncated(const std::string& file, std::size_t offset, std::size_t found,
                                   std::size_t needed) {
  refuse_file(file, at_byte(offset),
              text("ここから {} バイトありますが、{} バイト必要です", "{} bytes from here on, {} are needed",
                   found, needed),
              save_npy_again());
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The header's text, and where it begins.
std::pair<std::string_view, std::size_t> header_text(std::string_view bytes, const std::string& file) {
  check_magic(bytes, file);
  constexpr std::size_t version_at = 6;
  constexpr std::size_t length_at = 8;
  if (bytes.size() < length_at) refuse_truncated(file, version_at, bytes.size() - version_at, 2);
  const int major = static_cast<unsigned char>(bytes[version_at]);
  const int minor = static_cast<unsigned char>(bytes[version_at + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse_file(file, at_byte(version_at),
                text("npy の版 {}.{} は読めません（1.0 から 3.0 まで）",
                     "npy version {}.{} is unknown; 1.0 to 3.0 are needed", major, minor),
                save_npy_again());
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = length_at + length_bytes;
  if (bytes.size() < begin) refuse_truncated(file, length_at, bytes.size() - length_at, length_bytes);
  const std::size_t length = little_endian(bytes.substr(length_at, length_bytes));
  if (length > longest_header) {
    refuse_file(file, at_byte(length_at),
                text("ヘッダーが {} バイトあります（{} まで）",
                     "the header claims {} bytes, at most {} are allowed", length, longest_header),
                save_npy_again());
  }
  if (bytes.size() - begin < length) refuse_truncated(file, begin, bytes.size() - begin, length);
  return {bytes.substr(begin, length), begin};
}

}  // namespace

StoredTensor npy_tensor(std::string_view start, std::size_t size, const std::string& file) {
  const auto [text, begin] = header_text(start, file);
  const NpyHeader header = parse_npy_header(text, begin, file);
  const std::optional<Encoding> encoding = encoding_of(header.descr);
  if (!encoding) refuse_type(header.descr, file, begin);
  const std::size_t needed =
      checked_size(header.shape, largest_shape_size, file, at_byte(begin)) * size_of(encoding->type);
  const std::size_t data = begin + text.size();
  if (size - data < needed) refuse_truncated(file, data, size - data, needed);
  if (size - data > needed) {
    refuse_file(file, at_byte(data + needed),
                {fmt::format("形状 {} に対して {} バイト余っています", shape_text(header.shape),
                             size - data - needed),
                 fmt::format("{} bytes are left over after an array of shape {}", size - data - needed,
                             shape_text(header.shape))},
                {"1 つのファイルに 1 つの配列だけを保存してください", "save one array per file, or an npz"});
  }
  StoredTensor tensor;
  tensor.encoding = *encoding;
  tensor.fortran_order = header.fortran_order;
  tensor.shape = header.shape;
  tensor.offset = data;
  return tensor;
}

std::vector<StoredTensor> list_npy(const SharedBytes& bytes, const std::string& file) {
  StoredTensor tensor = npy_tensor(bytes.view.substr(0, longest_npy_start), bytes.view.size(), file);
  tensor.bytes = [data = bytes.part(tensor.offset, bytes.view.size() - tensor.offset)] { return data; };
  return {tensor};
}

}  // namespace attnlab
