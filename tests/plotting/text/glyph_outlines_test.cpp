#include "plotting/text/text_runs.hpp"

#include <doctest/doctest.h>

namespace attnlab {

TEST_CASE("An outline is written relative to the point before, without what a reader can infer") {
  OutlinePath square;
  square.move_to({10.2, 20.4});
  square.line_to({30.0, 20.0});  // across
  square.line_to({30.0, 5.0});   // up
  square.line_to({10.0, 5.0});
  square.line_to({5.0, 12.0});
  square.close();
  square.move_to({10.2, 20.4});  // Cairo's move after a contour draws nothing
  CHECK(square.data() == "m10 20h20v-15h-20l-5 7z");
}

TEST_CASE("A contour after another begins where that one began") {
  OutlinePath two;
  two.move_to({10.0, 10.0});
  two.line_to({20.0, 20.0});
  two.close();
  two.move_to({50.0, 10.0});
  two.line_to({60.0, 20.0});
  two.line_to({70.0, 25.0});
  two.close();
  CHECK(two.data() == "m10 10l10 10zm40 0l10 10 10 5z");
}

TEST_CASE("A cubic curve that is a quadratic one is written as that") {
  // The quadratic (0, 0) (30, 60) (60, 0) has the cubic controls 2/3 of the way to its own: (20, 40), (40,
  // 40).
  OutlinePath quadratic;
  quadratic.move_to({0.0, 0.0});
  quadratic.curve_to({20.0, 40.0}, {40.0, 40.0}, {60.0, 0.0});
  CHECK(quadratic.data() == "m0 0q30 60 60 0");
  OutlinePath cubic;
  cubic.move_to({0.0, 0.0});
  cubic.curve_to({0.0, 40.0}, {60.0, 40.0}, {60.0, 0.0});
  CHECK(cubic.data() == "m0 0c0 40 60 40 60 0");
}

TEST_CASE("Rounding does not add up along an outline") {
  OutlinePath steps;
  steps.move_to({0.0, 0.0});
  for (int i = 1; i <= 10; ++i) steps.line_to({0.4 * i, 100.0 * (i % 2)});
  // The points are (0, 100), (1, 0), (1, 100), (2, 0), (2, 100), (2, 0), (3, 100), (3, 0), (4, 100), (4, 0).
  CHECK(steps.data() == "m0 0v100l1-100v100l1-100v100-100l1 100v-100l1 100v-100");
}

}  // namespace attnlab
