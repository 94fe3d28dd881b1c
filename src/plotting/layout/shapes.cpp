#include "plotting/layout/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plotting/colour/colour.hpp"

namespace attnlab {
namespace {

bool is_plain(const Style& style, const Ink& ink) {
  return style.theme != Theme::print || ink.role != Ink::Role::series;
}

Path polygon(std::vector<Position> corners, const Colour& fill, const Colour& rim, double width) {
  return {std::move(corners), true, fill, rim, width, {}, {}};
}

}  // namespace

double point_radius(const Style& style) {
  return style.line * 2.2;
}

std::vector<double> dash_pattern(const Style& style) {
  return {style.line * 3.5, style.line * 2.5};
}

std::vector<double> series_dashes(const Style& style, const Ink& ink) {
  if (is_plain(style, ink)) return {};
  static const std::array<std::vector<double>, 7> patterns{{{},
                                                            {6.0, 2.0},
                                                            {1.2, 1.6},
                                                            {6.0, 1.6, 1.2, 1.6},
                                                            {3.0, 1.5},
                                                            {6.0, 1.5, 1.2, 1.5, 1.2, 1.5},
                                                            {9.0, 3.0}}};
  std::vector<double> dashes = patterns[ink.series % patterns.size()];
  for (double& dash : dashes) dash *= style.line;
  return dashes;
}

Shape point_shape(const Style& style, const Ink& ink, const Position& centre) {
  const double r = point_radius(style);
  const Colour colour = style.colour(ink);
  const double rim = style.line * 0.25;
  const auto [x, y] = centre;
  if (is_plain(style, ink)) return Disc{centre, r, colour, style.paper, rim};
  switch (ink.series % 6) {
    case 1:
      return Disc{centre, r * 0.9, style.paper, style.ink, style.line * 0.7};
    case 2:
      return polygon({{x, y - r * 1.25}, {x + r * 1.15, y + r * 0.8}, {x - r * 1.15, y + r * 0.8}}, colour,
                     style.paper, rim);
    case 3:
      return polygon({{x - r * 0.85, y - r * 0.85},
                      {x + r * 0.85, y - r * 0.85},
                      {x + r * 0.85, y + r * 0.85},
                      {x - r * 0.85, y + r * 0.85}},
                     style.paper, style.ink, style.line * 0.7);
    case 4:
      return polygon({{x, y - r * 1.3}, {x + r * 1.3, y}, {x, y + r * 1.3}, {x - r * 1.3, y}}, colour,
                     style.paper, rim);
    case 5:
      return polygon({{x, y + r * 1.25}, {x + r * 1.15, y - r * 0.8}, {x - r * 1.15, y - r * 0.8}},
                     style.paper, style.ink, style.line * 0.7);
    default:
      return Disc{centre, r, colour, style.paper, rim};
  }
}

// The path zigzags: along a line at 45 degrees, outside the box to the next, and back. The lines stand at
// whole multiples of the distance on the page, so that those of neighbouring boxes meet.
Path hatching(const Box& box, Hatching direction, double distance, const Colour& colour, double width) {
  const double sign = direction == Hatching::rising ? 1.0 : -1.0;
  const double top = box.y - width;
  const double bottom = box.y + box.height + width;
  // A line is x + sign * y = c.
  const double first = box.x + std::min(sign * box.y, sign * (box.y + box.height));
  const double last = box.x + box.width + std::max(sign * box.y, sign * (box.y + box.height));
  Path path{{}, false, {}, colour, width, {}, box};
  bool downwards = true;
  const auto begin = static_cast<long>(std::ceil(first / distance));
  for (long line = begin; static_cast<double>(line) * distance <= last; ++line) {
    const double c = static_cast<double>(line) * distance;
    const Position upper{c - sign * top, top};
    const Position lower{c - sign * bottom, bottom};
    path.points.push_back(downwards ? upper : lower);
    path.points.push_back(downwards ? lower : upper);
    downwards = !downwards;
  }
  return path;
}

std::vector<Path> series_hatching(const Style& style, const Ink& ink, const Box& box) {
  if (is_plain(style, ink)) return {};
  const double distance = style.line * 3.5;
  const auto lines = [&](Hatching direction, double share) {
    return hatching(box, direction, distance * share, style.paper, style.line * 0.9);
  };
  switch (ink.series % 4) {
    case 1:
      return {lines(Hatching::rising, 1.0)};
    case 2:
      return {lines(Hatching::falling, 1.0)};
    case 3:
      return {lines(Hatching::rising, 1.4), lines(Hatching::falling, 1.4)};
    default:
      return {};
  }
}

Path sign_hatching(const Style& style, const Box& box, const Colour& fill) {
  const Colour line = black_or_white_on(fill);
  const auto mix = [&](double one, double other) { return one * 0.55 + other * 0.45; };
  const Colour softened{mix(line.red, fill.red), mix(line.green, fill.green), mix(line.blue, fill.blue)};
  return hatching(box, Hatching::rising, style.line * 2.6, softened, style.line * 0.45);
}

}  // namespace attnlab
