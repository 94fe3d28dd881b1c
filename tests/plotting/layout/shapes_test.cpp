// Patterns: what tells marks apart on paper without colour.
#include "plotting/layout/shapes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

Style style_in(Theme theme) { return style_for(theme, measures_of({10.0, 6.0})); }

TEST_CASE("In print every series has dashes of its own, in colour none has any") {
  std::set<std::vector<double>> patterns;
  for (std::size_t series = 0; series < 7; ++series) {
    patterns.insert(series_dashes(style_in(Theme::print), series_ink(series)));
    CHECK(series_dashes(style_in(Theme::light), series_ink(series)).empty());
    CHECK(series_dashes(style_in(Theme::dark), series_ink(series)).empty());
  }
  CHECK(patterns.size() == 7);
}

TEST_CASE("In print the points of six series have six shapes") {
  const auto shape_of = [](std::size_t series) {
    DisplayList list;
    list.items.push_back({"point", point_shape(style_in(Theme::print), series_ink(series), {50.0, 50.0})});
    return paint_svg({list, {}});
  };
  std::set<std::string> shapes;
  for (std::size_t series = 0; series < 6; ++series) shapes.insert(shape_of(series));
  CHECK(shapes.size() == 6);
  CHECK(std::holds_alternative<Disc>(point_shape(style_in(Theme::light), series_ink(4), {0.0, 0.0})));
}

TEST_CASE("Hatching covers its box with parallel lines at 45 degrees and is clipped to it") {
  const Box box{13.0, 7.0, 40.0, 30.0};
  for (const Hatching direction : {Hatching::rising, Hatching::falling}) {
    const Path path = hatching(box, direction, 5.0, {0.0, 0.0, 0.0}, 1.0);
    REQUIRE(path.clip);
    CHECK(path.clip->x == box.x);
    CHECK(path.clip->height == box.height);
    // A box of 40 by 30 is 70 across, seen along its lines: 14 lines of two points each.
    CHECK(path.points.size() >= 28);
    CHECK(path.points.size() <= 30);
    for (std::size_t i = 0; i + 1 < path.points.size(); i += 2) {
      const Position& from = path.points[i];
      const Position& to = path.points[i + 1];
      CHECK(std::abs(to.x - from.x) == doctest::Approx(std::abs(to.y - from.y)));
      const double slope = (to.y - from.y) / (to.x - from.x);
      CHECK(slope == doctest::Approx(direction == Hatching::rising ? -1.0 : 1.0));  // y points down
    }
  }
}

TEST_CASE("The lines of neighbouring boxes meet") {
  const Path left = hatching({0.0, 0.0, 12.0, 10.0}, Hatching::rising, 5.0, {}, 1.0);
  const Path right = hatching({12.0, 0.0, 12.0, 10.0}, Hatching::rising, 5.0, {}, 1.0);
  const auto offset = [](const Path& path) { return std::fmod(path.points[0].x + path.points[0].y, 5.0); };
  CHECK(offset(left) == doctest::Approx(offset(right)));
}

TEST_CASE("Bars of different series differ in print by their hatching") {
  const Box bar{0.0, 0.0, 20.0, 50.0};
  CHECK(series_hatching(style_in(Theme::print), series_ink(0), bar).empty());
  CHECK(series_hatching(style_in(Theme::print), series_ink(1), bar).size() == 1);
  CHECK(series_hatching(style_in(Theme::print), series_ink(3), bar).size() == 2);
  CHECK(series_hatching(style_in(Theme::light), series_ink(1), bar).empty());
}

}  // namespace
}  // namespace attnlab
