// Columns of a terminal, and lines that end where Japanese and English lines may end.
#include "core/terminal_width.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using attnlab::display_width;
using attnlab::wrapped;
using Lines = std::vector<std::string>;

namespace {

// What is left when the breaks and the spaces at them are taken out.
std::string without_spaces(const std::string& text) {
  std::string result;
  for (const char character : text) {
    if (character != ' ') result += character;
  }
  return result;
}

}  // namespace

TEST_CASE("East Asian characters count two columns and combining marks none") {
  CHECK(display_width("") == 0);
  CHECK(display_width("weights") == 7);
  CHECK(display_width("注意度") == 6);
  CHECK(display_width("ﾊﾝｶｸ") == 4);
  CHECK(display_width("\u304B\u3099") == 2);  // か with a combining voiced mark
  CHECK(display_width("e\u0301") == 1);       // e with a combining accent
  CHECK(display_width("QKᵀ / √d") == 8);
}

TEST_CASE("English is broken at spaces and never inside a word") {
  CHECK(wrapped("the weights of one row sum to one", 12) == Lines{"the weights", "of one row", "sum to one"});
  CHECK(wrapped("a incomprehensibilities b", 6) == Lines{"a", "incomprehensibilities", "b"});
  CHECK(wrapped("", 10) == Lines{""});
}

TEST_CASE("Japanese is broken between characters at full lines") {
  CHECK(wrapped("注意度の和は一になる", 8) == Lines{"注意度の", "和は一に", "なる"});
}

TEST_CASE("no line begins with a closing mark and none ends with an opening one") {
  CHECK(wrapped("注意度の。和", 8) == Lines{"注意度", "の。和"});
  CHECK(wrapped("重みは「和」です", 8) == Lines{"重みは", "「和」で", "す"});
  CHECK(wrapped("ソフトマックスー", 14) == Lines{"ソフトマック", "スー"});
}

TEST_CASE("wrapping loses no character and keeps to the width") {
  const std::string text =
      "softmax（ソフトマックス）は、スコアの大小を保ったまま和を 1 にする関数で、「指数の和」で割ります。Adding a constant to every score changes nothing，と言えます。";
  for (std::size_t columns = 24; columns <= 100; ++columns) {
    std::string joined;
    for (const std::string& line : wrapped(text, columns)) {
      CHECK(display_width(line) <= columns);
      joined += line;
    }
    CHECK(without_spaces(joined) == without_spaces(text));
  }
}

TEST_CASE("a line feed ends a line") { CHECK(wrapped("a\n\nb", 10) == Lines{"a", "", "b"}); }
