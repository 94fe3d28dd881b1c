// The dot product in the plane: what rotation, stretching and projection do to it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

const Chart& panel(const Report& report, std::size_t index) {
  return std::get<Chart>(figure(report, "plane").panels.at(index).content);
}

}  // namespace

TEST_CASE("turning all vectors by a quarter leaves products and angles as they are") {
  const Report before = run_with(dot_product_experiment(), {});
  const Report after =
      run_with(dot_product_experiment(), {{"a", "-0.9,1.2"}, {"b", "-0.5,1.4"}, {"c", "-1.3,-0.6"}});
  CHECK(disagreement(values(after, "products"), values(before, "products"), tolerance64()) == "");
  CHECK(disagreement(values(after, "angles"), values(before, "angles"), tolerance64()) == "");
}

TEST_CASE("a vector twice as long doubles its product and keeps its angle") {
  const Report once = run_with(dot_product_experiment(), {});
  const Report twice = run_with(dot_product_experiment(), {{"b", "2.8,1"}});
  CHECK(scalar(twice, "product_ab") == doctest::Approx(2.0 * scalar(once, "product_ab")).epsilon(1e-14));
  CHECK(scalar(twice, "angle_ab") == doctest::Approx(scalar(once, "angle_ab")).epsilon(1e-12));
  CHECK(scalar(twice, "product_ac") == scalar(once, "product_ac"));
}

TEST_CASE("perpendicular and opposite vectors have the products 0 and minus the lengths") {
  const Report report = run_with(dot_product_experiment(), {{"a", "3,0"}, {"b", "0,2"}, {"c", "-5,0"}});
  CHECK(scalar(report, "product_ab") == 0.0);
  CHECK(scalar(report, "angle_ab") == doctest::Approx(90.0));
  CHECK(scalar(report, "product_ac") == -15.0);
  CHECK(scalar(report, "angle_ac") == doctest::Approx(180.0));
  CHECK(scalar(report, "projection_ac") == -5.0);
}

TEST_CASE("the title blames the length where the farther vector has the larger product") {
  const Report agreeing = run_with(dot_product_experiment(), {});
  CHECK(contains(figure(agreeing, "plane").title.en(), "At similar lengths"));
  const Report report = run_with(dot_product_experiment(), {{"c", "-1,19"}});
  REQUIRE(scalar(report, "angle_ac") > scalar(report, "angle_ab"));
  REQUIRE(scalar(report, "product_ac") > scalar(report, "product_ab"));
  CHECK(contains(figure(report, "plane").title.en(), "Length counts too"));
  CHECK(contains(paragraphs(report, Role::say), "because of their lengths"));
}

TEST_CASE("the title speaks of similar lengths only where b and c are similarly long") {
  const Report longer = run_with(dot_product_experiment(), {{"b", "2.8,1"}});
  REQUIRE(scalar(longer, "product_ab") > scalar(longer, "product_ac"));
  CHECK(contains(figure(longer, "plane").title.en(), "Direction and length both count"));
}

TEST_CASE("at the same angle neither direction is called nearer") {
  const Report mirrored = run_with(dot_product_experiment(), {{"a", "1,0"}, {"b", "2,1"}, {"c", "1,-0.5"}});
  CHECK(contains(figure(mirrored, "plane").title.en(), "Direction and length both count"));
  CHECK(contains(paragraphs(mirrored, Role::say), "both lie 26.6° from a"));
}

TEST_CASE("the figure of lengths shows b twice as long with the same angle and twice the product") {
  const Report report = run_with(dot_product_experiment(), {});
  const Figure& length = figure(report, "length");
  CHECK(contains(length.title.en(), "a·b = 2.13, a·2b = 4.26"));
  const auto tip = [&length](std::size_t index) {
    return std::get<Arrows>(std::get<Chart>(length.panels.at(index).content).layers.at(3)).arrows.at(1);
  };
  CHECK(tip(1).x == 2.0 * tip(0).x);
  CHECK(tip(1).y == 2.0 * tip(0).y);
}

TEST_CASE("the dashed line meets a at a right angle and the panels show all of it") {
  const Report report = run_with(dot_product_experiment(), {{"a", "2,1"}, {"c", "-3,-4"}});
  for (const std::size_t index : {0U, 1U}) {
    const Chart& chart = panel(report, index);
    const auto& foot = std::get<Curve>(chart.layers.at(1));
    CHECK(foot.dashed);
    const double along = (foot.x[1] - foot.x[0]) * 2.0 + (foot.y[1] - foot.y[0]) * 1.0;
    CHECK(std::abs(along) < 1e-12);
    CHECK(foot.x[1] * 1.0 - foot.y[1] * 2.0 == doctest::Approx(0.0));  // the foot lies on the line of a
    for (std::size_t i = 0; i < foot.x.size(); ++i) {
      CHECK(foot.x[i] > chart.x.limits->low);
      CHECK(foot.x[i] < chart.x.limits->high);
      CHECK(foot.y[i] > chart.y.limits->low);
      CHECK(foot.y[i] < chart.y.limits->high);
    }
  }
}

TEST_CASE("the length of a is written out with its numbers") {
  const Report report = run_with(dot_product_experiment(), {});
  const Chain& line = stage(report, "lengths").derivation.worked.at(0);
  CHECK(to_terminal(line.left) == "|a|");
  REQUIRE(line.links.size() == 2);
  CHECK(line.links[0].relation == "=");
  CHECK(to_terminal(line.links[0].right) == "√(1.2² + 0.9²)");
  CHECK(line.links[1].relation == "=");
  CHECK(to_terminal(line.links[1].right) == "1.5");
}

TEST_CASE("a vector without direction is refused") {
  CHECK(usage_error(dot_product_experiment(), {{"b", "0,0"}}) ==
        "--b 0,0 is too short to have a direction; give a vector of length 0.01 or more");
  CHECK_FALSE(usage_error(dot_product_experiment(), {{"a", "1"}}).empty());
  CHECK_FALSE(usage_error(dot_product_experiment(), {{"a", "1,2,3"}}).empty());
  CHECK_FALSE(usage_error(dot_product_experiment(), {{"c", "21,0"}}).empty());
}

}  // namespace attnlab
