#include "plotting/layout/geometry.hpp"
#include "core/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attnlab {
namespace {

std::pair<double, double> shadow(const Corners& corners, const Position& axis) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Position& corner : corners) {
    const double place = corner.x * axis.x + corner.y * axis.y;
    low = std::min(low, place);
    high = std::max(high, place);
  }
  return {low, high};
}

double overlap_along_edges_of(const Corners& edges, const Corners& one, const Corners& other) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 2; ++i) {  // opposite edges are parallel
    const double dx = edges[i + 1].x - edges[i].x;
    const double dy = edges[i + 1].y - edges[i].y;
    const double length = std::hypot(dx, dy);
    if (length == 0.0) continue;
    const Position axis{dx / length, dy / length};
    const auto [low_one, high_one] = shadow(one, axis);
    const auto [low_other, high_other] = shadow(other, axis);
    least = std::min(least, std::min(high_one, high_other) - std::max(low_one, low_other));
  }
  return least;
}

}  // namespace

Corners corners_of(const Box& box) {
  return {Position{box.x, box.y}, Position{box.right(), box.y}, Position{box.right(), box.bottom()},
          Position{box.x, box.bottom()}};
}

Corners corners_of_line(const Position& from, const Position& to, double width) {
  const double length = std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
  const double across_x = -(to.y - from.y) / length * width / 2.0;
  const double across_y = (to.x - from.x) / length * width / 2.0;
  return {Position{from.x + across_x, from.y + across_y}, Position{to.x + across_x, to.y + across_y},
          Position{to.x - across_x, to.y - across_y}, Position{from.x - across_x, from.y - across_y}};
}

Corners ink_corners(const Label& label) {
  Corners corners = corners_of(label.ink);
  const double turn = label.angle * pi / 180.0;
  for (Position& corner : corners) {
    corner = {label.position.x + corner.x * std::cos(turn) - corner.y * std::sin(turn),
              label.position.y + corner.x * std::sin(turn) + corner.y * std::cos(turn)};
  }
  return corners;
}

double overlap(const Corners& one, const Corners& other) {
  return std::max(
      0.0, std::min(overlap_along_edges_of(one, one, other), overlap_along_edges_of(other, one, other)));
}

namespace {

struct PaintedBounds {
  Box operator()(const FilledBox& filled) const { return filled.box; }
  Box operator()(const Path& path) const { return bounds_of(path.points).grown(path.width); }
  Box operator()(const Disc& disc) const {
    return Box{disc.centre.x, disc.centre.y, 0.0, 0.0}.grown(disc.radius + disc.width);
  }
  Box operator()(const Raster& raster) const { return raster.box; }
  Box operator()(const Label& label) const {
    return bounds_of(ink_corners(label)).grown(label.halo ? label.size * halo_width : 0.0);
  }
};

}  // namespace

Box bounds_of(const std::vector<Position>& points) {
  double left = std::numeric_limits<double>::infinity();
  double top = left;
  double right = -left;
  double bottom = -left;
  for (const Position& point : points) {
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    top = std::min(top, point.y);
    bottom = std::max(bottom, point.y);
  }
  return {left, top, right - left, bottom - top};
}

Box united(const Box& one, const Box& other) {
  const double left = std::min(one.x, other.x);
  const double top = std::min(one.y, other.y);
  return {left, top, std::max(one.right(), other.right()) - left,
          std::max(one.bottom(), other.bottom()) - top};
}

Box bounds_of(const Item& item) {
  return std::visit(PaintedBounds{}, item.shape);
}

Box bounds_of(const Corners& corners) {
  const auto [left, right] = shadow(corners, {1.0, 0.0});
  const auto [top, bottom] = shadow(corners, {0.0, 1.0});
  return {left, top, right - left, bottom - top};
}

}  // namespace attnlab
