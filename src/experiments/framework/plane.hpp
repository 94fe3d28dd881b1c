// What pictures of the plane share: its points as complex numbers, lines through them, axes around them.
#pragma once

#include <complex>

#include "plotting/figure/figure.hpp"

namespace attnlab {

using PlanePoint = std::complex<double>;  // x + iy

Curve line_through(std::string id, const std::vector<PlanePoint>& points, Ink ink);

/// So long, around the middle of the interval.
Axis axis_around(Text label, const Interval& interval, double length);

}  // namespace attnlab
