// Every mistake is caught by its own check, and the right result passes it, whatever the random numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {
namespace {

/// The mean over the rows of 16 weights of what the three largest hold.
double share_of_three(const std::vector<double>& weights) {
  double sum = 0.0;
  for (std::size_t row = 0; row < 16; ++row) {
    std::vector<double> sorted(weights.data() + row * 16, weights.data() + row * 16 + 16);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    sum += sorted[0] + sorted[1] + sorted[2];
  }
  return sum / 16.0;
}

}  // namespace

TEST_CASE("every mistake is caught and the right result is not, and the titles tell the truth") {
  for (const char* stream : {"numpy", "torch"}) {
    for (int seed = 0; seed < 20; ++seed) {
      const Report report =
          run_with(mistakes_experiment(), {{"seed", std::to_string(seed)}, {"rng", stream}});
      INFO(stream, " ", seed);
      CHECK(report.invariants.size() == 2 * mistakes().size());
      check_invariants_hold(report);
      const std::vector<double>& dropped = values(report, "dropout_wrong");
      CHECK(*std::max_element(dropped.begin(), dropped.end()) > 1.0);
      CHECK(share_of_three(values(report, "no_scaling_right")) < 0.6);
      CHECK(share_of_three(values(report, "no_scaling_wrong")) > 0.7);
    }
  }
}

TEST_CASE("the classic mistakes are all there") {
  std::set<std::string> names;
  for (const Mistake& mistake : mistakes()) names.insert(mistake.name);
  CHECK(names == std::set<std::string>{"wrong-axis", "wrong-sqrt", "no-scaling", "small-mask",
                                       "inverted-mask", "boolean-mask", "reshaped-heads",
                                       "no-output-projection", "dropout", "off-by-one"});
}

TEST_CASE("one mistake alone has the numbers and the picture that it has among all") {
  const Report all = run_with(mistakes_experiment(), {});
  for (const Mistake& mistake : mistakes()) {
    const Report one = run_with(mistakes_experiment(), {{"mistake", mistake.name}});
    check_form(one);
    REQUIRE(one.figures.size() == 1);
    CHECK(one.figures[0].name == mistake.name);
    for (const Stage& stage : one.stages) {
      CHECK(disagreement(stage.array.data, values(all, stage.name), 0.0) == "");
    }
  }
  check_form(all);
}

TEST_CASE("a seed stands below the pictures that it changes and no others") {
  const Report report = run_with(mistakes_experiment(), {{"seed", "7"}});
  for (const Figure& drawn : report.figures) {
    INFO(drawn.name);
    const bool fixed = drawn.name == "off-by-one";
    CHECK(contains(drawn.caption.en(), "Seed 7.") != fixed);
    CHECK(contains(drawn.caption.ja(), "乱数の種 7。") != fixed);
  }
}

TEST_CASE("the wrong axis makes columns sum to 1 instead of rows") {
  const Report report = run_with(mistakes_experiment(), {{"mistake", "wrong-axis"}});
  const std::vector<double>& wrong = values(report, "wrong_axis_wrong");
  for (std::size_t column = 0; column < 6; ++column) {
    double sum = 0.0;
    for (std::size_t row = 0; row < 6; ++row) sum += wrong[row * 6 + column];
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
  }
}

TEST_CASE("an inverted causal mask shows the future alone and leaves the last query nothing") {
  const Report report = run_with(mistakes_experiment(), {{"mistake", "inverted-mask"}});
  const std::vector<double>& wrong = values(report, "inverted_mask_wrong");
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const double weight = wrong[row * 6 + column];
      CHECK((row == 5 ? std::isnan(weight) : weight == 0.0));
    }
  }
}

TEST_CASE("an added boolean mask raises the hidden keys by a factor of e against the others") {
  const Report report = run_with(mistakes_experiment(), {{"mistake", "boolean-mask"}});
  const std::vector<double>& scores = values(report, "boolean_mask_scores");
  const std::vector<double>& wrong = values(report, "boolean_mask_wrong");
  for (std::size_t row = 0; row < 5; ++row) {
    const std::size_t seen = row * 6;
    const std::size_t hidden = row * 6 + 5;
    const double unmasked = std::exp(scores[hidden] - scores[seen]);
    CHECK(wrong[hidden] / wrong[seen] / unmasked == doctest::Approx(2.718281828459045).epsilon(1e-12));
  }
}

TEST_CASE("without the output projection head 0 reaches its own columns alone") {
  const Report report = run_with(mistakes_experiment(), {{"mistake", "no-output-projection"}});
  const std::vector<double>& wrong = values(report, "no_output_projection_wrong");
  for (std::size_t i = 0; i < wrong.size(); ++i) CHECK((wrong[i] != 0.0) == (i % 16 < 4));
}

}  // namespace attnlab
