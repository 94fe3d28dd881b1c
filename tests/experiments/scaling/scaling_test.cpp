// The scaling experiment: the book's numbers, what 1/√d can and cannot change, and the limits of the scatter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/scaling/scaling.hpp"

namespace attnlab {
namespace {

/// The keys from the least to the most weighed.
std::vector<std::size_t> order(const std::vector<double>& weights) {
  std::vector<std::size_t> keys(weights.size());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  std::sort(keys.begin(), keys.end(), [&](std::size_t a, std::size_t b) { return weights[a] < weights[b]; });
  return keys;
}

const Chart& chart(const Figure& drawn, std::size_t panel) {
  return std::get<Chart>(drawn.panels.at(panel).content);
}

}  // namespace

TEST_CASE("with nested draws a size that changes leaves all other numbers where they are") {
  const auto drawn = [](const char* name, const std::string& value, const char* array) {
    const Report report = nested_run(*find_named(experiments(), "scaling"), {{name, value}});
    return values(report, array);
  };
  const std::vector<double> query = drawn("high-dim", "300", "query_high");
  const std::vector<double> keys = drawn("high-dim", "300", "keys_high");
  for (const std::size_t dim : {2UL, 99UL, 100UL, 101UL, 160UL, 299UL}) {
    CAPTURE(dim);
    const std::string typed = std::to_string(dim);
    const std::vector<double> fewer = drawn("high-dim", typed, "query_high");
    CHECK(std::equal(fewer.begin(), fewer.end(), query.begin()));
    const std::vector<double> fewer_keys = drawn("high-dim", typed, "keys_high");
    for (std::size_t key = 0; key < 20; ++key) {
      const auto row = static_cast<std::ptrdiff_t>(key * dim);
      CHECK(std::equal(fewer_keys.begin() + row, fewer_keys.begin() + row + static_cast<std::ptrdiff_t>(dim),
                       keys.begin() + static_cast<std::ptrdiff_t>(key * 300)));
    }
    CHECK(drawn("high-dim", typed, "scores_low") == drawn("high-dim", "300", "scores_low"));
  }
  const std::vector<double> many = drawn("keys", "60", "keys_high");
  const std::vector<double> few = drawn("keys", "37", "keys_high");
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(drawn("keys", "7", "query_high") == drawn("keys", "60", "query_high"));
}

TEST_CASE("scaling agrees with the book's code in NumPy") {
  check_reference(scaling_experiment(), "scaling/default.json");
  check_reference(scaling_experiment(), "scaling/wide.json");
}

TEST_CASE("scaling spreads the weights and keeps their order") {
  for (const char* seed : {"0", "1", "2", "3"}) {
    INFO(seed);
    const Report report = run_with(scaling_experiment(), {{"seed", seed}, {"low-dim", "4"}});
    check_form(report);
    for (const std::string dim : {"low", "high"}) {
      const std::vector<double>& weights = values(report, "weights_" + dim);
      const std::vector<double>& scaled = values(report, "weights_" + dim + "_scaled");
      CHECK(order(weights) == order(scaled));
      CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == doctest::Approx(1.0).epsilon(1e-14));
      CHECK(std::accumulate(scaled.begin(), scaled.end(), 0.0) == doctest::Approx(1.0).epsilon(1e-14));
      CHECK(scalar(report, "entropy_" + dim + "_scaled") > scalar(report, "entropy_" + dim));
      CHECK(scalar(report, "largest_weight_" + dim + "_scaled") < scalar(report, "largest_weight_" + dim));
    }
  }
}

TEST_CASE("in one dimension scaling changes nothing") {
  const Report report = run_with(scaling_experiment(), {{"seed", "9"}});
  CHECK(values(report, "weights_low") == values(report, "weights_low_scaled"));
}

TEST_CASE("the four panels of the scatter share limits that hold every point") {
  const Report report = run_with(scaling_experiment(), {});
  const Figure& scatter = figure(report, "scatter");
  REQUIRE(scatter.panels.size() == 4);
  CHECK(scatter.columns == 2);
  CHECK(scatter.page.width == 12.0);
  CHECK(scatter.page.height == 12.0);
  for (std::size_t panel = 0; panel < 4; ++panel) {
    const Chart& one = chart(scatter, panel);
    REQUIRE(one.y.limits.has_value());
    CHECK(one.y.limits->low == chart(scatter, 0).y.limits->low);
    CHECK(one.y.limits->high == chart(scatter, 0).y.limits->high);
    for (const double y : std::get<Points>(one.layers.at(0)).y) {
      CHECK(y >= one.y.limits->low);
      CHECK(y <= one.y.limits->high);
    }
  }
}

