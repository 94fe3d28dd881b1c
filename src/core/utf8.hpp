// Text that came from outside: decoded character by character, and shown safely in a one-line message.
#pragma once

#include "core/from_chars.hpp"
#include "core/standard.hpp"

#include <system_error>

namespace attnlab {

/// The characters, or nullopt when the bytes are not valid UTF-8 (RFC 3629: no overlong forms, no
/// surrogates).
std::optional<std::u32string> decode_utf8(std::string_view bytes);

std::string encode_utf8(char32_t character);

/// C0 and C1 controls, and the separators U+2028 and U+2029: what would break a line or steer a terminal.
/// U+FFFE and U+FFFF, too, which no XML may hold.
bool is_control(char32_t character);

/// What some editors of Windows put in front of a text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view without_byte_order_mark(std::string_view text);

/// A to Z become a to z; every other byte stays.
std::string lower_case(std::string text);

/// Without these characters at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

/// The parts between any of these marks, empty ones as well: "a", "b" and "" of "a,b,".
std::vector<std::string> split(std::string_view text, std::string_view marks);

/// The text with every `old` in it as `with`; what `with` brings is not looked at again. `old` is not empty.
std::string replaced(std::string text, std::string_view old, std::string_view with);

/// The whole text as one number in decimal, or nothing; as std::from_chars reads it, without a leading plus.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Controls and invalid bytes as \x1b, \u{2028}, all else as it is.
std::string printable(std::string_view bytes);

/// 'text' in quotation marks, printable; cut with "..." after 60 characters.
std::string quotation(std::string_view bytes);

}  // namespace attnlab
