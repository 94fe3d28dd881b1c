// Rounding has one text, whatever summed the numbers.
#include "core/constants.hpp"
#include "results/report/array.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace attnlab {

TEST_CASE("A difference that rounding explains is named by its bound, none at all likewise") {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const double rounding : {0.0, epsilon / 2, epsilon, 1.5 * epsilon, 3.5e-15, 3.6e-14})
    CHECK(difference_text(rounding) == "< 1e-13");
}

TEST_CASE("A larger difference shows its size") {
  CHECK(difference_text(most_rounding) == "1e-13");
  CHECK(difference_text(2.345e-7) == "2.3e-07");
  CHECK(difference_text(0.25) == "0.25");
  CHECK(difference_text(infinity) == "inf");
  CHECK(difference_text(not_a_number) == "nan");
}

}  // namespace attnlab
