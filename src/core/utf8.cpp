#include "core/utf8.hpp"

#include <array>
#include <cstdio>

namespace attnlab {
namespace {

constexpr std::size_t longest_quotation = 60;  // characters

unsigned byte_at(std::string_view bytes, std::size_t position) {
  return static_cast<unsigned char>(bytes[position]);
}

std::size_t sequence_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;  // 0xC0 and 0xC1 only begin overlong forms
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// The character that begins at `position`, which moves behind it; nullopt for an invalid byte, nothing moved.
std::optional<char32_t> next_character(std::string_view bytes, std::size_t& position) {
  const unsigned lead = byte_at(bytes, position);
  const std::size_t length = sequence_length(lead);
  if (length == 0 || position + length > bytes.size()) return std::nullopt;
  constexpr std::array<unsigned, 5> lead_bits{0, 0x7F, 0x1F, 0x0F, 0x07};
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  char32_t character = lead & lead_bits.at(length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned byte = byte_at(bytes, position + i);
    if ((byte & 0xC0U) != 0x80U) return std::nullopt;
    character = (character << 6U) | (byte & 0x3FU);
  }
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (character < least.at(length) || character > 0x10FFFF || surrogate) return std::nullopt;
  position += length;
  return character;
}

std::string hexadecimal(const char* format, unsigned value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::optional<std::u32string> decode_utf8(std::string_view bytes) {
  std::u32string characters;
  std::size_t position = 0;
  while (position < bytes.size()) {
    const std::optional<char32_t> character = next_character(bytes, position);
    if (!character) return std::nullopt;
    characters += *character;
  }
  return characters;
}

std::string encode_utf8(char32_t character) {
  std::string bytes;
  const auto tail = [&](unsigned shift) {
    bytes += static_cast<char>(0x80U | (static_cast<unsigned>(character >> shift) & 0x3FU));
  };
  if (character < 0x80) {
    bytes += static_cast<char>(character);
  } else if (character < 0x800) {
    bytes += static_cast<char>(0xC0U | static_cast<unsigned>(character >> 6U));
    tail(0);
  } else if (character < 0x10000) {
    bytes += static_cast<char>(0xE0U | static_cast<unsigned>(character >> 12U));
    tail(6);
    tail(0);
  } else {
    bytes += static_cast<char>(0xF0U | static_cast<unsigned>(character >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return bytes;
}

bool is_control(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x2028 ||
         character == 0x2029;
}

std::string lower_case(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

std::string quotation(std::string_view bytes) {
  std::string text = "'";
  std::size_t position = 0;
  for (std::size_t count = 0; position < bytes.size(); ++count) {
    if (count == longest_quotation) return text + "...'";
    const std::optional<char32_t> character = next_character(bytes, position);
    if (!character) {
      text += hexadecimal("\\x%02x", byte_at(bytes, position++));
    } else if (is_control(*character)) {
      text += hexadecimal(*character < 0x100 ? "\\x%02x" : "\\u{%x}", static_cast<unsigned>(*character));
    } else {
      text += encode_utf8(*character);
    }
  }
  return text + "'";
}

}  // namespace attnlab
