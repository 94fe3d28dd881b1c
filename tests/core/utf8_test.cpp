// Outside text: what is valid, and how it is shown without harm.
#include "core/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

using attnlab::decode_utf8;
using attnlab::encode_utf8;
using attnlab::quotation;

TEST_CASE("encoding and decoding undo each other for every character") {
  std::size_t wrong = 0;
  for (char32_t character = 0; character <= 0x10FFFF; ++character) {
    if (character == 0xD800) character = 0xE000;  // surrogates are no characters
    if (decode_utf8(encode_utf8(character)) != std::u32string(1, character)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Japanese text has as many characters as it shows") { CHECK(decode_utf8("吾輩は猫")->size() == 4); }

TEST_CASE("overlong forms and surrogates and cut or stray bytes are not UTF-8") {
  for (const char* bytes : {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
                            "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80",
                            "\xFF", "a\xE7\x8C", "\xE7\x8C\x41", "\xE7"}) {
    CHECK_FALSE(decode_utf8(bytes).has_value());
  }
  CHECK(decode_utf8("").has_value());
}

TEST_CASE("a quotation holds no control character and says which one stood there") {
  CHECK(quotation("猫 a") == "'猫 a'");
  CHECK(quotation("a\n\x1b[31m") == "'a\\x0a\\x1b[31m'");
  CHECK(quotation("\u0085") == "'\\x85'");
  CHECK(quotation("a\u2028b") == "'a\\u{2028}b'");
  CHECK(quotation("\xFF\xE7") == "'\\xff\\xe7'");
  CHECK(quotation(std::string("a\0b", 3)) == "'a\\x00b'");
}

TEST_CASE("lower case changes Latin capitals alone") {
  CHECK(attnlab::lower_case("Files.PNG") == "files.png");
  CHECK(attnlab::lower_case("Ｐ猫É") == "Ｐ猫É");
}

TEST_CASE("every occurrence is replaced, and what is put there is not looked at again") {
  CHECK(attnlab::replaced("10×20×30", "×", "x") == "10x20x30");
  CHECK(attnlab::replaced("a", "a", "aa") == "aa");
  CHECK(attnlab::replaced("&amp;lt;", "&amp;", "&") == "&lt;");
  CHECK(attnlab::replaced("aaa", "aa", "") == "a");
  CHECK(attnlab::replaced("", "a", "b").empty());
}

TEST_CASE("a long text is cut between characters") {
  std::string cats;
  for (int i = 0; i < 60; ++i) cats += "猫";
  CHECK(quotation(cats) == "'" + cats + "'");
  CHECK(quotation(cats + "猫猫") == "'" + cats + "...'");
}
