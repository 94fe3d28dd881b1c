#include "plotting/layout/display_list.hpp"

#include "core/constants.hpp"

namespace attnlab {
namespace {

template <class Points>
std::pair<double, double> shadow(const Points& points, const Position& axis) {
  double low = infinity;
  double high = -low;
  for (const Position& point : points) {
    const double place = point.x * axis.x + point.y * axis.y;
    low = std::min(low, place);
    high = std::max(high, place);
  }
  return {low, high};
}

template <class Points>
Box box_around(const Points& points) {
  const auto [left, right] = shadow(points, {1.0, 0.0});
  const auto [top, bottom] = shadow(points, {0.0, 1.0});
  return {left, top, right - left, bottom - top};
}

/// Whether a line along the page parts them: of most pairs it does, and that is soon seen.
bool are_separate(const Corners& one, const Corners& other, double Position::*along) {
  const auto less = [along](const Position& a, const Position& b) { return a.*along < b.*along; };
  const auto [low_one, high_one] = std::minmax_element(one.begin(), one.end(), less);
  const auto [low_other, high_other] = std::minmax_element(other.begin(), other.end(), less);
  return (*high_one).*along < (*low_other).*along || (*high_other).*along < (*low_one).*along;
}

double overlap_along_edges_of(const Corners& edges, const Corners& one, const Corners& other) {
  double least = infinity;
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

double distance(const Position& one, const Position& other) {
  return std::hypot(other.x - one.x, other.y - one.y);
}

Corners corners_of(const Box& box) {
  return {Position{box.x, box.y}, Position{box.right(), box.y}, Position{box.right(), box.bottom()},
          Position{box.x, box.bottom()}};
}

Corners corners_of_line(const Position& from, const Position& to, double width) {
  const double length = std::max(1e-9, distance(from, to));
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
  if (are_separate(one, other, &Position::x) || are_separate(one, other, &Position::y)) return 0.0;
  return std::max(
      0.0, std::min(overlap_along_edges_of(one, one, other), overlap_along_edges_of(other, one, other)));
}

Box bounds_of(const std::vector<Position>& points) { return box_around(points); }

Box united(const Box& one, const Box& other) {
  const double left = std::min(one.x, other.x);
  const double top = std::min(one.y, other.y);
  return {left, top, std::max(one.right(), other.right()) - left,
          std::max(one.bottom(), other.bottom()) - top};
}

Box bounds_of(const Item& item) { return std::visit(PaintedBounds{}, item.shape); }

Box bounds_of(const Corners& corners) { return box_around(corners); }

std::string indexed(const std::string& id, std::size_t index) {
  return id + "[" + std::to_string(index) + "]";
}

std::string indexed(const std::string& id, std::size_t row, std::size_t column) {
  return id + "[" + std::to_string(row) + "," + std::to_string(column) + "]";
}

}  // namespace attnlab
