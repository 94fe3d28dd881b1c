#include "terminal_figure/picture.hpp"

#include "core/terminal_width.hpp"
#include "core/utf8.hpp"

namespace attnlab::terminal_figure {
namespace {

// xterm's palette: 16 colours that users change, a cube of 6 x 6 x 6, and 24 greys.
constexpr int first_of_cube = 16;
constexpr int first_grey = 232;
constexpr int entries = 256;

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

/// The colour of an entry beyond those that users change.
Bytes bytes_of_entry(int index) {
  const auto level = [](int step) { return step == 0 ? 0 : 55 + 40 * step; };
  if (index < first_grey) {
    const int place = index - first_of_cube;
    return {level(place / 36), level(place / 6 % 6), level(place % 6)};
  }
  const int byte = 8 + 10 * (index - first_grey);
  return {byte, byte, byte};
}

int nearest_entry(const Colour& colour) {
  const Bytes wanted = bytes_of(colour);
  int nearest = first_of_cube;
  for (int index = first_of_cube + 1; index < entries; ++index) {
    if (distance(bytes_of_entry(index), wanted) < distance(bytes_of_entry(nearest), wanted)) nearest = index;
  }
  return nearest;
}

constexpr int letter_code = 38;
constexpr int paper_code = 48;

std::string colour_code(int code, const Colour& colour, TerminalColours colours) {
  if (colours == TerminalColours::palette_256) return fmt::format(";{};5;{}", code, nearest_entry(colour));
  const Bytes bytes = bytes_of(colour);
  return fmt::format(";{};2;{};{};{}", code, bytes.red, bytes.green, bytes.blue);
}

bool same(const std::optional<Colour>& one, const std::optional<Colour>& other) {
  if (!one || !other) return one.has_value() == other.has_value();
  return one->red == other->red && one->green == other->green && one->blue == other->blue;
}

/// In text that is no UTF-8, a question mark stands for each byte beyond ASCII.
std::u32string characters_of(std::string_view text) {
  if (std::optional<std::u32string> characters = decode_utf8(text)) return *characters;
  std::u32string characters;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    characters += code < 0x80 ? static_cast<char32_t>(code) : U'?';
  }
  return characters;
}

/// A long word cut at the width.
std::vector<std::string> cut(const std::string& line, std::size_t width) {
  std::vector<std::string> pieces(1);
  std::size_t column = 0;
  for (const char32_t character : characters_of(line)) {
    const std::string bytes = encode_utf8(character);
    const std::size_t columns = display_width(bytes);
    if (column + columns > width) {
      pieces.emplace_back();
      column = 0;
    }
    pieces.back() += bytes;
    column += columns;
  }
  return pieces;
}

}  // namespace

bool operator==(const Look& one, const Look& other) {
  return same(one.letter, other.letter) && same(one.paper, other.paper) && one.emphasis == other.emphasis;
}

