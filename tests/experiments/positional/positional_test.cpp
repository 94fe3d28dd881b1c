// The positional experiment: every claim about the encoding measured, also where the width is odd.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

constexpr double rounding = 1e-12;

/// max |(A Aᵀ - I)| of a square matrix.
double distance_from_orthogonal(const Array& matrix) {
  const std::size_t n = matrix.shape.at(0);
  double distance = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double product = i == j ? -1.0 : 0.0;
      for (std::size_t k = 0; k < n; ++k) product += matrix.data[i * n + k] * matrix.data[j * n + k];
      distance = std::max(distance, std::abs(product));
    }
  }
  return distance;
}

}  // namespace

TEST_CASE("the positional measurements agree with NumPy for even and odd widths") {
  check_reference(positional_experiment(), "positional/even.json");
  check_reference(positional_experiment(), "positional/odd.json");
}

TEST_CASE("the closest positions are neighbours and their distance follows from their dot product") {
  const Report report = run_with(positional_experiment(), {});
  check_form(report);
  CHECK(scalar(report, "closest_offset") == 1.0);
  // |r_0 - r_1|² = |r_0|² + |r_1|² - 2 r_0 · r_1
  const double square = 64.0 - 2.0 * values(report, "similarity").at(1);
  CHECK(std::abs(scalar(report, "closest_distance") - std::sqrt(square)) < rounding);
}

TEST_CASE("the squared norm is half the width and the shift is one rotation for all positions") {
  for (const char* width : {"2", "7", "64", "99"}) {
    for (const char* offset : {"1", "5", "60"}) {
      INFO(width, " ", offset);
      const Report report = run_with(positional_experiment(), {{"width", width}, {"offset", offset}});
      const double even = std::floor(std::stod(width) / 2.0) * 2.0;
      CHECK(scalar(report, "squared_norm") == even / 2.0);
      for (const double square : values(report, "squared_norm")) {
        CHECK(std::abs(square - even / 2.0) < rounding);
      }
      CHECK(scalar(report, "squared_norm_error") < rounding);
      CHECK(stage(report, "shift_matrix").array.shape.at(0) == static_cast<std::size_t>(even));
      CHECK(distance_from_orthogonal(stage(report, "shift_matrix").array) < rounding);
      CHECK(scalar(report, "shift_error") < rounding);
      CHECK(scalar(report, "relative_deviation") < rounding);
      CHECK(scalar(report, "rotary_deviation") < rounding);
    }
  }
}

TEST_CASE("with the shift as key projection every query scores the key that far back highest") {
  const Report report = run_with(positional_experiment(), {{"offset", "7"}});
  CHECK(scalar(report, "relative_peaks") == 43.0);
  const std::vector<double>& scores = values(report, "relative_scores");
  for (std::size_t query = 7; query < 50; ++query) {
    for (std::size_t key = 0; key < 50; ++key) {
      if (key + 7 != query) CHECK(scores[query * 50 + key] < scores[query * 50 + query - 7]);
    }
  }
  CHECK(scalar(run_with(positional_experiment(), {{"offset", "50"}}), "relative_peaks") == 0.0);
}

TEST_CASE("every invariant of the positions holds for even and odd widths near and far") {
  for (const Flags& flags :
       {Flags{}, Flags{{"width", "7"}}, Flags{{"positions", "2"}, {"width", "2"}, {"offset", "1"}},
        Flags{{"base", "1"}}, Flags{{"positions", "1000"}, {"width", "199"}, {"offset", "1000"}},
        Flags{{"positions", "195"}, {"width", "1024"}, {"rng", "torch"}, {"seed", "3"}}}) {
    const Report report = run_with(positional_experiment(), flags);
    CHECK(report.invariants.size() == 6);
    for (const Invariant& invariant : report.invariants) {
      CAPTURE(invariant.name);
      CAPTURE(invariant.error);
      CHECK(holds(invariant));
      CHECK(invariant.tolerance < 1e-8);
    }
  }
}

TEST_CASE("the query projection is the identity and the key projection the shift") {
  const Report report = run_with(positional_experiment(), {{"width", "3"}, {"offset", "2"}});
  CHECK(stage(report, "w_query").array.shape == std::vector<std::size_t>{3, 2});
  CHECK(values(report, "w_query") == std::vector<double>{1, 0, 0, 1, 0, 0});
  const std::vector<double>& key = values(report, "w_key");
  CHECK(key.at(0) == doctest::Approx(std::cos(2.0)));
  CHECK(key.at(1) == doctest::Approx(-std::sin(2.0)));
  CHECK(key.at(2) == doctest::Approx(std::sin(2.0)));
  CHECK(key.at(4) == 0.0);
}

TEST_CASE("at distance zero both rotary pairings give the plain dot product") {
  const Report report = run_with(positional_experiment(), {});
  const std::vector<double>& interleaved = values(report, "rotary_interleaved");
  const std::vector<double>& halves = values(report, "rotary_halves");
  REQUIRE(values(report, "rotary_distance").at(49) == 0.0);
  CHECK(std::abs(interleaved.at(49) - halves.at(49)) < rounding);
  // rng = np.random.RandomState(0); rng.randn(64) @ rng.randn(64)
  CHECK(std::abs(interleaved.at(49) + 17.76696646770419) < rounding);
  CHECK(std::abs(interleaved.at(60) - halves.at(60)) > 0.1);
}

