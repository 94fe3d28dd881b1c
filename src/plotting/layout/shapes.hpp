// What marks are drawn with: arrows; and what tells series apart without colour: shapes of points, dashes of
// lines, hatching of areas.
#pragma once

#include "plotting/layout/sheet.hpp"

namespace attnlab {

double point_radius(const Style& style);

/// The dashes of a guide, and of a curve that is dashed in every theme.
std::vector<double> dash_pattern(const Style& style);

/// The dashes that tell this series from the others in print; none in the other themes.
std::vector<double> series_dashes(const Style& style, const Ink& ink);

/// A point of that series: a disc, and in print a shape of its own.
PageShape point_shape(const Style& style, const Ink& ink, const Position& centre);

/// Which way the lines of a hatching run.
enum class Hatching { rising, falling };

/// Parallel lines over a box, as one path that turns outside it and is clipped to it.
Path hatching(const Box& box, Hatching direction, double distance, const Colour& colour, double width);

/// The hatching that tells bars of this series from the others in print, in the colour of the paper; nothing
/// for the first series and in the other themes.
std::vector<Path> series_hatching(const Style& style, const Ink& ink, const Box& box);

/// The hatching of a cell below zero in a palette that is grey at both ends, readable on `fill`.
Path sign_hatching(const Style& style, const Box& box, const Colour& fill);

/// A shaft and a head. Lengths in points; `head` is shortened where the arrow itself is short.
struct ArrowShape {
  Position tail;
  Position tip;
  Colour colour;
  double width = 1.0;
  double head = 0.0;       // length
  double half_head = 0.0;  // half its width
  std::vector<double> dashes;
};

/// Adds id (the head) and id.shaft, and keeps words away from both.
void add_arrow(const ArrowShape& arrow, Sheet& sheet, const std::string& id);

}  // namespace attnlab
