#include "plotting/layout/display_list.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace attnlab {

TEST_CASE("Boxes side by side do not overlap and boxes that share a strip overlap by its width") {
  const Corners one = corners_of(Box{0, 0, 10, 10});
  CHECK(overlap(one, corners_of(Box{10.1, 0, 5, 10})) == 0.0);
  CHECK(overlap(one, corners_of(Box{8, 0, 5, 10})) == doctest::Approx(2.0));
  CHECK(overlap(one, corners_of(Box{2, 7, 5, 10})) == doctest::Approx(3.0));
}

TEST_CASE("A turned box is judged by its own edges and not by the upright box around it") {
  // A diamond of half-diagonal 10 around the origin; its upright bounds reach (10, 10), the diamond does not.
  const Corners diamond{Position{0, -10}, Position{10, 0}, Position{0, 10}, Position{-10, 0}};
  CHECK(overlap(diamond, corners_of(Box{6, 6, 3, 3})) == 0.0);
  // Its edge x + y = 10 passes (5, 5); a box from (4, 4) reaches in by 2 / sqrt(2).
  CHECK(overlap(diamond, corners_of(Box{4, 4, 3, 3})) == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("Overlap is symmetric") {
  const Corners one = corners_of_line({0, 0}, {20, 10}, 4);
  const Corners other = corners_of(Box{5, 0, 3, 9});
  CHECK(overlap(one, other) == doctest::Approx(overlap(other, one)));
  CHECK(overlap(one, other) > 0.0);
}

TEST_CASE("Ink turned by minus ninety degrees reads upwards") {
  Label label;
  label.position = {100, 200};
  label.angle = -90.0;
  label.ink = {0, 0, 50, 10};  // 50 wide becomes 50 high, above the position
  const Box bounds = bounds_of(ink_corners(label));
  CHECK(bounds.x == doctest::Approx(100));
  CHECK(bounds.y == doctest::Approx(150));
  CHECK(bounds.width == doctest::Approx(10));
  CHECK(bounds.height == doctest::Approx(50));
}

TEST_CASE("A line becomes a box of its width") {
  const Box bounds = bounds_of(corners_of_line({0, 0}, {10, 0}, 4));
  CHECK(bounds.y == doctest::Approx(-2));
  CHECK(bounds.height == doctest::Approx(4));
  CHECK(bounds.width == doctest::Approx(10));
}

}  // namespace attnlab