Colour shown_colour(const Colour& colour, TerminalColours colours) {
  if (colours != TerminalColours::palette_256) return colour;
  const Bytes bytes = bytes_of_entry(nearest_entry(colour));
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

Picture::Picture(std::size_t width, std::size_t height)
    : width_(width), height_(height), characters_(width * height) {}

/// Half of a wide character cannot stay when the other half is written over.
void Picture::clear_halves(const Spot& spot) {
  if (at(spot).bytes.empty() && spot.column > 0) at({spot.column - 1, spot.line}).bytes = " ";
  const bool right_is_half = spot.column + 1 < width_ && at({spot.column + 1, spot.line}).bytes.empty();
  if (right_is_half && !at(spot).bytes.empty()) at({spot.column + 1, spot.line}).bytes = " ";
}

void Picture::write(const Spot& spot, std::string_view text, const Look& look) {
  if (spot.line >= height_) return;
  std::size_t column = spot.column;
  for (const char32_t character : characters_of(text)) {
    const std::string bytes = is_control(character) ? " " : encode_utf8(character);
    const std::size_t columns = display_width(bytes);
    if (column + columns > width_) return;
    if (columns == 0) {
      if (column > spot.column) at({column - 1, spot.line}).bytes += bytes;  // an accent on the letter before
      continue;
    }
    for (std::size_t i = 0; i < columns; ++i) {
      const Spot here{column + i, spot.line};
      clear_halves(here);
      const std::optional<Colour> paper = look.paper ? look.paper : at(here).look.paper;
      at(here) = {i == 0 ? bytes : "", {look.letter, paper, look.emphasis}, true};
    }
    column += columns;
  }
}

void Picture::paint(const Spot& corner, std::size_t width, std::size_t height, const Colour& paper) {
  for (std::size_t line = corner.line; line < std::min(corner.line + height, height_); ++line) {
    for (std::size_t column = corner.column; column < std::min(corner.column + width, width_); ++column) {
      at({column, line}).look.paper = paper;
    }
  }
}

void Picture::lay(const Spot& corner, const Picture& other) {
  for (std::size_t line = 0; line < other.height() && corner.line + line < height_; ++line) {
    for (std::size_t column = 0; column < other.width() && corner.column + column < width_; ++column) {
      at({corner.column + column, corner.line + line}) = other.at({column, line});
    }
  }
}

std::string Picture::line_text(std::size_t line, TerminalColours colours) const {
  std::size_t end = width_;
  const auto shows_nothing = [&](const Character& character) {
    return character.bytes == " " && (colours == TerminalColours::none || !character.look.paper);
  };
  while (end > 0 && shows_nothing(at({end - 1, line}))) --end;
  std::string text;
  Look current;
  for (std::size_t column = 0; column < end; ++column) {
    const Character& character = at({column, line});
    if (!(character.look == current)) text += escape(character.look, colours);
    current = character.look;
    text += character.bytes;
  }
  if (!(current == Look{})) text += escape({}, colours);
  return text;
}

std::string Picture::text(TerminalColours colours) const {
  std::string text;
  for (std::size_t line = 0; line < height_; ++line) text += line_text(line, colours) + '\n';
  return text;
}

std::string elided(const std::string& text, std::size_t columns) {
  return display_width(text) <= columns ? text : cut(text, columns - 1).front() + "…";
}

Picture paragraph(const std::string& text, std::size_t width, const Look& look) {
  if (text.empty()) return {0, 0};
  std::vector<std::string> lines;
  std::size_t widest = 0;
  for (const std::string& line : wrapped(text, width)) {
    for (std::string& piece : cut(line, width)) {
      widest = std::max(widest, display_width(piece));
      lines.push_back(std::move(piece));
    }
  }
  Picture picture(widest, lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) picture.write({0, i}, lines[i], look);
  return picture;
}

Picture stacked(const std::vector<Picture>& pictures, std::size_t gap) {
  std::size_t width = 0;
  std::size_t height = 0;
  for (const Picture& picture : pictures) {
    if (picture.height() == 0) continue;
    width = std::max(width, picture.width());
    height += picture.height() + (height == 0 ? 0 : gap);
  }
  Picture all(width, height);
  std::size_t line = 0;
  for (const Picture& picture : pictures) {
    if (picture.height() == 0) continue;
    all.lay({0, line}, picture);
    line += picture.height() + gap;
  }
  return all;
}

Picture beside(const std::vector<Picture>& pictures, std::size_t gap) {
  std::size_t width = 0;
  std::size_t height = 0;
  for (const Picture& picture : pictures) {
    width += picture.width() + (width == 0 ? 0 : gap);
    height = std::max(height, picture.height());
  }
  Picture all(width, height);
  std::size_t column = 0;
  for (const Picture& picture : pictures) {
    all.lay({column, 0}, picture);
    column += picture.width() + gap;
  }
  return all;
}

}  // namespace attnlab::terminal_figure
