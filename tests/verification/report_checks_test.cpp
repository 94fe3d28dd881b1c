// Invariants and derivations of a report: what holds passes, and each kind of mistake is found.
#include "verification/report_checks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/constants.hpp"

namespace attnlab {
namespace {

Stage matrix(const std::string& name, const std::vector<double>& data, const Derivation& derivation = {}) {
  const std::size_t keys = 2;
  return {name,
          formula::row({}),
          {{data.size() / keys, keys}, {"queries", "keys"}, data, DType::float64},
          derivation};
}

/// Scores, and the weights that are to be their softmax.
Report report_with(const std::vector<double>& scores, const std::vector<double>& weights) {
  Report report;
  report.experiment = "test";
  report.stages = {matrix("scores", scores), matrix("weights", weights, derived::softmax("scores"))};
  return report;
}

bool all_pass(const std::vector<VerifyCheck>& checks) {
  REQUIRE_FALSE(checks.empty());
  for (const VerifyCheck& check : checks) {
    if (!check.agrees) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("rows of weights that sum to 1 pass and others fail") {
  CHECK(all_pass(check_invariants(report_with({0.0, 0.0}, {0.5, 0.5}))));
  CHECK_FALSE(all_pass(check_invariants(report_with({0.0, 0.0}, {0.5, 0.5 + 1e-14}))));
  CHECK_FALSE(all_pass(check_invariants(report_with({0.0, 0.0, 0.0, 0.0}, {0.5, 0.5, 0.6, 0.6}))));
}

TEST_CASE("a row is NaN only where its scores leave no choice") {
  CHECK(all_pass(check_invariants(report_with({-infinity, -infinity}, {not_a_number, not_a_number}))));
  CHECK(all_pass(check_invariants(report_with({not_a_number, 0.0}, {not_a_number, not_a_number}))));
  CHECK_FALSE(all_pass(check_invariants(report_with({-infinity, 0.0}, {not_a_number, not_a_number}))));
  CHECK_FALSE(all_pass(check_invariants(report_with({-infinity, -infinity}, {not_a_number, 1.0}))));
  Report underived = report_with({-infinity, -infinity}, {not_a_number, not_a_number});
  underived.stages[1].derivation = Derivation{}.with_rows_of_one();
  CHECK_FALSE(all_pass(check_invariants(underived)));
}

TEST_CASE("arrays whose rows are not declared to sum to 1 are left alone") {
  Report report = report_with({0.0, 0.0}, {7.0, 7.0});
  report.stages[1].derivation = {};
  CHECK(check_invariants(report).empty());
}

TEST_CASE("a report's own invariants are judged by their tolerance") {
  Report report;
  report.experiment = "test";
  report.invariants = {{"kept", {"保たれる", "kept"}, 0.5, 0.5},
                       {"broken", {"破れる", "broken"}, 0.6, 0.5},
                       {"lost", {"失われる", "lost"}, not_a_number, 0.5}};
  const std::vector<VerifyCheck> checks = check_invariants(report);
  REQUIRE(checks.size() == 3);
  CHECK(checks[0].agrees);
  CHECK_FALSE(checks[1].agrees);
  CHECK_FALSE(checks[2].agrees);
}

TEST_CASE("a stage that its operands do not give fails its derivation") {
  CHECK(all_pass(check_derivations(report_with({0.0, 0.0}, {0.5, 0.5}))));
  CHECK_FALSE(all_pass(check_derivations(report_with({0.0, 0.0}, {0.4, 0.6}))));  // it sums to 1 all the same
  const double small = 1e-9;                                                      // far beyond rounding
  CHECK_FALSE(all_pass(check_derivations(report_with({0.0, 0.0}, {0.5 + small, 0.5 - small}))));
  Report unknown = report_with({0.0, 0.0}, {0.5, 0.5});
  unknown.stages[1].derivation = derived::softmax("nothing");
  const std::vector<VerifyCheck> checks = check_derivations(unknown);
  REQUIRE(checks.size() == 1);
  CHECK_FALSE(checks[0].agrees);
  CHECK(checks[0].detail.en().find("nothing") != std::string::npos);
}

}  // namespace attnlab
