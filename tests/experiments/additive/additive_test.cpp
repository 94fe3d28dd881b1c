// The additive experiment: NumPy's numbers, unequal widths, and what the hidden layer is for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/framework/traces.hpp"

namespace attnlab {
namespace {

/// The largest difference between the rows of a matrix with that many columns.
double difference_of_rows(const std::vector<double>& matrix, std::size_t columns) {
  double largest = 0.0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    largest = std::max(largest, std::abs(matrix[i] - matrix[i % columns]));
  }
  return largest;
}

}  // namespace

TEST_CASE(
    "with nested draws fewer hidden units are the first ones of the network, before the division by their number") {
  const Report all = run_with(additive_experiment(), {});
  const Report few = nested_run(*find_named(experiments(), "additive"), {{"units", "4"}});
  CHECK(values(few, "query") == values(all, "query"));
  for (std::size_t row = 0; row < 256; ++row) {
    for (std::size_t unit = 0; unit < 4; ++unit) {
      CHECK(values(few, "w_hidden")[row * 4 + unit] == values(all, "w_hidden")[row * 64 + unit]);
    }
  }
  for (std::size_t unit = 0; unit < 4; ++unit) {
    CHECK(values(few, "w_score")[unit] * 2.0 ==
          doctest::Approx(values(all, "w_score")[unit] * 8.0).epsilon(1e-14));
  }
}

TEST_CASE("additive agrees with NumPy on the joined vectors") {
  check_reference(additive_experiment(), "additive/default.json");
  check_reference(additive_experiment(), "additive/unequal.json");
}

TEST_CASE("what must hold of additive attention holds for every seed and every size") {
  for (const Flags& flags : std::vector<Flags>{
           {},
           {{"seed", "1"}},
           {{"rng", "torch"}},
           {{"queries", "1"}, {"keys", "1"}, {"query-width", "2"}, {"key-width", "2"}, {"units", "1"}},
           {{"query-width", "7"}, {"key-width", "512"}},
           {{"queries", "16"}, {"keys", "32"}, {"query-width", "512"}, {"key-width", "512"}}}) {
    const Report report = run_with(additive_experiment(), flags);
    check_form(report);
    CHECK(report.invariants.size() == 5);
    check_invariants_hold(report);
  }
}

TEST_CASE("without the hidden layer no weight depends on the query and with it every row differs") {
  const Report report = run_with(additive_experiment(), {});
  CHECK(difference_of_rows(values(report, "linear_weights"), 5) < 1e-14);
  CHECK(difference_of_rows(values(report, "weights"), 5) > 0.1);
  // The scores differ all the same: by u·q, the same for a whole row.
  CHECK(difference_of_rows(values(report, "linear_scores"), 5) > 0.1);
}

TEST_CASE("with equal widths the dot product stands beside additive attention") {
  const Report report = run_with(additive_experiment(), {});
  CHECK(has_stage(report, "dot_weights"));
  CHECK(figure(report, "weights").panels.size() == 3);
  CHECK(scalar(report, "additive_parameters") == 256 * 64 + 64);
}

TEST_CASE("the dot product's refusal of unequal widths is quoted") {
  const Report equal = run_with(additive_experiment(), {});
  CHECK(contains(paragraphs(equal, Role::text), "query and key differ in width: d_q 128, d_k 64"));
  const Report unequal = run_with(additive_experiment(), {{"key-width", "32"}});
  CHECK(contains(paragraphs(unequal, Role::text), "query and key differ in width: d_q 128, d_k 32"));
  CHECK_FALSE(has_stage(unequal, "dot_weights"));
  CHECK(figure(unequal, "weights").panels.size() == 1);
}

// The short keys' scores are those of keys whose missing entries are 0: the rows of W left out multiply
// zeros.
TEST_CASE("keys cut to half their width are scored by the rows of the network that remain") {
  const Report report =
      run_with(additive_experiment(), {{"query-width", "2"}, {"key-width", "2"}, {"units", "1"}});
  const std::vector<double>& query = values(report, "query");
  const std::vector<double>& key = values(report, "key");
  const std::vector<double>& hidden = values(report, "w_hidden");
  const double v = values(report, "w_score")[0];
  const double input = query[0] * hidden[0] + query[1] * hidden[1] + key[0] * hidden[2];
  CHECK(values(report, "short_scores")[0] == doctest::Approx(v * std::tanh(input)).epsilon(1e-14));
}

TEST_CASE("every computed stage of additive says how it came about") {
  check_derivations(run_with(additive_experiment(), {}));
}

TEST_CASE("additive refuses widths and sizes out of range") {
  for (const Flags& flags : std::vector<Flags>{{{"query-width", "1"}},
                                               {{"key-width", "513"}},
                                               {{"units", "0"}},
                                               {{"queries", "17"}},
                                               {{"keys", "0"}}}) {
    CHECK_FALSE(usage_error(additive_experiment(), flags).empty());
  }
}

}  // namespace attnlab
