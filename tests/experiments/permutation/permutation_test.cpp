// The permutation experiment: rows follow the order of the tokens, and no longer do once positions are added.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

Report permuted(const Flags& flags) { return run_with(permutation_experiment(), flags); }

/// Row i of the result is row order[i] of the array of that name.
std::vector<double> reordered(const Report& report, const std::string& name) {
  const std::vector<double>& rows = values(report, name);
  const std::vector<double>& order = values(report, "order");
  const std::size_t width = rows.size() / order.size();
  std::vector<double> result;
  for (const double token : order) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(token * static_cast<double>(width));
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return result;
}

}  // namespace

TEST_CASE("permutation agrees with NumPy") {
  check_reference(permutation_experiment(), "permutation/default.json");
  check_reference(permutation_experiment(), "permutation/odd.json");
  check_form(permuted({}));
}

TEST_CASE("permuted tokens give the same output rows in the new order") {
  for (const Flags& flags : {Flags{}, Flags{{"order", "1,0"}}, Flags{{"seed", "9"}, {"width", "33"}},
                             Flags{{"order", "7,6,5,4,3,2,1,0"}, {"rng", "torch"}, {"width", "2"}}}) {
    const Report report = permuted(flags);
    CHECK(values(report, "permuted_x") == reordered(report, "x"));
    CHECK(disagreement(values(report, "permuted_output"), reordered(report, "output"), tolerance64()) == "");
    CHECK(values(report, "reordered_output") == reordered(report, "output"));
    check_invariants_hold(report, 5);
  }
}

TEST_CASE("with positions added the rows are others") {
  const Report report = permuted({});
  CHECK(disagreement(values(report, "permuted_output_with_position"),
                     reordered(report, "output_with_position"), 1e-3) != "");
  CHECK(scalar(report, "equivariance_error_with_position") > 1e12 * scalar(report, "equivariance_error"));
  CHECK(contains(paragraphs(report, Role::note), "Token 4 keeps its position"));
}

TEST_CASE("the outputs differ row by row as they stand") {
  const Report report = permuted({});
  const std::vector<double>& output = values(report, "output");
  const std::vector<double>& after = values(report, "permuted_output");
  double largest = 0.0;
  for (std::size_t i = 0; i < output.size(); ++i) largest = std::max(largest, std::abs(after[i] - output[i]));
  CHECK(scalar(report, "unmoved_difference") == largest);
  CHECK(largest > 0.01);
}

TEST_CASE("own arrays are permuted as drawn ones are, and must fit the order") {
  const Experiment experiment = permutation_experiment();
  // Rows 1e3, 0 and −1e3 of two equal columns: with an encoding of zeros positions tell nothing.
  const InputArray x = own("x", {3, 2}, {1e3, 1e3, 0.0, 0.0, -1e3, -1e3});
  const Report report =
      run_with(experiment, {{"order", "2,1,0"}}, {x, own("encoding", {3, 2}, Numbers(6, 0.0))});
  CHECK(values(report, "permuted_x") == Numbers{-1e3, -1e3, 0.0, 0.0, 1e3, 1e3});
  CHECK(values(report, "permuted_x_with_position") == values(report, "permuted_x"));
  CHECK(contains(paragraphs(report, Role::say), "added positions change nothing"));
  check_invariants_hold(report, 5);
  CHECK(usage_error(experiment, {}, {x}) ==
        "--input x=x.npy has shape (3, 2); this run needs (6, 2); its axes are (tokens of --order, width)");
}

TEST_CASE("the plane's title tells the longest move in the two plotted dimensions") {
  const Report report = permuted({});
  const std::vector<double> before = reordered(report, "output_with_position");
  const std::vector<double>& after = values(report, "permuted_output_with_position");
  const std::size_t width = after.size() / values(report, "order").size();
  double longest = 0.0;
  for (std::size_t i = 0; i < after.size(); i += width)
    longest = std::max(longest, std::hypot(after[i] - before[i], after[i + 1] - before[i + 1]));
  CHECK(contains(figure(report, "plane").title.en(),
                 "moves outputs by up to " + fmt::format("{:.3g}", longest)));
}

TEST_CASE("the order that moves nothing changes nothing even with positions") {
  const Report report = permuted({{"order", "0,1,2"}});
  CHECK(scalar(report, "equivariance_error_with_position") == 0.0);
  CHECK(contains(paragraphs(report, Role::note), "moves nothing"));
  CHECK(contains(figure(report, "rows").title.en(), "same order"));
}

TEST_CASE("an order that is no permutation is refused") {
  const std::string message =
      "--order 0,0,1 is no permutation of 0 to 2; list each whole number from 0 to 2 once";
  CHECK(usage_error(permutation_experiment(), {{"order", "0,0,1"}}) == message);
  for (const char* wrong : {"1,2", "0,1.5", "0,2", "0", "0,-1", "a,b", ""}) {
    INFO(wrong);
    CHECK_FALSE(usage_error(permutation_experiment(), {{"order", wrong}}).empty());
  }
}

TEST_CASE("labels name the tokens in the figure") {
  const Report report = permuted({{"order", "2,0,1"}, {"labels", "cat,sat,mat"}});
  const auto& equation = std::get<MatrixEquation>(figure(report, "rows").panels.at(0).content);
  CHECK(words_of(std::get<MatrixTerm>(equation.terms.at(0)).map.row_labels) ==
        std::vector<std::string>{"cat", "sat", "mat"});
  CHECK(words_of(std::get<MatrixTerm>(equation.terms.at(4)).map.row_labels) ==
        std::vector<std::string>{"mat", "cat", "sat"});
}

TEST_CASE("labels without an order stand the other way round, unless the default order has as many") {
  const Report three = permuted({{"labels", "a,b,c"}});
  CHECK(values(three, "order") == std::vector<double>{2, 1, 0});
  const Report six = permuted({{"labels", "a,b,c,d,e,f"}});
  CHECK(values(six, "order") == std::vector<double>{3, 0, 5, 1, 4, 2});
  CHECK(contains(usage_error(permutation_experiment(), {{"labels", "a,b"}, {"order", "2,0,1"}}),
                 "names 2 of 3 tokens"));
  CHECK_FALSE(usage_error(permutation_experiment(), {{"labels", "a"}}).empty());
}

TEST_CASE("two tokens and sixty-four are both possible") {
  std::string order = "63";
  for (int token = 62; token >= 0; --token) order += "," + std::to_string(token);
  check_invariants_hold(permuted({{"order", order}, {"width", "1024"}}), 5);
  check_form(permuted({{"order", order}}));
  check_form(permuted({{"order", "1,0"}, {"width", "2"}}));
}

}  // namespace attnlab
