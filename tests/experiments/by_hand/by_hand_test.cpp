// The example on the blackboard: other seeds, other bases, and the same words in other experiments.
#include "experiments/by_hand/by_hand.hpp"

#include <doctest/doctest.h>

#include "experiments/framework/reports.hpp"

namespace attnlab {

TEST_CASE("every seed draws small whole words, and in each head some word prefers another one") {
  for (int seed = 1; seed <= 300; ++seed) {
    INFO(seed);
    const Report report = run_with(by_hand_experiment(), {{"seed", std::to_string(seed)}});
    for (const double number : values(report, "x"))
      CHECK((number == 0 || number == 1 || number == 2 || number == 3));
    for (const double score : values(report, "scores"))
      CHECK((score == std::round(score) && std::abs(score) <= 3));
    const std::vector<double> weights = values(report, "weights");
    CHECK(weights[3] != weights[4]);    // head 1, the word of both meanings: the first word and itself
    CHECK(weights[9 + 7] > 1.0 / 3.0);  // head 2, the last word: the word of both meanings
  }
}

TEST_CASE("with e as its base and a scale of ln 2 in the formula, attention is that of base 2") {
  for (const char* name : {"self-attention", "cross-attention"}) {
    INFO(name);
    const Experiment& experiment = *find_named(experiments(), name);
    REQUIRE(experiment.example);
    Arguments arguments(experiment.parameters);
    arguments.set("scale", fmt::format("{:.17g}", std::log(2.0)));
    arguments.set("example", "by-hand");
    const Report report = run(experiment, arguments);
    const Report by_hand = run_with(by_hand_experiment(), {{"mask", "none"}});
    const std::vector<double>& own = values(by_hand, "weights");
    const std::vector<double> weights = values(report, "weights");
    REQUIRE(weights.size() == 9);
    for (std::size_t i = 0; i < 9; ++i) CHECK(weights[i] == doctest::Approx(own[i]).epsilon(1e-12));
  }
}

TEST_CASE("every experiment that takes the example runs with it") {
  for (const Experiment& experiment : experiments()) {
    if (!experiment.example) continue;
    INFO(experiment.name);
    Arguments arguments(experiment.parameters);
    arguments.set("example", "by-hand");
    CHECK_NOTHROW(require_invariants(run(experiment, arguments)));
  }
}

TEST_CASE("without the mask the word of both meanings is followed by either, and says so") {
  const Report report = run_with(by_hand_experiment(), {});
  CHECK(contains(figure(report, "mask").title.en(), "without it, by floods or lends"));
  CHECK(contains(figure(report, "next").title.en(), "floods (0.49)"));
  const Report even = run_with(by_hand_experiment(), {{"mask", "none"}});
  CHECK(contains(paragraphs(even, Role::say), "With the mask it would be floods"));
}

TEST_CASE("what the mask hides is struck out in the scores, and nothing else is") {
  for (const char* mask : {"causal", "none"}) {
    CAPTURE(mask);
    const bool is_causal = mask == std::string("causal");
    const Report report = run_with(by_hand_experiment(), {{"mask", mask}});
    for (const char* name : {"weights", "second-head"}) {
      CAPTURE(name);
      const Figure& shown = figure(report, name);
      const auto& equation = std::get<MatrixEquation>(shown.panels.front().content);
      const HeatMap& masked = std::get<MatrixTerm>(equation.terms.front()).map;
      REQUIRE(masked.hidden.size() == 9);
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
          CHECK(masked.hidden[3 * row + column] == (is_causal && column > row));
      CHECK(contains(shown.caption.en(), "Hatched:") == is_causal);
      CHECK(contains(shown.caption.ja(), "斜線：") == is_causal);
    }
  }
}

TEST_CASE("where no query asks for anything, no word is said to read another one") {
  const Experiment& experiment = *find_named(experiments(), "by-hand");
  Arguments arguments(experiment.parameters);
  arguments.set("mask", "none");
  Array nothing = stage(run_with(by_hand_experiment(), {}), "w_query").array;
  std::fill(nothing.data.begin(), nothing.data.end(), 0.0);
  give_arrays(arguments, experiment, {{"w_query", "zeros", nothing}});
  const Report report = run(experiment, arguments);
  CHECK(contains(paragraphs(report, Role::say), "every word attends uniformly"));
  for (const char* name : {"weights", "second-head"}) {
    CHECK(contains(figure(report, name).title.en(), "attends uniformly"));
    CHECK_FALSE(contains(figure(report, name).title.en(), "0.333"));
  }
}

}  // namespace attnlab
