#include "plotting/layout/shapes.hpp"

namespace attnlab {
namespace {

bool is_plain(const Style& style, const Ink& ink) {
  return style.theme != Theme::print || ink.role != Ink::Role::series;
}

Path polygon(std::vector<Position> corners, const Colour& fill, const Colour& rim, double width) {
  return {std::move(corners), true, fill, rim, width, {}, {}};
}

}  // namespace

double point_radius(const Style& style) { return style.line * 2.2; }

std::vector<double> dash_pattern(const Style& style) { return {style.line * 3.5, style.line * 2.5}; }

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

PageShape point_shape(const Style& style, const Ink& ink, const Position& centre) {
  const double r = point_radius(style);
  const Colour colour = style.colour(ink);
  const double rim = style.line * 0.25;
  const auto [x, y] = centre;
  if (is_plain(style, ink)) return Disc{centre, r, colour, style.paper, rim};
  switch (ink.series % 6) {
    case 1: return Disc{centre, r * 0.9, style.paper, style.ink, style.line * 0.7};
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
    default: return Disc{centre, r, colour, style.paper, rim};
  }
}

// The path zigzags: along a line at 45 degrees, outside the box to the next, and back. The lines stand at
// whole multiples of the distance on the page, so that those of neighbouring boxes meet.
Path hatching(const Box& box, Hatching direction, double distance, const Colour& colour, double width) {
  const double sign = direction == Hatching::rising ? 1.0 : -1.0;
  const double top = box.y - width;
  const double bottom = box.bottom() + width;
  // A line is x + sign * y = c.
  const double first = box.x + std::min(sign * box.y, sign * box.bottom());
  const double last = box.right() + std::max(sign * box.y, sign * box.bottom());
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
    case 1: return {lines(Hatching::rising, 1.0)};
    case 2: return {lines(Hatching::falling, 1.0)};
    case 3: return {lines(Hatching::rising, 1.4), lines(Hatching::falling, 1.4)};
    default: return {};
  }
}

Path sign_hatching(const Style& style, const Box& box, const Colour& fill) {
  const Colour line = black_or_white_on(fill);
  const Colour softened = mixed(line, fill, 0.45);
  const double distance = std::min(style.line * 2.6, (box.width + box.height) / 2.0);  // one line at least
  return hatching(box, Hatching::rising, distance, softened, style.line * 0.45);
}

void add_arrow(const ArrowShape& arrow, Sheet& sheet, const std::string& id) {
  constexpr double longest_head = 0.6;  // of the arrow
  const auto& [tail, tip, colour, width, wanted_head, half, dashes] = arrow;
  const double length = distance(tail, tip);
  if (length == 0.0) return;
  const Position along{(tip.x - tail.x) / length, (tip.y - tail.y) / length};
  const double head = std::min(wanted_head, length * longest_head);
  const Position neck{tip.x - along.x * head, tip.y - along.y * head};
  sheet.avoid(corners_of_line(tail, tip, half * 2.0));
  sheet.add(id + ".shaft", Path::line({tail, neck}, colour, width, dashes));
  const Position left{neck.x - along.y * half, neck.y + along.x * half};
  const Position right{neck.x + along.y * half, neck.y - along.x * half};
  sheet.add(id, Path::area({tip, left, right}, colour));
}

}  // namespace attnlab
