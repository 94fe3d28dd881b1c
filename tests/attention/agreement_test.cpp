// The rule by which the other tests compare must itself reject what it should.
#include "agreement.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using attnlab::disagreement;

namespace {
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double double_infinity = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("results agree up to the tolerance times the largest value of the stage") {
  CHECK(disagreement({100.0, 1.0}, {100.0, 1.0 + 0.9e-10}, 1e-12).empty());
  CHECK_FALSE(disagreement({100.0, 1.0}, {100.0, 1.0 + 1.1e-10}, 1e-12).empty());
  CHECK_FALSE(disagreement({1.0}, {1.0, 1.0}, 1.0).empty());
}

TEST_CASE("NaN and infinities agree only in the same places") {
  CHECK(disagreement({nan_value, double_infinity, -double_infinity},
                     {nan_value, double_infinity, -double_infinity}, 1e-12)
            .empty());
  CHECK_FALSE(disagreement({nan_value, 1.0}, {1.0, nan_value}, 1.0).empty());
  CHECK_FALSE(disagreement({double_infinity}, {-double_infinity}, 1.0).empty());
  CHECK_FALSE(disagreement({1e308}, {double_infinity}, 1.0).empty());
}

TEST_CASE("a stage of zeros agrees with zeros alone") {
  CHECK(disagreement({0.0, -0.0}, {0.0, 0.0}, 1e-6).empty());
  CHECK_FALSE(disagreement({0.0, 5e-324}, {0.0, 0.0}, 1e-6).empty());
}

TEST_CASE("the tolerance grows with the largest score") {
  CHECK(attnlab::tolerance64() == 1e-12);
  CHECK(attnlab::tolerance64(1e6) == doctest::Approx(1e6 * 2.220446e-16).epsilon(1e-4));
  CHECK(attnlab::tolerance32(3.0) == 1e-6);
  CHECK(attnlab::tolerance32(1000.0) == doctest::Approx(1004.0 * 1.1920929e-7).epsilon(1e-6));
}
