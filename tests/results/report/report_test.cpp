// A stage is found by its name, and its absence is said with the name.
#include "results/report/report.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using attnlab::Report;

TEST_CASE("a stage is found by its name") {
  Report report;
  report.experiment = "vectors";
  report.stages.push_back({"scores", {}, {{1}, {"keys"}, {2.0}}});
  report.stages.push_back({"weights", {}, {{1}, {"keys"}, {1.0}}});
  CHECK(&attnlab::stage(report, "weights") == &report.stages[1]);
}

TEST_CASE("a missing stage is named together with its experiment") {
  Report report;
  report.experiment = "vectors";
  CHECK_THROWS_WITH_AS(attnlab::stage(report, "wieghts"), doctest::Contains("wieghts"), std::out_of_range);
  CHECK_THROWS_WITH_AS(attnlab::stage(report, "wieghts"), doctest::Contains("vectors"), std::out_of_range);
}