TEST_CASE("rotary pairs neighbours or the two halves") {
  const std::vector<double> by_hand{0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  const Report report = run_with(positional_experiment(), {});
  CHECK(values(report, "rotary_pairs") == by_hand);
}

TEST_CASE("an odd width is said to leave its last column out") {
  CHECK(contains(paragraphs(run_with(positional_experiment(), {{"width", "7"}}), Role::note),
                 "other 6 columns"));
  CHECK_FALSE(contains(paragraphs(run_with(positional_experiment(), {}), Role::note), "without its cosine"));

  const Report odd = run_with(positional_experiment(), {{"width", "7"}});
  CHECK(contains(paragraphs(odd, Role::text), "Without the last column, at every position ‖r‖² = 3 "));
  CHECK(contains(paragraphs(odd, Role::note), "D = 7 is odd"));
}

TEST_CASE("norm and squared norm are said to agree in the example only at D = 2") {
  const auto reported = [](const char* width) {
    return paragraphs(run_with(positional_experiment(), {{"width", width}}), Role::note);
  };
  CHECK(contains(reported("2"), "In this example D = 2"));
  CHECK_FALSE(contains(reported("4"), "In this example D = 2"));
}

TEST_CASE("clock hands have different speeds only where there are two frequencies") {
  const auto reported = [](const Flags& flags) {
    return paragraphs(run_with(positional_experiment(), flags), Role::say);
  };
  CHECK(contains(reported({{"width", "4"}}), "different speeds"));
  CHECK_FALSE(contains(reported({{"width", "3"}}), "different speeds"));
  CHECK_FALSE(contains(reported({{"base", "1"}}), "different speeds"));
}

TEST_CASE("an offset beyond the positions leaves no query that looks back") {
  const Report report = run_with(positional_experiment(), {{"positions", "5"}});
  CHECK(figure(report, "rotation").panels.size() == 1);
  CHECK_FALSE(contains(paragraphs(report, Role::text), "largest score"));
  const Report within = run_with(positional_experiment(), {{"positions", "6"}});
  CHECK(figure(within, "rotation").panels.size() == 2);
  CHECK(contains(paragraphs(within, Role::text), " of 1 queries"));
}

TEST_CASE("the least similar position is marked above the lower end of the axis") {
  const Report report = run_with(positional_experiment(), {});
  const auto& chart = std::get<Chart>(figure(report, "similarity").panels.at(0).content);
  const double lowest = scalar(report, "similarity_minimum");
  REQUIRE(chart.y.limits.has_value());
  CHECK(chart.y.limits->low < lowest);
  bool marked = false;
  for (const Layer& layer : chart.layers) {
    const auto* points = std::get_if<Points>(&layer);
    if (points == nullptr || points->id != "minimum") continue;
    marked = points->y == std::vector<double>{lowest} &&
             points->x == std::vector<double>{scalar(report, "similarity_minimum_at")};
  }
  CHECK(marked);
}

TEST_CASE("the rotary score is not symmetric in the relative position") {
  const Report report = run_with(positional_experiment(), {});
  const std::vector<double>& curve = values(report, "rotary_interleaved");
  CHECK(std::abs(curve.at(49 + 5) - curve.at(49 - 5)) > 0.1);  // so that "distance" would be wrong
  CHECK_FALSE(contains(figure(report, "rotary").description.en(), "distance"));
}

TEST_CASE("two positions alone run through every measurement") {
  const Report report =
      run_with(positional_experiment(), {{"positions", "2"}, {"width", "2"}, {"offset", "1"}});
  CHECK(report.figures.size() == 6);
  CHECK(scalar(report, "closest_offset") == 1.0);
  // |(sin 1, cos 1) - (0, 1)| = 2 sin(1/2)
  CHECK(std::abs(scalar(report, "closest_distance") - 2.0 * std::sin(0.5)) < rounding);
  CHECK(scalar(report, "similarity_rises") == 0.0);
  CHECK(contains(figure(report, "similarity").title.en(), "falls at the next position"));
}

TEST_CASE("positional refuses tables beyond its limit and names positions that fit") {
  CHECK(
      usage_error(positional_experiment(), {{"positions", "1000"}, {"width", "1000"}}) ==
      "1000 positions of width 1000 are 1000000 numbers, more than 200000; with this width choose --positions of at most 200");
  CHECK_FALSE(usage_error(positional_experiment(), {{"positions", "1000000000"}}).empty());
}

TEST_CASE("own queries and keys are turned in the place of drawn ones") {
  const Experiment experiment = positional_experiment();
  const Flags flags{{"width", "3"}, {"positions", "2"}};
  const Report report =
      run_with(experiment, flags, {own("rotary_query", {2}, {1, 0}), own("rotary_key", {2}, {0, 1})});
  // of relative position -1, 0, 1: a key one step ahead has turned by one radian, away from the query
  const Numbers expected{-std::sin(1.0), 0.0, std::sin(1.0)};
  CHECK(disagreement(values(report, "rotary_halves"), expected, tolerance64()) == "");
  CHECK(contains(figure(report, "rotary").caption.en(), "rotary_query: rotary_query.npy"));
  CHECK(contains(usage_error(experiment, flags, {own("rotary_key", {3}, {1, 2, 3})}), "this run needs (2,)"));
}

}  // namespace attnlab