TEST_CASE("the book's limits leave the unscaled panel of the high dimension free") {
  const Report report = run_with(scaling_experiment(), {{"limits", "book"}});
  const Figure& scatter = figure(report, "scatter");
  const double top =
      std::max(scalar(report, "largest_weight_low_scaled"), scalar(report, "largest_weight_high_scaled")) +
      0.1;
  for (const std::size_t panel : {0U, 1U, 3U}) {
    REQUIRE(chart(scatter, panel).y.limits.has_value());
    CHECK(chart(scatter, panel).y.limits->low == -0.01);
    CHECK(chart(scatter, panel).y.limits->high == top);
  }
  CHECK_FALSE(chart(scatter, 2).y.limits.has_value());
}

TEST_CASE("the clipped figure ends at the limit and hides no key") {
  const Report report = run_with(scaling_experiment(), {{"clip", "0.2"}});
  const Figure& clipped = figure(report, "clipped");
  for (const std::size_t panel : {0U, 1U}) {
    REQUIRE(chart(clipped, panel).y.limits.has_value());
    CHECK(chart(clipped, panel).y.limits->high == 0.2);
    const std::vector<Layer>& layers = chart(clipped, panel).layers;
    CHECK(std::get<Bars>(layers.back()).values.size() == 20);  // the last layer: drawn over the rule
    CHECK(std::get<Rule>(layers.front()).at == 0.05);
  }
  CHECK(contains(clipped.caption.en(), "uniform (0.05)"));
}

TEST_CASE("the title of the scatter tells this run's percentages") {
  for (const char* seed : {"0", "5", "6"}) {
    const Report report = run_with(scaling_experiment(), {{"seed", seed}});
    const std::string percent = std::to_string(std::lround(100.0 * scalar(report, "largest_weight_high")));
    CHECK(contains(figure(report, "scatter").title.en(), percent + "%"));
    CHECK(contains(figure(report, "scatter").title.ja(), percent + "%"));
  }
}

TEST_CASE("a weight below 1 is never called 100%") {
  CHECK(percent(0.996).en() == "almost 100%");
  CHECK(percent(0.996).ja() == "ほぼ 100%");
  CHECK(percent(1.0).en() == "100%");
  CHECK(percent(0.994).en() == "99%");
}

TEST_CASE("the sentence to say counts the keys under a fifth of an equal share") {
  const Report some = run_with(scaling_experiment(), {});
  const std::vector<double>& weights = values(some, "weights_high");
  const auto faint = std::count_if(weights.begin(), weights.end(), [](double w) { return w < 0.01; });
  REQUIRE(faint > 0);
  CHECK(contains(paragraphs(some, Role::say), std::to_string(faint) + " of 20 keys get less than 1%"));
  for (int seed = 0; seed < 20; ++seed) {
    const Report report =
        run_with(scaling_experiment(), {{"keys", "2"}, {"high-dim", "2"}, {"seed", std::to_string(seed)}});
    const bool reported = contains(paragraphs(report, Role::say), "get less than");
    CHECK(reported == (scalar(report, "faint_keys_high") > 0.0));
  }
}

TEST_CASE("the note on one dimension appears only with one dimension") {
  CHECK(contains(paragraphs(run_with(scaling_experiment(), {}), Role::note), "√d = 1"));
  const Report without = run_with(scaling_experiment(), {{"low-dim", "2"}});
  CHECK_FALSE(contains(paragraphs(without, Role::note), "√d = 1"));
}

TEST_CASE("the low dimension must be smaller than the high one") {
  CHECK(usage_error(scaling_experiment(), {{"low-dim", "4"}, {"high-dim", "4"}}) ==
        "--low-dim 4 is not smaller than --high-dim 4; choose --low-dim smaller than --high-dim");
  CHECK_FALSE(usage_error(scaling_experiment(), {{"high-dim", "1"}}).empty());
}

TEST_CASE("scaling refuses sizes beyond its memory and names keys that fit") {
  const auto refusal = [](const char* keys, const char* dim) {
    return usage_error(scaling_experiment(), {{"keys", keys}, {"low-dim", "1"}, {"high-dim", dim}});
  };
  CHECK(
      refusal("2000", "9999") ==
      "2000 keys of 1 and 9999 dimensions need 20010000 random numbers, more than 10000000; with these dimensions choose --keys of at most 999");
  CHECK(refusal("999", "9999").empty());
  CHECK_FALSE(refusal("1000", "9999").empty());
}

TEST_CASE("a query of one's own sets the dimension") {
  const Report report = run_with(scaling_experiment(), {}, {own("query_high", {3}, {0, 0, 0})});
  check_invariants_hold(report);
  CHECK(values(report, "keys_high").size() == 60);
  for (const double weight : values(report, "weights_high")) CHECK(weight == 0.05);
  CHECK(!contains(paragraphs(report, Role::text), "drawn from the standard normal"));
}

}  // namespace attnlab
