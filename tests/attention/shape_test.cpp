// Shapes print and broadcast as NumPy's do.
#include "attention/shape.hpp"

#include <doctest/doctest.h>

#include <optional>

using attnlab::broadcast;
using attnlab::Shape;

TEST_CASE("a shape prints as a Python tuple") {
  CHECK(attnlab::printed({}) == "()");
  CHECK(attnlab::printed({10}) == "(10,)");
  CHECK(attnlab::printed({3, 2}) == "(3, 2)");
}

// The examples of NumPy's user guide, "Broadcasting", and its edge cases.
TEST_CASE("shapes broadcast from the last axis") {
  CHECK(broadcast({8, 1, 6, 1}, {7, 1, 5}) == Shape{8, 7, 6, 5});
  CHECK(broadcast({5, 4}, {1}) == Shape{5, 4});
  CHECK(broadcast({15, 1, 5}, {15, 3, 5}) == Shape{15, 3, 5});
  CHECK(broadcast({}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast({0}, {1}) == Shape{0});
  CHECK(broadcast({3}, {4}) == std::nullopt);
  CHECK(broadcast({2, 1}, {8, 4, 3}) == std::nullopt);
  CHECK(broadcast({0}, {2}) == std::nullopt);
}
