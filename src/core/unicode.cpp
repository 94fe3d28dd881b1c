#include "core/unicode.hpp"

#include <glib.h>

#include "core/utf8.hpp"

namespace attnlab {

namespace {

bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

bool has_category(char32_t character, std::initializer_list<GUnicodeType> categories) {
  return std::find(categories.begin(), categories.end(), g_unichar_type(character)) != categories.end();
}

}  // namespace

std::string_view first_character(std::string_view text) {
  std::size_t end = text.empty() ? 0 : 1;
  while (end < text.size() && goes_on(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view last_character(std::string_view text) {
  std::size_t begin = text.empty() ? 0 : text.size() - 1;
  while (begin > 0 && goes_on(text[begin])) --begin;
  return text.substr(begin);
}

std::string normal_form(const std::string& text, NormalForm form) {
  static constexpr std::array forms{G_NORMALIZE_NFC, G_NORMALIZE_NFD, G_NORMALIZE_NFKC, G_NORMALIZE_NFKD};
  std::string result;
  // GLib stops at the first NUL.
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    char* const part = g_utf8_normalize(text.data() + begin, static_cast<gssize>(end - begin),
                                        forms.at(static_cast<std::size_t>(form)));
    result += part == nullptr ? text.substr(begin, end - begin) : std::string(part);
    g_free(part);
    if (end < text.size()) result += '\0';
    begin = end + 1;
  }
  return result;
}

bool is_punctuation(char32_t character) {
  return has_category(
      character, {G_UNICODE_CONNECT_PUNCTUATION, G_UNICODE_DASH_PUNCTUATION, G_UNICODE_CLOSE_PUNCTUATION,
                  G_UNICODE_FINAL_PUNCTUATION, G_UNICODE_INITIAL_PUNCTUATION, G_UNICODE_OTHER_PUNCTUATION,
                  G_UNICODE_OPEN_PUNCTUATION});
}

bool is_nonspacing_mark(char32_t character) { return has_category(character, {G_UNICODE_NON_SPACING_MARK}); }

bool is_mark(char32_t character) {
  return has_category(character,
                      {G_UNICODE_NON_SPACING_MARK, G_UNICODE_SPACING_MARK, G_UNICODE_ENCLOSING_MARK});
}

bool is_of_word(char32_t character) {
  if (has_category(character, {G_UNICODE_OTHER_SYMBOL}))  // letters in circles and squares
    return (character >= 0x24B6 && character <= 0x24E9) || (character >= 0x1F130 && character <= 0x1F149) ||
           (character >= 0x1F150 && character <= 0x1F169) || (character >= 0x1F170 && character <= 0x1F189);
  return is_mark(character) || character == 0x200C || character == 0x200D ||
         has_category(character,
                      {G_UNICODE_UPPERCASE_LETTER, G_UNICODE_LOWERCASE_LETTER, G_UNICODE_TITLECASE_LETTER,
                       G_UNICODE_MODIFIER_LETTER, G_UNICODE_OTHER_LETTER, G_UNICODE_DECIMAL_NUMBER,
                       G_UNICODE_LETTER_NUMBER, G_UNICODE_CONNECT_PUNCTUATION});
}

bool is_other(char32_t character) {
  return has_category(character,
                      {G_UNICODE_CONTROL, G_UNICODE_FORMAT, G_UNICODE_PRIVATE_USE, G_UNICODE_SURROGATE});
}

bool is_white_space(char32_t character) {
  return (character >= U'\t' && character <= U'\r') || character == U'\u0085' ||
         has_category(character,
                      {G_UNICODE_SPACE_SEPARATOR, G_UNICODE_LINE_SEPARATOR, G_UNICODE_PARAGRAPH_SEPARATOR});
}

bool is_wide(char32_t character) { return g_unichar_iswide(character) != FALSE; }

bool is_japanese(const std::string& text) {
  const std::u32string characters = decode_utf8(text).value_or(U"");
  return std::any_of(characters.begin(), characters.end(), [](char32_t c) {
    return (c >= 0x2e80 && c < 0xa000) || (c >= 0xf900 && c < 0xfb00) || (c >= 0xfe30 && c < 0xfff0) ||
           c >= 0x20000;
  });
}

std::u32string in_lower_case(char32_t character) {
  if (character == U'\u0130') return U"i\u0307";  // the only one that becomes two
  // GLib lowers letters alone: not Roman numbers, nor letters in circles.
  if (character >= 0x2160 && character <= 0x216F) return {character + 0x10};
  if (character >= 0x24B6 && character <= 0x24CF) return {character + 0x1A};
  return {static_cast<char32_t>(g_unichar_tolower(character))};
}

std::string from_base64(const std::string& text) {
  gsize size = 0;
  unsigned char* const bytes = g_base64_decode(text.c_str(), &size);
  std::string result(size, '\0');
  if (size > 0) std::memcpy(result.data(), bytes, size);
  g_free(bytes);
  return result;
}

}  // namespace attnlab
