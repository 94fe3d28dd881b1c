// Characters in their columns, and the colours that a terminal is told.
#include "terminal_figure/picture.hpp"

#include <doctest/doctest.h>

#include <string>

#include "plotting/colour/palette.hpp"
#include "terminal_figure/canvas.hpp"

using namespace attnlab;
using namespace attnlab::terminal_figure;

namespace {

std::string plain(const Picture& picture) { return picture.text(TerminalColours::none); }

}  // namespace

TEST_CASE("East Asian characters take two columns, and half of one never stays") {
  Picture picture(6, 1);
  picture.write({0, 0}, "注意度");
  CHECK(plain(picture) == "注意度\n");
  picture.write({2, 0}, "x");  // on the left half of 意
  CHECK(plain(picture) == "注x 度\n");
  picture.write({5, 0}, "y");  // on the right half of 度
  CHECK(plain(picture) == "注x  y\n");
}

TEST_CASE("what would leave the picture is cut off, a wide character whole") {
  Picture picture(5, 1);
  picture.write({0, 0}, "注意度");
  CHECK(plain(picture) == "注意\n");
  picture.write({0, 7}, "below");
  CHECK(plain(picture) == "注意\n");
}

TEST_CASE("controls become spaces and broken UTF-8 question marks, so that no label steers the terminal") {
  Picture picture(12, 2);
  picture.write({0, 0}, "a\x1b[31mb\n");
  picture.write({0, 1}, "c\xff\xfe");
  CHECK(plain(picture) == "a [31mb\nc??\n");
}

TEST_CASE("a paragraph keeps to its width, cuts words that are longer and begins no line with 、or 。") {
  CHECK(plain(paragraph("the weights of one row", 11)) == "the weights\nof one row\n");
  CHECK(plain(paragraph("abcdefgh", 3)) == "abc\ndef\ngh\n");
  CHECK(plain(paragraph("注意度、重み", 6)) == "注意\n度、重\nみ\n");
  CHECK(paragraph("", 10).height() == 0);
}

TEST_CASE("pictures stand side by side and one below the other") {
  const Picture one = paragraph("a b", 1);
  const Picture two = paragraph("重み", 10);
  CHECK(plain(beside({one, two}, 2)) == "a  重み\nb\n");
  CHECK(plain(stacked({one, two}, 1)) == "a\nb\n\n重み\n");
}

TEST_CASE("24-bit colours are written out and end with the line") {
  Picture picture(2, 2);
  picture.paint({0, 0}, 2, 1, from_hex(0x08306b));
  picture.write({1, 0}, "x", {from_hex(0xffffff), {}, Emphasis::bold});
  CHECK(picture.text(TerminalColours::direct) ==
        "\x1b[0;48;2;8;48;107m \x1b[0;1;38;2;255;255;255;48;2;8;48;107mx\x1b[0m\n\n");
  CHECK(plain(picture) == " x\n\n");
}

// The numbers of xterm's palette: https://www.ditig.com/publications/256-colors-cheat-sheet
TEST_CASE("of 256 colours the nearest is taken") {
  const auto paper = [](unsigned int rgb) {
    return escape({{}, from_hex(rgb), {}}, TerminalColours::palette_256);
  };
  CHECK(paper(0x000000) == "\x1b[0;48;5;16m");
  CHECK(paper(0xffffff) == "\x1b[0;48;5;231m");
  CHECK(paper(0xff0000) == "\x1b[0;48;5;196m");
  CHECK(paper(0x5f87af) == "\x1b[0;48;5;67m");
  CHECK(paper(0x5e88ae) == "\x1b[0;48;5;67m");
  CHECK(paper(0x808080) == "\x1b[0;48;5;244m");
  CHECK(paper(0x121212) == "\x1b[0;48;5;233m");
}

// Unicode's block "Braille Patterns": dots 1 2 3 7 down the left, 4 5 6 8 down the right, bits 0 to 7.
TEST_CASE("lines become the Braille dots that they pass") {
  const auto drawn = [](const std::vector<Fraction>& points, const Dashes& dashes) {
    DotCanvas dots(2, 1);
    dots.draw_line(points, dashes, {});
    Picture picture(2, 1);
    dots.lay_under(picture, {0, 0});
    return plain(picture);
  };
  CHECK(drawn({{0.0, 1.0}, {1.0, 1.0}}, solid) == "⠉⠉\n");  // U+2809: dots 1 and 4
  CHECK(drawn({{0.0, 0.0}, {1.0, 0.0}}, solid) == "⣀⣀\n");  // U+28C0: dots 7 and 8
  CHECK(drawn({{0.0, 0.0}, {1.0, 1.0}}, solid) == "⡠⠊\n");  // dots 7 and 6, then 2 and 4
  CHECK(drawn({{0.0, 1.0}, {1.0, 1.0}}, {1, 1}) == "⠁⠁\n");
  CHECK(drawn({{0.0, 1.0}, {3.0, 1.0}}, solid) == "⠉⠉\n");  // clipped
}

TEST_CASE("letters go before dots") {
  DotCanvas dots(3, 1);
  dots.draw_line({{0.0, 1.0}, {1.0, 1.0}}, solid, {});
  Picture picture(3, 1);
  picture.write({1, 0}, "x");
  dots.lay_under(picture, {0, 0});
  CHECK(plain(picture) == "⠉x⠉\n");
  CHECK(dots.has_dots({1, 0}));
}
