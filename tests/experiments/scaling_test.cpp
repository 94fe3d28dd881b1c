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
#include "experiments/catalogue.hpp"
#include "reports.hpp"

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
    CHECK(std::get<Points>(chart(clipped, panel).layers.at(0)).y.size() == 20);
  }
}

TEST_CASE("the title of the scatter tells this run's percentages") {
  for (const char* seed : {"0", "5", "6"}) {
    const Report report = run_with(scaling_experiment(), {{"seed", seed}});
    const std::string percent = std::to_string(std::lround(100.0 * scalar(report, "largest_weight_high")));
    CHECK(contains(figure(report, "scatter").title.en(), percent + " %"));
    CHECK(contains(figure(report, "scatter").title.ja(), percent + "%"));
  }
}

TEST_CASE("scaling refuses sizes beyond its memory and names keys that fit") {
  const auto refusal = [](const char* keys, const char* dim) {
    return usage_error(scaling_experiment(), {{"keys", keys}, {"low-dim", dim}, {"high-dim", dim}});
  };
  CHECK(refusal("2000", "5000") ==
        "2000 keys of 5000 and 5000 dimensions need 20010000 random numbers, more than 10000000; with these "
        "dimensions choose --keys of at most 999");
  CHECK(refusal("999", "5000").empty());
  CHECK_FALSE(refusal("1000", "5000").empty());
}

}  // namespace attnlab
