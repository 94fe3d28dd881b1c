// Tables of text as programs write them: where lines and cells end.
#include "core/delimited_text.hpp"

#include <doctest/doctest.h>

#include "core/utf16.hpp"
#include "core/utf8.hpp"

using attnlab::cells_in;
using attnlab::delimited;
using attnlab::DelimitedText;
using attnlab::unquoted;
using attnlab::utf8_of_utf16;

namespace {

/// Each cell in brackets, each line with its number: "1[a][b]".
std::string seen(const DelimitedText& table) {
  std::string all;
  for (const attnlab::TextLine& line : table.lines) {
    all += std::to_string(line.number);
    for (const std::string_view cell : cells_in(line.text, table.separator, 100))
      all += "[" + unquoted(cell) + "]";
  }
  return all;
}

std::string seen(std::string_view text) { return seen(delimited(text, 100)); }

/// `text` in UTF-16 of either byte order, without a byte order mark; of ASCII and the kana alone.
std::string utf16(std::string_view text, bool is_big_endian) {
  std::string bytes;
  const std::optional<std::u32string> characters = attnlab::decode_utf8(text);
  for (const char32_t character : characters.value()) {
    const auto high = static_cast<char>(character >> 8U);
    const auto low = static_cast<char>(character & 0xFFU);
    bytes += is_big_endian ? std::string{high, low} : std::string{low, high};
  }
  return bytes;
}

}  // namespace

TEST_CASE("lines end in LF, CRLF or CR, and empty ones are counted though left out") {
  CHECK(seen("a,b\nc,d\n") == "1[a][b]2[c][d]");
  CHECK(seen("a,b\r\n\r\nc,d") == "1[a][b]3[c][d]");
  CHECK(seen("a,b\rc,d\r") == "1[a][b]2[c][d]");
  CHECK(seen("\n \t\n") == "");
}

TEST_CASE("a quoted cell may hold separators, quotation marks and ends of lines (RFC 4180)") {
  CHECK(seen("\"a,b\",\"say \"\"x\"\"\"\n") == "1[a,b][say \"x\"]");
  CHECK(seen("\"a\r\nb\",c\nd,e\n") == "1[a\r\nb][c]3[d][e]");
  CHECK(seen("x, \"a;b\" ,5\" wide\n") == "1[x][a;b][5\" wide]");
  CHECK(seen("\"\",\"\"\"\"\n") == "1[][\"]");
  CHECK(delimited("a\n\"b\nc\n", 100).unclosed == 2);
}

TEST_CASE("the separator is what Excel's line sep= says, or what the first line has") {
  CHECK(seen("sep=;\r\n1,5;2,5\r\n") == "2[1,5][2,5]");
  CHECK(seen("1,5;2,5\n") == "1[1,5][2,5]");
  CHECK(seen("1,5\t2,5\n") == "1[1,5][2,5]");
  CHECK(seen("1,\t2\n") == "1[1][2]");
  CHECK(seen("\"a;b\",c\n") == "1[a;b][c]");
  CHECK(seen("a  b c \n") == "1[a][b][c]");
  CHECK(seen("a\t\tb\n") == "1[a][][b]");
}

TEST_CASE("comments are left out whatever quotation marks they hold, where there are any") {
  CHECK(seen(delimited("# 5\" of\n1,2\n", 100, "#")) == "2[1][2]");
  CHECK(seen("#1,A\n") == "1[#1][A]");
}

TEST_CASE("UTF-16 is known by its mark, or by its zeros, in either byte order") {
  const std::string text = "id,name\n1,\xE3\x81\x82\xE3\x81\x84\n";
  for (const bool is_big_endian : {false, true}) {
    const std::string bytes = utf16(text, is_big_endian);
    CHECK(utf8_of_utf16(bytes) == text);
    CHECK(utf8_of_utf16((is_big_endian ? "\xFE\xFF" : "\xFF\xFE") + bytes) == text);
    const std::string kana = utf16("\xE3\x81\x82", is_big_endian);  // no zeros: the mark alone tells
    CHECK(utf8_of_utf16((is_big_endian ? "\xFE\xFF" : "\xFF\xFE") + kana) == "\xE3\x81\x82");
  }
  CHECK(utf8_of_utf16(std::string("\xFF\xFE\x3D\xD8\x00\xDE", 6)) == "\xF0\x9F\x98\x80");  // a surrogate pair
  CHECK(!utf8_of_utf16(std::string("\xFF\xFE\x3D\xD8", 4)));                               // half of one
  CHECK(!utf8_of_utf16(text));
  CHECK(!utf8_of_utf16(""));
  CHECK(!utf8_of_utf16("0.5,0.25,0.125,0.0625,\xE3\x81\x82\n"));
}
