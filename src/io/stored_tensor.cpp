// Bytes in the order of this machine become what is stored, and that becomes the number.
#include "io/stored_tensor.hpp"

namespace attnlab {
namespace {

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

/// Stored numbers, of which `value_of` makes the values, as T.
template <class Stored, auto value_of, class T>
void decode_all(std::string_view bytes, T* values) {
  const std::size_t count = bytes.size() / sizeof(Stored);
  for (std::size_t i = 0; i < count; ++i) {
    Stored stored{};
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    values[i] = static_cast<T>(value_of(stored));
  }
}

struct Description {
  ElementType type;
  std::string_view name;
  std::string_view npy;  // "" where it has none
  std::string_view safetensors;
  std::size_t size;
  void (*to_float)(std::string_view bytes, float* values);
  void (*to_double)(std::string_view bytes, double* values);
};

template <class Stored, auto value_of>
constexpr Description described(ElementType type, std::string_view name, std::string_view npy,
                                std::string_view safetensors) {
  return {type,
          name,
          npy,
          safetensors,
          sizeof(Stored),
          decode_all<Stored, value_of, float>,
          decode_all<Stored, value_of, double>};
}

template <class Value>
Value itself(Value value) {
  return value;
}

/// A type that the machine has itself.
template <class Value>
constexpr Description native(ElementType type, std::string_view name, std::string_view npy,
                             std::string_view safetensors) {
  return described<Value, itself<Value>>(type, name, npy, safetensors);
}

constexpr std::array<Description, 13> descriptions = {
    described<std::uint8_t, truth>(ElementType::boolean, "bool", "b1", "BOOL"),
    native<std::int8_t>(ElementType::int8, "int8", "i1", "I8"),
    native<std::int16_t>(ElementType::int16, "int16", "i2", "I16"),
    native<std::int32_t>(ElementType::int32, "int32", "i4", "I32"),
    native<std::int64_t>(ElementType::int64, "int64", "i8", "I64"),
    native<std::uint8_t>(ElementType::uint8, "uint8", "u1", "U8"),
    native<std::uint16_t>(ElementType::uint16, "uint16", "u2", "U16"),
    native<std::uint32_t>(ElementType::uint32, "uint32", "u4", "U32"),
    native<std::uint64_t>(ElementType::uint64, "uint64", "u8", "U64"),
    described<std::uint16_t, half_to_float>(ElementType::float16, "float16", "f2", "F16"),
    described<std::uint16_t, brain_to_float>(ElementType::bfloat16, "bfloat16", "", "BF16"),
    native<float>(ElementType::float32, "float32", "f4", "F32"),
    native<double>(ElementType::float64, "float64", "f8", "F64"),
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
  std::string turned;
  if (encoding.big_endian != is_big_endian_here) {
    turned = bytes;
    char* const end = turned.data() + turned.size() / known.size * known.size;
    for (char* at = turned.data(); at < end; at += known.size) std::reverse(at, at + known.size);
    bytes = turned;
  }
  if constexpr (std::is_same_v<T, float>) {
    known.to_float(bytes, values);
  } else {
    known.to_double(bytes, values);
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

StoredTensor lying_tensor(std::string name, ElementType type, std::vector<std::size_t> shape,
                          SharedBytes bytes, std::size_t offset) {
  StoredTensor tensor;
  tensor.name = std::move(name);
  tensor.encoding.type = type;
  tensor.shape = std::move(shape);
  tensor.offset = offset;
  tensor.bytes = [bytes = std::move(bytes)] { return bytes; };
  return tensor;
}

template <class T>
StoredTensor spelt_out(std::string name, std::vector<std::size_t> shape, std::vector<T> values) {
  const auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  const void* const begin = owner->data();
  const std::string_view bytes(static_cast<const char*>(begin), owner->size() * sizeof(T));
  StoredTensor tensor =
      lying_tensor(std::move(name), std::is_same_v<T, float> ? ElementType::float32 : ElementType::float64,
                   std::move(shape), {bytes, owner}, 0);
  tensor.encoding.big_endian = is_big_endian_here;
  return tensor;
}

template StoredTensor spelt_out(std::string, std::vector<std::size_t>, std::vector<float>);
template StoredTensor spelt_out(std::string, std::vector<std::size_t>, std::vector<double>);

}  // namespace attnlab
