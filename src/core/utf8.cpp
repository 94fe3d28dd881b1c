#include "core/utf8.hpp"

#include <glib.h>

namespace attnlab {
namespace {

constexpr std::size_t longest_quotation = 60;  // characters

// The character that begins at `position`, which moves behind it; nullopt for an invalid byte, nothing moved.
std::optional<char32_t> next_character(std::string_view bytes, std::size_t& position) {
  const char* at = bytes.data() + position;
  const auto left = static_cast<gssize>(bytes.size() - position);
  const char32_t character =
      *at == '\0' ? U'\0' : g_utf8_get_char_validated(at, left);  // a NUL ends GLib's texts
  if (character > 0x10FFFF) return std::nullopt;
  position += static_cast<std::size_t>(g_utf8_next_char(at) - at);
  return character;
}

/// The same as it can be shown.
std::string next_printable(std::string_view bytes, std::size_t& position) {
  const std::optional<char32_t> character = next_character(bytes, position);
  if (!character) return fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[position++]));
  if (!is_control(*character)) return encode_utf8(*character);
  const auto code = static_cast<unsigned>(*character);
  return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{{{:x}}}", code);
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
  std::array<char, 6> bytes{};
  const gint size = g_unichar_to_utf8(character, bytes.data());
  return {bytes.data(), static_cast<std::size_t>(size)};
}

bool is_control(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x2028 ||
         character == 0x2029 || character == 0xFFFE || character == 0xFFFF;
}

std::string_view without_byte_order_mark(std::string_view text) {
  const bool is_there = text.substr(0, byte_order_mark.size()) == byte_order_mark;
  return text.substr(is_there ? byte_order_mark.size() : 0);
}

std::string lower_case(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string replaced(std::string text, std::string_view old, std::string_view with) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  return text;
}

std::vector<std::string> split(std::string_view text, std::string_view marks) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(marks, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string printable(std::string_view bytes) {
  std::string text;
  for (std::size_t position = 0; position < bytes.size();) text += next_printable(bytes, position);
  return text;
}

std::string quotation(std::string_view bytes) {
  std::string text = "'";
  std::size_t position = 0;
  for (std::size_t count = 0; position < bytes.size(); ++count) {
    if (count == longest_quotation) return text + "...'";
    text += next_printable(bytes, position);
  }
  return text + "'";
}

}  // namespace attnlab
