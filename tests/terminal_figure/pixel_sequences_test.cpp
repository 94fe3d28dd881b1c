// Escape sequences that carry a picture, taken apart again.
#include "terminal_figure/pixels.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "plotting/layout/layout.hpp"

using namespace attnlab;

namespace {

/// RFC 4648, without checks.
std::string decoded(const std::string& base64) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char letter : base64) {
    const std::size_t value = letters.find(letter);
    if (value == std::string::npos) break;
    bits = (bits << 6U) | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xffU);
  }
  return bytes;
}

std::string some_bytes(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 31 % 256);
  return bytes;
}

/// Half blue, half white.
Pixels two_colours(std::size_t width, std::size_t height) {
  Pixels pixels{width, height, {}};
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      pixels.values.push_back(column < width / 2 ? 0x0000ffU : 0xffffffU);
    }
  }
  return pixels;
}

}  // namespace

TEST_CASE("kitty gets the file in pieces of at most 4096 letters, all but the last marked m=1") {
  const std::string file = some_bytes(10000);
  const std::string sequence = kitty_sequence(file, 72);
  CHECK(sequence.rfind("\x1b_Ga=T,f=100,q=2,c=72,m=1;", 0) == 0);
  CHECK(sequence.back() == '\n');
  std::string data;
  std::size_t pieces = 0;
  for (std::size_t at = sequence.find("\x1b_G"); at != std::string::npos;
       at = sequence.find("\x1b_G", at + 1)) {
    const std::size_t begin = sequence.find(';', at) + 1;
    const std::size_t end = sequence.find("\x1b\\", begin);
    const std::string keys = sequence.substr(at, begin - at);
    CHECK(end - begin <= 4096);
    data += sequence.substr(begin, end - begin);
    ++pieces;
    CHECK((keys.find("m=0") != std::string::npos) == (sequence.find("\x1b_G", end) == std::string::npos));
  }
  CHECK(pieces == 4);  // 13,336 letters
  CHECK(decoded(data) == file);
}

TEST_CASE("iTerm2 gets the file with its size") {
  const std::string file = some_bytes(1000);
  const std::string sequence = iterm_sequence(file, 72);
  const std::string start = "\x1b]1337;File=inline=1;size=1000;width=72;preserveAspectRatio=1:";
  CHECK(sequence.rfind(start, 0) == 0);
  CHECK(sequence.substr(sequence.size() - 2) == "\a\n");
  CHECK(decoded(sequence.substr(start.size())) == file);
}

// DEC STD 070: DCS q, raster attributes "aspect;aspect;width;height, colours #n;2;r;g;b in per cent, ST.
TEST_CASE("sixels keep the size of the picture and its colours") {
  const std::string sequence = sixel_sequence(two_colours(41, 32));
  CHECK(sequence.rfind("\x1bP", 0) == 0);
  CHECK(sequence.find("\"1;1;41;36") != std::string::npos);  // filled up to rows of six
  CHECK(sequence.find(";2;0;0;100") != std::string::npos);
  CHECK(sequence.find(";2;100;100;100") != std::string::npos);
  CHECK(sequence.substr(sequence.size() - 3) == "\x1b\\\n");
}

TEST_CASE("pixels in memory are those of the page: opaque, paper in the corner") {
  const Text title = Text::same("title");
  const Axis axis{title, Axis::Scale::linear, Interval{}, {}};
  const Figure figure{"figure", title, title, Text::same(""), {{title, Chart{axis, axis, {}}}},
                      0,        {},    {},    false};
  const Page page{lay_out(figure, {Language::en, Theme::dark, {4.0, 3.0}}).list, {}};
  const Pixels pixels = paint_pixels(page, 50.0);
  CHECK(pixels.width == 200);
  CHECK(pixels.height == 150);
  REQUIRE(pixels.values.size() == 200 * 150);
  const auto channel = [](double value) { return static_cast<std::uint32_t>(std::lround(value * 255.0)); };
  const Colour& paper = page.list.background;
  CHECK(pixels.values[0] == (channel(paper.red) << 16U | channel(paper.green) << 8U | channel(paper.blue)));
}
