// A rectangle of characters, each with its look: what panels are drawn on and put together from.
#pragma once

#include "plotting/layout/style.hpp"

namespace attnlab {

/// What the terminal can do: nothing, xterm's palette of 256 colours, or any 24-bit colour.
enum class TerminalColours { none, palette_256, direct };

}  // namespace attnlab

namespace attnlab::terminal_figure {

enum class Emphasis { none, bold, faint };

/// Where no colour is named, the terminal's own stays.
struct Look {
  std::optional<Colour> letter = {};
  std::optional<Colour> paper = {};
  Emphasis emphasis = Emphasis::none;
};

bool operator==(const Look& one, const Look& other);

/// The colour as the terminal will show it: of the palette, the nearest one.
Colour shown_colour(const Colour& colour, TerminalColours colours);

/// From any look to this one.
std::string escape(const Look& look, TerminalColours colours);

/// Columns and lines from the upper left corner.
struct Spot {
  std::size_t column = 0;
  std::size_t line = 0;
};

class Picture {
 public:
  Picture(std::size_t width, std::size_t height);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }

  /// True where words or marks stand, the spaces between words included.
  bool is_written(const Spot& spot) const { return at(spot).written; }

  /// East Asian characters take two columns; what would leave the picture is cut off, controls become spaces.
  /// Paper that lies there stays unless `look` brings its own.
  void write(const Spot& spot, std::string_view text, const Look& look = {});

  /// Paper under a rectangle, without letters.
  void paint(const Spot& corner, std::size_t width, std::size_t height, const Colour& paper);

  /// All of another picture, blanks included.
  void lay(const Spot& corner, const Picture& other);

  /// Lines without spaces at their ends, each ended by a newline and in the terminal's own colours.
  std::string text(TerminalColours colours) const;

 private:
  struct Character {
    std::string bytes = " ";  // empty behind a wide one
    Look look;
    bool written = false;
  };

  Character& at(const Spot& spot) { return characters_[spot.line * width_ + spot.column]; }
  const Character& at(const Spot& spot) const { return characters_[spot.line * width_ + spot.column]; }
  void clear_halves(const Spot& spot);
  std::string line_text(std::size_t line, TerminalColours colours) const;

  std::size_t width_;
  std::size_t height_;
  std::vector<Character> characters_;
};

/// The text itself, or its beginning and "…" where it takes more columns.
std::string elided(const std::string& text, std::size_t columns);

/// The text in lines of at most `width` columns, words longer than that cut; without text, of no height.
Picture paragraph(const std::string& text, std::size_t width, const Look& look = {});

/// One below the other, left edges aligned, `gap` empty lines between; pictures of no height are left out.
Picture stacked(const std::vector<Picture>& pictures, std::size_t gap = 0);

/// Side by side, upper edges aligned, `gap` empty columns between.
Picture beside(const std::vector<Picture>& pictures, std::size_t gap);

struct Setting {
  Language language = Language::en;
  TerminalColours colours = TerminalColours::none;
  Style style;
  std::size_t panels = 1;
  std::size_t highest_map = 0;  // rows: all maps of a figure have cells of one height

  const std::string& words(const Text& text) const { return text.in(language); }
  bool in_colour() const { return colours != TerminalColours::none; }
};

constexpr Look bold{{}, {}, Emphasis::bold};
constexpr Look faint{{}, {}, Emphasis::faint};

}  // namespace attnlab::terminal_figure
