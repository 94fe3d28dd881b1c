// Bytes of either order become an unsigned integer, and its bits become the number.
#include "io/stored_tensor.hpp"

namespace attnlab {
namespace {

constexpr bool is_big_endian_here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

template <class Unsigned, bool is_swapped>
Unsigned bits_at(const char* bytes) {
  Unsigned bits = 0;
  if constexpr (!is_swapped) {
    std::memcpy(&bits, bytes, sizeof bits);
    return bits;
  }
  std::array<char, sizeof bits> turned{};
  std::reverse_copy(bytes, bytes + sizeof bits, turned.data());
  std::memcpy(&bits, turned.data(), sizeof bits);
  return bits;
}

/// The value of a type of the same size with these bits.
template <class Value, class Unsigned>
Value with_bits(Unsigned bits) {
  static_assert(sizeof(Value) == sizeof bits);
  Value value{};
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Its bits make a float32 whose exponent is 112 too small; infinities and NaN have the largest one.
float half_to_float(std::uint16_t bits) {
  const std::uint32_t magnitude = (bits & 0x7FFFU) << 13U;
  const bool is_finite = (bits & 0x7C00U) != 0x7C00U;
  const float value =
      is_finite ? with_bits<float>(magnitude) * 0x1p112F : with_bits<float>(magnitude | 0x7F800000U);
  return (bits & 0x8000U) != 0 ? -value : value;
}

/// A bfloat16 is the upper half of a float32.
float brain_to_float(std::uint16_t bits) { return with_bits<float>(std::uint32_t{bits} << 16U); }

float truth(std::uint8_t bits) { return bits == 0 ? 0.0F : 1.0F; }

// --- The types

template <class Unsigned, auto value_of, bool is_swapped, class T>
void decode_all(std::string_view bytes, T* values) {
  const std::size_t count = bytes.size() / sizeof(Unsigned);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(value_of(bits_at<Unsigned, is_swapped>(bytes.data() + i * sizeof(Unsigned))));
}

/// Numbers of which `value_of` makes their unsigned bits, as T.
template <class Unsigned, auto value_of, class T>
void decode_with(std::string_view bytes, bool big_endian, T* values) {
  if (big_endian == is_big_endian_here) return decode_all<Unsigned, value_of, false>(bytes, values);
  decode_all<Unsigned, value_of, true>(bytes, values);
}

struct Description {
  ElementType type;
  std::string_view name;
  std::string_view npy;  // "" where it has none
  std::string_view safetensors;
  std::size_t size;
  void (*to_float)(std::string_view bytes, bool big_endian, float* values);
  void (*to_double)(std::string_view bytes, bool big_endian, double* values);
};

template <class Unsigned, auto value_of>
constexpr Description described(ElementType type, std::string_view name, std::string_view npy,
                                std::string_view safetensors) {
  return {type,
          name,
          npy,
          safetensors,
          sizeof(Unsigned),
          decode_with<Unsigned, value_of, float>,
          decode_with<Unsigned, value_of, double>};
}

/// A type that the machine has itself.
template <class Value, class Unsigned>
constexpr Description native(ElementType type, std::string_view name, std::string_view npy,
                             std::string_view safetensors) {
  return described<Unsigned, with_bits<Value, Unsigned>>(type, name, npy, safetensors);
}

constexpr std::array<Description, 13> descriptions = {
    described<std::uint8_t, truth>(ElementType::boolean, "bool", "b1", "BOOL"),
    native<std::int8_t, std::uint8_t>(ElementType::int8, "int8", "i1", "I8"),
    native<std::int16_t, std::uint16_t>(ElementType::int16, "int16", "i2", "I16"),
    native<std::int32_t, std::uint32_t>(ElementType::int32, "int32", "i4", "I32"),
    native<std::int64_t, std::uint64_t>(ElementType::int64, "int64", "i8", "I64"),
    native<std::uint8_t, std::uint8_t>(ElementType::uint8, "uint8", "u1", "U8"),
    native<std::uint16_t, std::uint16_t>(ElementType::uint16, "uint16", "u2", "U16"),
    native<std::uint32_t, std::uint32_t>(ElementType::uint32, "uint32", "u4", "U32"),
    native<std::uint64_t, std::uint64_t>(ElementType::uint64, "uint64", "u8", "U64"),
    described<std::uint16_t, half_to_float>(ElementType::float16, "float16", "f2", "F16"),
    described<std::uint16_t, brain_to_float>(ElementType::bfloat16, "bfloat16", "", "BF16"),
    native<float, std::uint32_t>(ElementType::float32, "float32", "f4", "F32"),
    native<double, std::uint64_t>(ElementType::float64, "float64", "f8", "F64"),
};

const Description& description(ElementType type) { return descriptions.at(static_cast<std::size_t>(type)); }

}  // namespace

std::size_t size_of(ElementType type) { return description(type).size; }

std::string name_of(ElementType type) { return std::string(description(type).name); }

std::optional<ElementType> type_coded(std::string_view code, Coding coding) {
  for (const Description& known : descriptions) {
    if (!code.empty() && code == (coding == Coding::npy ? known.npy : known.safetensors)) return known.type;
  }
  return std::nullopt;
}

template <class T>
void decode(std::string_view bytes, Encoding encoding, T* values) {
  const Description& known = description(encoding.type);
  if constexpr (std::is_same_v<T, float>) {
    known.to_float(bytes, encoding.big_endian, values);
  } else {
    known.to_double(bytes, encoding.big_endian, values);
  }
}

template void decode(std::string_view, Encoding, float*);
template void decode(std::string_view, Encoding, double*);

std::size_t size_of(const StoredTensor& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::size_t{1}, std::multiplies<>());
}

std::string type_of(const StoredTensor& tensor) {
  return tensor.packing.empty() ? name_of(tensor.encoding.type) : std::string(tensor.packing);
}

StoredTensor foreign_tensor(std::string name, std::vector<std::size_t> shape, const Text& type,
                            std::function<void()> refusal) {
  StoredTensor tensor;
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.foreign = type;
  tensor.bytes = [refusal = std::move(refusal)]() -> SharedBytes {
    refusal();
    return {};
  };
  return tensor;
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
