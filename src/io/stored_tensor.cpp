// Bytes of either order become an unsigned integer, and its bits become the number.
#include "io/stored_tensor.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace attnlab {
namespace {

struct Description {
  ElementType type;
  std::size_t size;
  std::string_view name;
  std::string_view npy;  // "" where it has none
  std::string_view safetensors;
};

constexpr std::array<Description, 13> descriptions = {{
    {ElementType::boolean, 1, "bool", "b1", "BOOL"},
    {ElementType::int8, 1, "int8", "i1", "I8"},
    {ElementType::int16, 2, "int16", "i2", "I16"},
    {ElementType::int32, 4, "int32", "i4", "I32"},
    {ElementType::int64, 8, "int64", "i8", "I64"},
    {ElementType::uint8, 1, "uint8", "u1", "U8"},
    {ElementType::uint16, 2, "uint16", "u2", "U16"},
    {ElementType::uint32, 4, "uint32", "u4", "U32"},
    {ElementType::uint64, 8, "uint64", "u8", "U64"},
    {ElementType::float16, 2, "float16", "f2", "F16"},
    {ElementType::bfloat16, 2, "bfloat16", "", "BF16"},
    {ElementType::float32, 4, "float32", "f4", "F32"},
    {ElementType::float64, 8, "float64", "f8", "F64"},
}};

const Description& description(ElementType type) {
  return descriptions.at(static_cast<std::size_t>(type));
}

template <class Unsigned>
Unsigned bits_at(const char* bytes, bool big_endian) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    const std::size_t place = big_endian ? i : sizeof(Unsigned) - 1 - i;
    bits = bits << 8U | static_cast<unsigned char>(bytes[place]);
  }
  return static_cast<Unsigned>(bits);
}

/// The value of a type of the same size with these bits.
template <class Value, class Unsigned>
Value with_bits(Unsigned bits) {
  static_assert(sizeof(Value) == sizeof bits);
  Value value{};
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float half_to_float(std::uint16_t bits) {
  constexpr int mantissa_bits = 10;
  constexpr int bias = 15;
  const auto exponent = static_cast<int>(bits >> 10U & 0x1FU);
  const auto mantissa = static_cast<float>(bits & 0x3FFU);
  float value = 0.0F;
  if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
  } else if (exponent == 31) {
    value = mantissa == 0.0F ? HUGE_VALF : std::nanf("");
  } else {
    value = std::ldexp(mantissa + 1024.0F, exponent - bias - mantissa_bits);
  }
  return (bits & 0x8000U) != 0 ? -value : value;
}

/// A bfloat16 is the upper half of a float32.
float brain_to_float(std::uint16_t bits) {
  return with_bits<float>(std::uint32_t{bits} << 16U);
}

template <class Unsigned, class T, class Value>
void decode_with(std::string_view bytes, bool big_endian, T* values, Value value_of) {
  const std::size_t count = bytes.size() / sizeof(Unsigned);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(value_of(bits_at<Unsigned>(bytes.data() + i * sizeof(Unsigned), big_endian)));
  }
}

}  // namespace

std::size_t size_of(ElementType type) {
  return description(type).size;
}

std::string_view name_of(ElementType type) {
  return description(type).name;
}

std::optional<ElementType> type_coded(std::string_view code, Coding coding) {
  for (const Description& known : descriptions) {
    if (!code.empty() && code == (coding == Coding::npy ? known.npy : known.safetensors)) return known.type;
  }
  return std::nullopt;
}

template <class T>
void decode(std::string_view bytes, Encoding encoding, T* values) {
  const auto as = [&](auto unsigned_zero, auto value_of) {
    decode_with<decltype(unsigned_zero)>(bytes, encoding.big_endian, values, value_of);
  };
  constexpr std::uint8_t one{};
  constexpr std::uint16_t two{};
  constexpr std::uint32_t four{};
  constexpr std::uint64_t eight{};
  const auto itself = [](auto bits) { return bits; };
  switch (encoding.type) {
    case ElementType::boolean:
      return as(one, [](std::uint8_t bits) { return bits == 0 ? 0.0F : 1.0F; });
    case ElementType::int8:
      return as(one, with_bits<std::int8_t, std::uint8_t>);
    case ElementType::int16:
      return as(two, with_bits<std::int16_t, std::uint16_t>);
    case ElementType::int32:
      return as(four, with_bits<std::int32_t, std::uint32_t>);
    case ElementType::int64:
      return as(eight, with_bits<std::int64_t, std::uint64_t>);
    case ElementType::uint8:
      return as(one, itself);
    case ElementType::uint16:
      return as(two, itself);
    case ElementType::uint32:
      return as(four, itself);
    case ElementType::uint64:
      return as(eight, itself);
    case ElementType::float16:
      return as(two, half_to_float);
    case ElementType::bfloat16:
      return as(two, brain_to_float);
    case ElementType::float32:
      return as(four, with_bits<float, std::uint32_t>);
    case ElementType::float64:
      return as(eight, with_bits<double, std::uint64_t>);
  }
}

template void decode(std::string_view, Encoding, float*);
template void decode(std::string_view, Encoding, double*);

std::size_t size_of(const StoredTensor& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::size_t{1}, std::multiplies<>());
}

template <class T>
StoredTensor spelt_out(std::string name, std::vector<std::size_t> shape, std::vector<T> values) {
  StoredTensor tensor;
  tensor.name = std::move(name);
  tensor.encoding = {std::is_same_v<T, float> ? ElementType::float32 : ElementType::float64,
                     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
  tensor.shape = std::move(shape);
  const auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  tensor.bytes = [owner]() -> SharedBytes {
    const void* const begin = owner->data();
    return {{static_cast<const char*>(begin), owner->size() * sizeof(T)}, owner};
  };
  return tensor;
}

template StoredTensor spelt_out(std::string, std::vector<std::size_t>, std::vector<float>);
template StoredTensor spelt_out(std::string, std::vector<std::size_t>, std::vector<double>);

}  // namespace attnlab
