// Rotary positions: NumPy's complex numbers, distance alone, both pairings, the numbers of the papers,
// refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attention/rotary_scaling.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

const Invariant& invariant_named(const Report& report, const std::string& name) {
  return *std::find_if(report.invariants.begin(), report.invariants.end(),
                       [&](const Invariant& one) { return one.name == name; });
}

}  // namespace

TEST_CASE("rope agrees with products of complex numbers, and each way with its paper") {
  check_reference(rope_experiment(), "rope/default.json");
  check_reference(rope_experiment(), "rope/small.json");
}

TEST_CASE(
    "the score depends on the distance alone, for many widths and bases, and is that of NoPE at distance 0") {
  for (const char* width : {"2", "6", "64", "256"}) {
    for (const char* base : {"2", "10000", "1e6"}) {
      const Report report =
          run_with(rope_experiment(), {{"width", width}, {"base", base}, {"positions", "60"}});
      INFO(width, " ", base);
      CHECK(scalar(report, "deviation") <= 1e-13);
      for (const Invariant& one : report.invariants) CHECK(holds(one));
      CHECK(values(report, "by_distance")[0] == doctest::Approx(scalar(report, "unturned")).epsilon(1e-12));
    }
  }
}

TEST_CASE("the wrong pairing breaks what the right one keeps") {
  const Report report = run_with(rope_experiment(), {});
  const Numbers& right = values(report, "by_distance");
  const Numbers& wrong = values(report, "confused");
  const Numbers& reordered = values(report, "reordered");
  std::size_t apart = 0;
  for (std::size_t i = 1; i < right.size(); ++i)
    if (std::abs(right[i] - wrong[i]) > 0.1) ++apart;
  CHECK(apart > right.size() / 2);
  CHECK(disagreement(reordered, right, 1e-13) == "");
  // of one pair there is one pairing
  const Report one_pair = run_with(rope_experiment(), {{"width", "2"}});
  CHECK(scalar(one_pair, "largest_confusion") == 0.0);
  CHECK(invariant_named(report, "reordered_weights_agree").error <= 1e-13);
}

TEST_CASE("the numbers that the papers print") {
  // Peng et al. 2023: 0.1 ln 4 + 1; Llama 2's 64 pairs over 4096 positions
  const Report report = run_with(rope_experiment(), {});
  CHECK(scalar(report, "yarn_attention_factor") == doctest::Approx(1.1386).epsilon(1e-4));
  CHECK(scalar(report, "unfinished_pairs") == 18.0);
}

TEST_CASE("a factor of 1 leaves every way as it was trained") {
  for (const RotaryMethod& method : rotary_methods()) {
    RotaryScaling scaling;
    scaling.method = method.name;
    scaling.positions = 512.0;
    scaling.short_factors = scaling.long_factors = std::vector<double>(8, 1.0);
    const RotaryTurns turns = rotary_turns(10000.0, 16, 600, scaling);
    const RotaryTurns plain = rotary_turns(10000.0, 16, 600, {});
    INFO(method.name);
    // dynamic NTK goes by the length
    if (method.name != "dynamic") CHECK(disagreement(turns.frequencies, plain.frequencies, 1e-15) == "");
    CHECK(turns.attention == 1.0);
  }
}

TEST_CASE("an odd width and a distance beyond the positions are refused in one line") {
  CHECK(usage_error(rope_experiment(), {{"width", "7"}}) ==
        "an odd width 7 cannot be split into pairs that rotate; choose an even width");
  CHECK(usage_error(rope_experiment(), {{"distance", "48"}}) ==
        "--distance 48 needs more than 48 --positions; choose a distance of at most 47");
}

}  // namespace attnlab
