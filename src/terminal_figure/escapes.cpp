#include "terminal_figure/escapes.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "plotting/colour/colour.hpp"

namespace attnlab::terminal_figure {
namespace {

// xterm's palette: 16 colours that users change, a cube of 6 x 6 x 6, and 24 greys.
constexpr std::array<int, 6> cube_levels{0, 95, 135, 175, 215, 255};
constexpr int first_of_cube = 16;
constexpr int first_grey = 232;
constexpr int greys = 24;

struct Bytes {
  int red = 0;
  int green = 0;
  int blue = 0;
};

Bytes bytes_of(const Colour& colour) {
  const auto rgb = static_cast<int>(to_hex(colour));
  return {rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff};
}

int distance(const Bytes& one, const Bytes& other) {
  const auto square = [](int difference) { return difference * difference; };
  return square(one.red - other.red) + square(one.green - other.green) + square(one.blue - other.blue);
}

int nearest_level(int byte) {
  int nearest = 0;
  for (int level = 1; level < static_cast<int>(cube_levels.size()); ++level) {
    if (std::abs(cube_levels.at(static_cast<std::size_t>(level)) - byte) <
        std::abs(cube_levels.at(static_cast<std::size_t>(nearest)) - byte)) {
      nearest = level;
    }
  }
  return nearest;
}

struct Entry {
  int index = 0;
  Bytes bytes;
};

Entry nearest_entry(const Colour& colour) {
  const Bytes wanted = bytes_of(colour);
  const auto level = [](int index) { return cube_levels.at(static_cast<std::size_t>(index)); };
  const Bytes place{nearest_level(wanted.red), nearest_level(wanted.green), nearest_level(wanted.blue)};
  Entry nearest{first_of_cube + 36 * place.red + 6 * place.green + place.blue,
                {level(place.red), level(place.green), level(place.blue)}};
  for (int grey = 0; grey < greys; ++grey) {
    const int byte = 8 + 10 * grey;
    const Bytes bytes{byte, byte, byte};
    if (distance(bytes, wanted) < distance(nearest.bytes, wanted)) nearest = {first_grey + grey, bytes};
  }
  return nearest;
}

constexpr int letter_code = 38;
constexpr int paper_code = 48;

std::string colour_code(int code, const Colour& colour, TerminalColours colours) {
  if (colours == TerminalColours::palette_256)
    return fmt::format(";{};5;{}", code, nearest_entry(colour).index);
  const Bytes bytes = bytes_of(colour);
  return fmt::format(";{};2;{};{};{}", code, bytes.red, bytes.green, bytes.blue);
}

bool same(const std::optional<Colour>& one, const std::optional<Colour>& other) {
  if (!one || !other) return one.has_value() == other.has_value();
  return one->red == other->red && one->green == other->green && one->blue == other->blue;
}

}  // namespace

bool operator==(const Look& one, const Look& other) {
  return same(one.letter, other.letter) && same(one.paper, other.paper) && one.emphasis == other.emphasis;
}

Colour shown_colour(const Colour& colour, TerminalColours colours) {
  if (colours != TerminalColours::palette_256) return colour;
  const Bytes bytes = nearest_entry(colour).bytes;
  return {bytes.red / 255.0, bytes.green / 255.0, bytes.blue / 255.0};
}

std::string escape(const Look& look, TerminalColours colours) {
  if (colours == TerminalColours::none) return "";
  std::string codes = "0";
  if (look.emphasis == Emphasis::bold) codes += ";1";
  if (look.emphasis == Emphasis::faint) codes += ";2";
  if (look.letter) codes += colour_code(letter_code, *look.letter, colours);
  if (look.paper) codes += colour_code(paper_code, *look.paper, colours);
  return "\x1b[" + codes + "m";
}

}  // namespace attnlab::terminal_figure
