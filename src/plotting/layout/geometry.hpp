// Boxes that may be turned, and whether they run into each other.
#pragma once

#include <array>
#include <vector>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// The four corners of a box, in order around it.
using Corners = std::array<Position, 4>;

Corners corners_of(const Box& box);

/// A straight line of some width as a turned box.
Corners corners_of_line(const Position& from, const Position& to, double width);

/// The corners of a label's ink on the page, its turn included.
Corners ink_corners(const Label& label);

/// How far two convex boxes reach into each other, in points: the smallest shift that would part them; 0 when
/// they are apart. By the separating axis theorem.
double overlap(const Corners& one, const Corners& other);

/// The upright box around the corners.
Box bounds_of(const Corners& corners);

/// The upright box around some points; without any, a box that nothing fits.
Box bounds_of(const std::vector<Position>& points);

/// The upright box around two.
Box united(const Box& one, const Box& other);

/// The upright box around all that an item paints, strokes and halos included.
Box bounds_of(const Item& item);

}  // namespace attnlab
