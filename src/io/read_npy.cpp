// NumPy's npy format: magic, version, the header, and the values.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/utf8.hpp"
#include "io/array_files.hpp"
#include "io/npy_header.hpp"
#include "io/unreadable.hpp"
#include "results/numpy_text.hpp"

namespace attnlab {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t longest_header = 10000;  // NumPy's own limit

// --- The values
// -------------------------------------------------------------------------------------------------

struct Element {
  char kind = 'f';  // f, i, u or b
  std::size_t size = 8;
  bool big_endian = false;
};

std::optional<Element> element_of(const std::string& descr) {
  std::string_view type = descr;
  Element element;
  if (!type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos) {
    element.big_endian = type.front() == '>';
    type.remove_prefix(1);
  }
  constexpr std::array<std::string_view, 12> known = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                      "i8", "u1", "u2", "u4", "u8", "b1"};
  for (const std::string_view name : known) {
    if (type != name) continue;
    element.kind = type[0];
    element.size = static_cast<std::size_t>(type[1] - '0');
    return element;
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
              {fmt::format("型 {} は読めません", quotation(descr)),
               fmt::format("the type {} is not supported", quotation(descr))},
              {"float16, float32, float64, 整数, bool のどれかで保存してください",
               "save float16, float32, float64, integers or bool"});
}

std::uint64_t bits_at(std::string_view bytes, const Element& element) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < element.size; ++i) {
    const std::size_t place = element.big_endian ? i : element.size - 1 - i;
    bits = bits << 8U | static_cast<unsigned char>(bytes[place]);
  }
  return bits;
}

double half_to_double(std::uint64_t bits) {
  constexpr int mantissa_bits = 10;
  constexpr int bias = 15;
  const auto exponent = static_cast<int>(bits >> 10U & 0x1FU);
  const auto mantissa = static_cast<double>(bits & 0x3FFU);
  double value = 0.0;
  if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
  } else if (exponent == 31) {
    value = mantissa == 0.0 ? HUGE_VAL : std::nan("");
  } else {
    value = std::ldexp(mantissa + 1024.0, exponent - bias - mantissa_bits);
  }
  return (bits & 0x8000U) != 0 ? -value : value;
}

double integer_value(std::uint64_t bits, const Element& element) {
  if (element.kind == 'b') return bits == 0 ? 0.0 : 1.0;
  if (element.kind == 'u') return static_cast<double>(bits);
  const auto unused = static_cast<unsigned>(64 - 8 * element.size);
  // Two's complement: shifted to the top and back, the sign fills up the rest.
  std::int64_t value = 0;
  const std::uint64_t top = bits << unused;
  std::memcpy(&value, &top, sizeof value);
  return static_cast<double>(value) / std::ldexp(1.0, static_cast<int>(unused));
}

double value_at(std::string_view bytes, const Element& element) {
  const std::uint64_t bits = bits_at(bytes, element);
  if (element.kind != 'f') return integer_value(bits, element);
  if (element.size == 2) return half_to_double(bits);
  if (element.size == 4) {
    const auto narrow = static_cast<std::uint32_t>(bits);
    float value = 0.0F;
    std::memcpy(&value, &narrow, sizeof value);
    return static_cast<double>(value);
  }
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

NamedArray::Storage storage_of(const Element& element) {
  if (element.kind != 'f') return NamedArray::Storage::integers;
  if (element.size == 2) return NamedArray::Storage::float16;
  return element.size == 4 ? NamedArray::Storage::float32 : NamedArray::Storage::float64;
}

/// The row-major place of the value that stands at `flat` when the first axis runs fastest.
std::size_t row_major(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::size_t place = 0;
  std::size_t stride = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    stride = 1;
    for (std::size_t later = axis + 1; later < shape.size(); ++later) stride *= shape[later];
    place += flat % shape[axis] * stride;
    flat /= shape[axis];
  }
  return place;
}

std::vector<double> values_of(std::string_view bytes, const Element& element, const NpyHeader& header) {
  std::vector<double> values(bytes.size() / element.size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t place = header.fortran_order ? row_major(i, header.shape) : i;
    values[place] = value_at(bytes.substr(i * element.size, element.size), element);
  }
  return values;
}

// --- The file
// ---------------------------------------------------------------------------------------------------

void check_magic(std::string_view bytes, const std::string& file) {
  if (bytes.substr(0, magic.size()) == magic) return;
  if (bytes.empty()) refuse_file(file, at_byte(0), {"中身がありません", "it is empty"}, save_npy_again());
  const std::string found = quotation(bytes.substr(0, magic.size()));
  const bool is_zip = bytes.substr(0, 2) == "PK";
  refuse_file(file, at_byte(0),
              {fmt::format("先頭が {} で、npy のしるし '\\x93NUMPY' ではありません", found),
               fmt::format("it begins with {}, not with npy's mark '\\x93NUMPY'", found)},
              is_zip
                  ? Text{"npz のようです。拡張子を .npz にしてください", "it looks like an npz: name it .npz"}
                  : save_npy_again());
}

[[noreturn]] void refuse_truncated(const std::string& file, std::size_t offset, std::size_t found,
                                   std::size_t needed) {
  refuse_file(file, at_byte(offset),
              {fmt::format("ここから {} バイトありますが、{} バイト必要です", found, needed),
               fmt::format("{} bytes from here on, {} are needed", found, needed)},
              save_npy_again());
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
                {fmt::format("npy の版 {}.{} は読めません（1.0 から 3.0 まで）", major, minor),
                 fmt::format("npy version {}.{} is unknown; 1.0 to 3.0 are needed", major, minor)},
                save_npy_again());
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = length_at + length_bytes;
  if (bytes.size() < begin) refuse_truncated(file, length_at, bytes.size() - length_at, length_bytes);
  const auto length =
      static_cast<std::size_t>(bits_at(bytes.substr(length_at, length_bytes), {'u', length_bytes, false}));
  if (length > longest_header) {
    refuse_file(file, at_byte(length_at),
                {fmt::format("ヘッダーが {} バイトあります（{} まで）", length, longest_header),
                 fmt::format("the header claims {} bytes, at most {} are allowed", length, longest_header)},
                save_npy_again());
  }
  if (bytes.size() - begin < length) refuse_truncated(file, begin, bytes.size() - begin, length);
  return {bytes.substr(begin, length), begin};
}

}  // namespace

NamedArray read_npy(std::string_view bytes, const std::string& file) {
  const auto [text, begin] = header_text(bytes, file);
  const NpyHeader header = parse_npy_header(text, begin, file);
  const std::optional<Element> element = element_of(header.descr);
  if (!element) refuse_type(header.descr, file, begin);
  const std::size_t needed = checked_size(header.shape, file, at_byte(begin)) * element->size;
  const std::size_t data = begin + text.size();
  if (bytes.size() - data < needed) refuse_truncated(file, data, bytes.size() - data, needed);
  if (bytes.size() - data > needed) {
    refuse_file(file, at_byte(data + needed),
                {fmt::format("形状 {} に対して {} バイト余っています", shape_text(header.shape),
                             bytes.size() - data - needed),
                 fmt::format("{} bytes are left over after an array of shape {}",
                             bytes.size() - data - needed, shape_text(header.shape))},
                {"1 つのファイルに 1 つの配列だけを保存してください", "save one array per file, or an npz"});
  }
  NamedArray result;
  result.storage = storage_of(*element);
  result.array.shape = header.shape;
  result.array.dtype = result.storage == NamedArray::Storage::float32 ? DType::float32 : DType::float64;
  result.array.data = values_of(bytes.substr(data), *element, header);
  return result;
}

}  // namespace attnlab
