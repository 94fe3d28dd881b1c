// The stages of `permutation` with their derivations, its single numbers, and what must hold of any order.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formula.hpp"
#include "experiments/permutation/permutation.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using worked::most_lines;

Formula weighted(const char* letter) {
  return formula::row({formula::sym("X"), formula::sub(formula::sym("W"), formula::sym(letter))});
}

void add_case(std::vector<Stage>& stages, const PermutationCase& one, const std::string& prefix,
              const std::string& suffix) {
  using formula::sym;
  const auto named = [&](const std::string& name) { return prefix + name + suffix; };
  const std::vector<std::string> rows{"tokens", "width"};
  const std::vector<std::string> pair{"queries", "keys"};
  const AttentionStages<double>& attention = one.attention;
  const double scale = 1.0 / std::sqrt(static_cast<double>(one.x.shape()[1]));
  const Formula raw = formula::row({sym("Q"), formula::sup(sym("K"), sym("T"))});
  stages.insert(
      stages.end(),
      {{named("query"), weighted("Q"), to_array(one.query, rows), derived::product(named("x"), "w_query")},
       {named("key"), weighted("K"), to_array(one.key, rows), derived::product(named("x"), "w_key")},
       {named("value"), weighted("V"), to_array(one.value, rows), derived::product(named("x"), "w_value")},
       {named("raw_scores"), raw, to_array(attention.raw_scores, pair),
        derived::product_with_transpose(named("query"), named("key"))},
       {named("scores"), formula::fraction(raw, formula::root(sym("d"))), to_array(attention.scores, pair),
        derived::scaled(named("raw_scores"), scale)},
       {named("weights"), formula::call("softmax", sym("S")), to_array(attention.weights, pair),
        derived::softmax(named("scores"))},
       {named("output"), formula::row({sym("A"), sym("V")}), to_array(attention.output, rows),
        derived::product(named("weights"), named("value"))}});
}

void add_pair(std::vector<Stage>& stages, const PermutationPair& pair, const std::string& suffix) {
  using formula::sym;
  const std::vector<std::string> rows{"tokens", "width"};
  add_case(stages, pair.first, "", suffix);
  add_case(stages, pair.permuted, "permuted_", suffix);
  stages.push_back({"reordered_output" + suffix, formula::row({sym("P"), sym("Y")}),
                    to_array(pair.reordered_output, rows),
                    derived::product("permutation", "output" + suffix)});
  stages.push_back({"output_difference" + suffix, formula::row({sym("Y′"), sym(" − "), sym("P"), sym("Y")}),
                    to_array(pair.output_difference, rows),
                    derived::difference("permuted_output" + suffix, "reordered_output" + suffix)});
}

Array order_array(const std::vector<std::size_t>& order) {
  return {{order.size()}, {"tokens"}, {order.begin(), order.end()}, DType::float64};
}

Derivation permutation_derivation(const std::vector<std::size_t>& order) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(order.size(), most_lines); ++i) {
    Chain line = worked::equation(worked::entry("order", {i}), {worked::exactly(std::to_string(order[i]))});
    line.links.push_back(
        {"→", formula::row({worked::entry("P", {i, order[i]}), formula::sym("="), formula::sym("1")})});
    lines.push_back(std::move(line));
  }
  return derived::worked({"order"}, lines);
}

/// Agreement as on the page of experiments: sums in another order round differently, scores by eps each.
double tolerance(const PermutationPair& pair, const Tensor<double>& stage) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double scores = largest_magnitude(pair.first.attention.scores);
  return std::max(1e-12, epsilon * (4.0 + scores)) * largest_magnitude(stage);
}

}  // namespace

std::vector<Stage> permutation_trace(const PermutationRun& run) {
  using formula::row;
  using formula::sym;
  const std::vector<std::string> rows{"tokens", "width"};
  const std::vector<std::string> weight{"width_in", "width_out"};
  const Formula with_position = row({sym("X"), sym(" + "), sym("PE")});
  std::vector<Stage> stages{
      {"order", row({}), order_array(run.order)},
      {"permutation", sym("P"), to_array(run.permutation, {"places", "tokens"}),
       permutation_derivation(run.order)},
      {"x", row({}), to_array(run.plain.first.x, rows)},
      {"w_query", row({}), to_array(run.w_query, weight)},
      {"w_key", row({}), to_array(run.w_key, weight)},
      {"w_value", row({}), to_array(run.w_value, weight)},
      {"encoding", row({}), to_array(run.encoding, rows)},
      {"permuted_x", row({sym("P"), sym("X")}), to_array(run.plain.permuted.x, rows),
       derived::product("permutation", "x")},
      {"x_with_position", with_position, to_array(run.positioned.first.x, rows),
       derived::sum("x", "encoding")},
      {"permuted_x_with_position", row({sym("P"), sym("X"), sym(" + "), sym("PE")}),
       to_array(run.positioned.permuted.x, rows), derived::sum("permuted_x", "encoding")},
  };
  add_pair(stages, run.plain, "");
  add_pair(stages, run.positioned, "_with_position");
  return stages;
}

std::vector<Scalar> permutation_scalars(const PermutationRun& run) {
  return {{"equivariance_error", run.plain.output_error},
          {"equivariance_error_weights", run.plain.weights_error},
          {"unmoved_difference", run.plain.unmoved_difference},
          {"equivariance_error_with_position", run.positioned.output_error},
          {"equivariance_error_weights_with_position", run.positioned.weights_error}};
}

std::vector<Invariant> permutation_invariants(const PermutationRun& run) {
  const AttentionStages<double>& plain = run.plain.first.attention;
  const AttentionStages<double>& positioned = run.positioned.first.attention;
  return {
      {"weights_sum_to_one",
       {"注意度の各行の和は 1", "every row of the weights sums to 1"},
       std::max(row_sum_error(plain.weights), row_sum_error(positioned.weights)),
       1e-13},  // up to 64 roundings of 1e-16 each
      {"output_follows_the_order",
       {"並べ替えたトークンの出力は、出力を並べ替えたもの",
        "permuted tokens give the output's rows, permuted"},
       run.plain.output_error,
       tolerance(run.plain, plain.output)},
      {"weights_follow_the_order",
       {"注意度は行も列も並べ替わる", "the weights are permuted in rows and columns"},
       run.plain.weights_error,
       tolerance(run.plain, plain.weights)},
      {"mean_output_is_unchanged",
       {"全行の平均は順序によらない", "the mean of all rows does not depend on the order"},
       run.plain.mean_difference,
       tolerance(run.plain, plain.output)},
      {"carried_positions_follow_the_order",
       {"位置も一緒に動かせば、また並べ替わるだけになる",
        "tokens that take their positions along are only permuted again"},
       run.carried_error,
       tolerance(run.positioned, positioned.output)},
  };
}

}  // namespace attnlab
