// What Unicode says of characters, against Python's tables.
#include "core/unicode.hpp"

#include <doctest/doctest.h>

#include "core/sha256.hpp"
#include "core/utf8.hpp"

using namespace attnlab;

namespace {

std::string lower(const std::string& text) {
  std::string result;
  const std::u32string characters = decode_utf8(text).value();
  for (const char32_t character : characters) {
    for (const char32_t one : in_lower_case(character)) result += encode_utf8(one);
  }
  return result;
}

/// Blocks whose letters came after Unicode 14, which Python 3.11 knows.
bool is_newer(char32_t c) {
  return (c >= 0x1C80 && c <= 0x1C8F) || (c >= 0xA7CA && c <= 0xA7DF) || (c >= 0x10D40 && c <= 0x10D8F) ||
         (c >= 0x16EA0 && c <= 0x16EDF);
}

}  // namespace

TEST_CASE("letters and what is like letters become the lower case that Python's str.lower gives them") {
  CHECK(lower("AÉΣЖẞ") == "aéσжß");
  CHECK(lower("Ⅷ Ⅰ Ⅿ ⅷ") == "ⅷ ⅰ ⅿ ⅷ");
  CHECK(lower("Ⓐ Ⓩ ⓐ") == "ⓐ ⓩ ⓐ");
  CHECK(lower("İK Å") == "i̇k å");
  CHECK(lower("章 ① ㊤ 🅐") == "章 ① ㊤ 🅐");
}

TEST_CASE("every character becomes the lower case that Python's str.lower gives it") {
  // hashlib.sha256(''.join(f'{c:X} {ord(chr(c).lower()):X}\n' for c in range(0x110000) if not 0xD800 <= c <
  // 0xE000 and c != 0x130 and not is_newer(c) and chr(c).lower() != chr(c)).encode()).hexdigest(),
  // Python 3.11
  std::string lines;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if ((c >= 0xD800 && c < 0xE000) || c == 0x130 || is_newer(c)) continue;
    const std::u32string lowered = in_lower_case(c);
    if (lowered != std::u32string(1, c))
      lines += fmt::format("{:X} {:X}\n", static_cast<unsigned>(c), static_cast<unsigned>(lowered.at(0)));
  }
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 1429);
  CHECK(sha256(lines) == "854875a1efb0955c868d14bd9e2eab459507b741ba8a2b6ae6f72072ded2070a");
}

TEST_CASE("a word is made of letters, marks, decimal and Roman numbers, connectors and joiners") {
  for (const char32_t c : std::u32string(U"aéΣ名ﾀ٣Ⅷ_‿Ⓐⓩ🄰\u0301\u0903\u20DD\u200D")) {
    CAPTURE(encode_utf8(c));
    CHECK(is_of_word(c));
  }
  for (const char32_t c : std::u32string(U" \t-.½²①💬。<\u200B")) {
    CAPTURE(encode_utf8(c));
    CHECK_FALSE(is_of_word(c));
  }
}

TEST_CASE("a text's first and last character are cut at their bytes") {
  CHECK(first_character("é日") == "é");
  CHECK(last_character("é日") == "日");
  CHECK(first_character("").empty());
  CHECK(last_character("").empty());
}
