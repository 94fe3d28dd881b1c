#include "io/packed_blocks.hpp"

#include "io/stored_tensor.hpp"

namespace attnlab {
namespace {

using Bytes = const unsigned char*;

float half_at(Bytes bytes) {
  std::array<char, 2> pair{};
  std::memcpy(pair.data(), bytes, pair.size());
  float value = 0.0F;
  decode({pair.data(), pair.size()}, {ElementType::float16, false}, &value);
  return value;
}

float signed_at(Bytes bytes) { return static_cast<float>(static_cast<signed char>(*bytes)); }

float low(unsigned char byte) { return static_cast<float>(byte & 0xFU); }
float high(unsigned char byte) { return static_cast<float>(byte >> 4U); }

/// scale (2), 32 signed bytes
void unpack_q8_0(Bytes block, float* values) {
  const float scale = half_at(block);
  for (std::size_t i = 0; i < 32; ++i) values[i] = scale * signed_at(block + 2 + i);
}

/// scale (2), 16 bytes: the first half of the values low, the second high
void unpack_q4_0(Bytes block, float* values) {
  const float scale = half_at(block);
  for (std::size_t i = 0; i < 16; ++i) {
    values[i] = scale * (low(block[2 + i]) - 8.0F);
    values[16 + i] = scale * (high(block[2 + i]) - 8.0F);
  }
}

/// scale (2), the fifth bits of all (4), 16 bytes
void unpack_q5_0(Bytes block, float* values) {
  const float scale = half_at(block);
  const auto fifth = [&](std::size_t i) {
    return (unsigned{block[2 + i / 8]} >> i % 8 & 1U) == 1 ? 16.0F : 0.0F;
  };
  for (std::size_t i = 0; i < 16; ++i) {
    values[i] = scale * (low(block[6 + i]) + fifth(i) - 16.0F);
    values[16 + i] = scale * (high(block[6 + i]) + fifth(16 + i) - 16.0F);
  }
}

/// scale (2), offset (2), where there are five bits the fifth of all (4), 16 bytes
template <bool has_fifth>
void unpack_with_offset(Bytes block, float* values) {
  const float scale = half_at(block);
  const float offset = half_at(block + 2);
  const Bytes bytes = block + (has_fifth ? 8 : 4);
  const auto fifth = [&](std::size_t i) {
    return has_fifth && (unsigned{block[4 + i / 8]} >> i % 8 & 1U) == 1 ? 16.0F : 0.0F;
  };
  for (std::size_t i = 0; i < 16; ++i) {
    values[i] = scale * (low(bytes[i]) + fifth(i)) + offset;
    values[16 + i] = scale * (high(bytes[i]) + fifth(16 + i)) + offset;
  }
}

/// third bits (32), lower two (64), sixteen scales of 6 bits (12), their scale (2); a third bit of 0 means -4
void unpack_q3_k(Bytes block, float* values) {
  const Bytes scales = block + 96;
  const float scale = half_at(block + 108);
  for (std::size_t i = 0; i < 256; ++i) {
    const std::size_t eighth = i / 32;
    const std::size_t column = i % 32;
    const std::size_t part = i / 16;
    const unsigned two = unsigned{block[32 + eighth / 4 * 32 + column]} >> 2 * (eighth % 4) & 3U;
    const bool has_third = (unsigned{block[column]} >> eighth & 1U) == 1;
    const unsigned four = part < 8 ? scales[part] & 0xFU : scales[part - 8] >> 4U;
    const unsigned six = four | (unsigned{scales[8 + part % 4]} >> 2 * (part / 4) & 3U) << 4U;
    values[i] =
        scale * (static_cast<float>(six) - 32.0F) * (static_cast<float>(two) - (has_third ? 0.0F : 4.0F));
  }
}

/// Eight scales and eight offsets of 6 bits each, in 12 bytes.
struct SixBits {
  float scale = 0.0F;
  float offset = 0.0F;
};
SixBits six_bits(Bytes packed, std::size_t i) {
  const unsigned first = packed[i];
  const unsigned second = packed[i + 4];
  if (i < 4) return {static_cast<float>(first & 63U), static_cast<float>(second & 63U)};
  const unsigned before = packed[i - 4];
  return {static_cast<float>((second & 0xFU) | before >> 6U << 4U),
          static_cast<float>(second >> 4U | first >> 6U << 4U)};
}

/// scale of the scales (2), of the offsets (2), these (12), of Q5_K the fifth bits of all (32), 128 bytes: of
/// each 32 the low halves, then the high
template <bool has_fifth>
void unpack_k(Bytes block, float* values) {
  const float scale = half_at(block);
  const float offset = half_at(block + 2);
  for (std::size_t part = 0; part < 8; ++part) {
    const SixBits six = six_bits(block + 4, part);
    const Bytes bytes = block + (has_fifth ? 48 : 16) + part / 2 * 32;
    for (std::size_t i = 0; i < 32; ++i) {
      float number = part % 2 == 0 ? low(bytes[i]) : high(bytes[i]);
      if (has_fifth && (unsigned{block[16 + i]} >> part & 1U) == 1) number += 16.0F;
      *values++ = scale * six.scale * number - offset * six.offset;
    }
  }
}

/// low four bits (128), upper two (64), sixteen signed scales (16), their scale (2)
void unpack_q6_k(Bytes block, float* values) {
  const float scale = half_at(block + 208);
  for (std::size_t i = 0; i < 256; ++i) {
    const std::size_t half = i / 128;
    const std::size_t quarter = i % 128 / 32;
    const std::size_t column = i % 32;
    const unsigned char four_bits = block[half * 64 + quarter % 2 * 32 + column];
    const unsigned four = quarter < 2 ? four_bits & 0xFU : four_bits >> 4U;
    const unsigned two = unsigned{block[128 + half * 32 + column]} >> 2 * quarter & 3U;
    values[i] = scale * signed_at(block + 192 + i / 16) * (static_cast<float>(four | two << 4U) - 32.0F);
  }
}

}  // namespace

const BlockCoding* block_coding(std::uint32_t number) {
  static const std::map<std::uint32_t, BlockCoding> codings{
      {2, {"Q4_0", 32, 18, unpack_q4_0}},        {3, {"Q4_1", 32, 20, unpack_with_offset<false>}},
      {6, {"Q5_0", 32, 22, unpack_q5_0}},        {7, {"Q5_1", 32, 24, unpack_with_offset<true>}},
      {11, {"Q3_K", 256, 110, unpack_q3_k}},     {8, {"Q8_0", 32, 34, unpack_q8_0}},
      {12, {"Q4_K", 256, 144, unpack_k<false>}}, {13, {"Q5_K", 256, 176, unpack_k<true>}},
      {14, {"Q6_K", 256, 210, unpack_q6_k}}};
  const auto found = codings.find(number);
  return found == codings.end() ? nullptr : &found->second;
}

std::string name_of_coding(std::uint32_t number) {
  static const std::map<std::uint32_t, std::string> names{
      {9, "Q8_1"},     {10, "Q2_K"},  {15, "Q8_K"},   {16, "IQ2_XXS"}, {17, "IQ2_XS"},
      {18, "IQ3_XXS"}, {19, "IQ1_S"}, {20, "IQ4_NL"}, {21, "IQ3_S"},   {22, "IQ2_S"},
      {23, "IQ4_XS"},  {29, "IQ1_M"}, {34, "TQ1_0"},  {35, "TQ2_0"},   {39, "MXFP4"}};
  const auto found = names.find(number);
  return found == names.end() ? fmt::format("type {}", number) : found->second;
}

}  // namespace attnlab
