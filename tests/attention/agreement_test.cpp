// The rule by which the other tests compare must itself reject what it should.
#include "agreement.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/constants.hpp"

using attnlab::disagreement;
using attnlab::infinity;
using attnlab::not_a_number;

TEST_CASE("results agree up to the tolerance times the largest value of the stage") {
  CHECK(disagreement({100.0, 1.0}, {100.0, 1.0 + 0.9e-10}, 1e-12).empty());
  CHECK_FALSE(disagreement({100.0, 1.0}, {100.0, 1.0 + 1.1e-10}, 1e-12).empty());
  CHECK_FALSE(disagreement({1.0}, {1.0, 1.0}, 1.0).empty());
}

TEST_CASE("NaN and infinities agree only in the same places") {
  CHECK(
      disagreement({not_a_number, infinity, -infinity}, {not_a_number, infinity, -infinity}, 1e-12).empty());
  CHECK_FALSE(disagreement({not_a_number, 1.0}, {1.0, not_a_number}, 1.0).empty());
  CHECK_FALSE(disagreement({infinity}, {-infinity}, 1.0).empty());
  CHECK_FALSE(disagreement({1e308}, {infinity}, 1.0).empty());
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
