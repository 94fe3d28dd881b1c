// What lies between the letters of a picture: lines in Braille, and words where they cover few of them.
#pragma once

#include "terminal_figure/picture.hpp"

namespace attnlab::terminal_figure {

/// Fractions of the canvas from its lower left corner: the place of a data point.
struct Fraction {
  double x = 0.0;
  double y = 0.0;
};

/// How a line is drawn: dots on, dots off; 0 off is a solid line.
struct Dashes {
  std::size_t on = 1;
  std::size_t off = 0;
};
constexpr Dashes solid{1, 0};
constexpr Dashes dashed{4, 3};
constexpr Dashes dotted{1, 2};

/// Lines drawn with Braille: every character is a raster of two by four dots.
class DotCanvas {
 public:
  DotCanvas(std::size_t width, std::size_t height);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }

  /// A run of straight segments; what lies outside is clipped. Dashes go on across corners.
  void draw_line(const std::vector<Fraction>& points, const Dashes& dashes, const Look& look);
  void draw_dot(const Fraction& point, const Look& look);

  bool has_dots(const Spot& spot) const { return dots_[index(spot)] != 0; }

  /// The character that holds the place; places outside go to the nearest edge.
  Spot spot_of(const Fraction& point) const;

  /// Writes the dots wherever the picture has no letter yet.
  void lay_under(Picture& picture, const Spot& corner) const;

 private:
  std::size_t index(const Spot& spot) const { return spot.line * width_ + spot.column; }
  void set(long x, long y, const Look& look);

  std::size_t width_;
  std::size_t height_;
  std::vector<std::uint8_t> dots_;
  std::vector<Look> looks_;
};

/// Where the words had best stand, seen from their mark: right and up are positive.
struct Direction {
  double right = 0.0;
  double up = 0.0;
};

/// Whether the words found a place.
enum class Placed { yes, no };

struct Wish {
  Spot mark;
  Direction preferred;
};

/// Writes into `picture`, as large as `dots`, which show through wherever it has no letters.
Placed place_words(const std::string& words, const Wish& wish, const Look& look, const DotCanvas& dots,
                   Picture& picture);

}  // namespace attnlab::terminal_figure
