#include "core/unicode.hpp"

#include <glib.h>

namespace attnlab {

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
  switch (g_unichar_type(character)) {
    case G_UNICODE_CONNECT_PUNCTUATION:
    case G_UNICODE_DASH_PUNCTUATION:
    case G_UNICODE_CLOSE_PUNCTUATION:
    case G_UNICODE_FINAL_PUNCTUATION:
    case G_UNICODE_INITIAL_PUNCTUATION:
    case G_UNICODE_OTHER_PUNCTUATION:
    case G_UNICODE_OPEN_PUNCTUATION: return true;
    default: return false;
  }
}

bool is_nonspacing_mark(char32_t character) {
  return g_unichar_type(character) == G_UNICODE_NON_SPACING_MARK;
}

bool is_other(char32_t character) {
  switch (g_unichar_type(character)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE: return true;
    default: return false;
  }
}

bool is_white_space(char32_t character) {
  if ((character >= U'\t' && character <= U'\r') || character == U'\u0085') return true;
  switch (g_unichar_type(character)) {
    case G_UNICODE_SPACE_SEPARATOR:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR: return true;
    default: return false;
  }
}

std::u32string in_lower_case(char32_t character) {
  if (character == U'\u0130') return U"i\u0307";  // the only one that becomes two
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
