// Every number of the table of expected values comes out, and the comparison notices when one does not.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/constants.hpp"
#include "experiments/framework/expected_values.hpp"
#include "experiments/framework/experiment.hpp"
#include "reports.hpp"

namespace attnlab {
namespace {

const Experiment& experiment_named(const std::string& name) {
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
  }
  throw std::out_of_range("no experiment " + name);
}

/// A report with one array, 2 by 2, and one scalar.
Report small_report(const std::vector<double>& data) {
  Report report;
  report.stages.push_back({"matrix", formula::row({}), {{2, 2}, {"rows", "columns"}, data, DType::float64}});
  report.scalars.push_back({"number", 3.0});
  return report;
}

ExpectedValue expect(const std::string& quantity, const std::vector<std::size_t>& shape, std::size_t first,
                     const std::vector<double>& values, double tolerance) {
  return {"none", {}, quantity, shape, first, values, tolerance, Document::textbook, Text::same("")};
}

}  // namespace

TEST_CASE("every expected value comes out") {
  for (const ExpectedValue& expected : expected_values()) {
    INFO(expected.experiment, " ", expected.quantity, " ", expected.place.en());
    const Deviation comparison =
        compare(expected, run_with(experiment_named(expected.experiment), expected.arguments));
    INFO(comparison.absolute, " against ", expected.tolerance);
    CHECK(comparison.agrees);
  }
}

TEST_CASE("every number has its place in a document and none in a script") {
  std::size_t printed = 0;
  for (const ExpectedValue& expected : expected_values()) {
    INFO(expected.experiment, " ", expected.quantity);
    for (const std::string& place : {expected.place.ja(), expected.place.en()}) {
      CHECK_FALSE(place.empty());
      CHECK(place.find(".py") == std::string::npos);
    }
    if (expected.origin == NumberSource::printed) ++printed;
  }
  CHECK(printed > 0);
  CHECK(printed < expected_values().size());
}

TEST_CASE("a value beyond the tolerance does not hold") {
  const Report report = small_report({1.0, 2.0, 3.0, 4.0});
  CHECK(compare(expect("matrix", {2, 2}, 1, {2.0, 3.0}, 0.0), report).agrees);
  CHECK(compare(expect("matrix", {2, 2}, 1, {2.0, 3.1}, 0.2), report).agrees);
  const Deviation off = compare(expect("matrix", {2, 2}, 1, {2.0, 3.5}, 0.2), report);
  CHECK_FALSE(off.agrees);
  CHECK(off.absolute == 0.5);
  CHECK_FALSE(compare(expect("number", {}, 0, {2.9}, 0.05), report).agrees);
  CHECK(compare(expect("number", {}, 0, {2.9}, 0.15), report).agrees);
}

TEST_CASE("a value is looked for at its own index") {
  const Report report = small_report({1.0, 2.0, 3.0, 4.0});
  CHECK_FALSE(compare(expect("matrix", {2, 2}, 0, {2.0}, 0.0), report).agrees);
  CHECK(compare(expect("matrix", {2, 2}, 3, {4.0}, 0.0), report).agrees);
  CHECK_THROWS_AS(compare(expect("matrix", {2, 2}, 4, {4.0}, 0.0), report), std::out_of_range);
}

TEST_CASE("a NaN is expected where it stands and nowhere else") {
  CHECK(compare(expect("matrix", {2, 2}, 0, {1.0, not_a_number}, 0.0),
                small_report({1.0, not_a_number, 3.0, 4.0}))
            .agrees);
  CHECK_FALSE(
      compare(expect("matrix", {2, 2}, 0, {1.0, 2.0}, 10.0), small_report({1.0, not_a_number, 3.0, 4.0}))
          .agrees);
  CHECK_FALSE(
      compare(expect("matrix", {2, 2}, 0, {1.0, not_a_number}, 10.0), small_report({1.0, 2.0, 3.0, 4.0}))
          .agrees);
}

TEST_CASE("another shape does not hold and a missing name is named") {
  const Report report = small_report({1.0, 2.0, 3.0, 4.0});
  CHECK_FALSE(compare(expect("matrix", {4}, 0, {1.0}, 1.0), report).agrees);
  CHECK_THROWS_WITH_AS(compare(expect("nothing", {}, 0, {1.0}, 1.0), report), "no scalar nothing",
                       std::out_of_range);
  CHECK_THROWS_AS(compare(expect("nothing", {1}, 0, {1.0}, 1.0), report), std::out_of_range);
}

}  // namespace attnlab
