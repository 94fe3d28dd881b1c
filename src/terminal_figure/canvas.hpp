// Lines drawn with Braille: every character is a raster of two by four dots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace attnlab::terminal_figure
