// The stages of `permutation` with their derivations, its single numbers, and what must hold of any order.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formula.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"
#include "experiments/permutation/permutation.hpp"

namespace attnlab {
namespace {

using Axes = std::vector<std::string>;

Axes tokens() {
  return {"tokens", "width"};
}

void add_case(std::vector<Stage>& trace, const PermutationCase& one, const std::string& prefix,
              const std::string& suffix) {
  const auto named = [&](const std::string& name) { return prefix + name + suffix; };
  const Axes pair{"queries", "keys"};
  const AttentionStages<double>& attention = one.attention;
  const double scale = 1.0 / std::sqrt(static_cast<double>(one.x.shape()[1]));
  trace.insert(
      trace.end(),
      {step(named("query"), "X W_Q", one.query, tokens(), derived::product(named("x"), "w_query")),
       step(named("key"), "X W_K", one.key, tokens(), derived::product(named("x"), "w_key")),
       step(named("value"), "X W_V", one.value, tokens(), derived::product(named("x"), "w_value")),
       step(named("raw_scores"), "Q K^T", attention.raw_scores, pair,
            derived::product_with_transpose(named("query"), named("key"))),
       step(named("scores"), "frac{Q K^T}{√{d}}", attention.scores, pair,
            derived::scaled(named("raw_scores"), scale)),
       step(named("weights"), "softmax(S)", attention.weights, pair, derived::softmax(named("scores"))),
       step(named("output"), "A V", attention.output, tokens(),
            derived::product(named("weights"), named("value")))});
}

void add_pair(std::vector<Stage>& trace, const PermutationPair& pair, const std::string& suffix) {
  add_case(trace, pair.first, "", suffix);
  add_case(trace, pair.permuted, "permuted_", suffix);
  trace.push_back(step("reordered_output" + suffix, "P Y", pair.reordered_output, tokens(),
                       derived::product("permutation", "output" + suffix)));
  trace.push_back(step("output_difference" + suffix, "Y′ − P Y", pair.output_difference, tokens(),
                       derived::difference("permuted_output" + suffix, "reordered_output" + suffix)));
}

/// order[2] = 5 → P[2, 5] = 1
std::vector<Chain> permutation_lines(const std::vector<std::size_t>& order) {
  return worked::lines(order.size(), [&order](std::size_t i) {
    Chain line = worked::equation(worked::entry("order", {i}), {worked::exactly(std::to_string(order[i]))});
    line.links.push_back({"→", formula::row({worked::entry("P", {i, order[i]}), formula::read("= 1")})});
    return line;
  });
}

/// Agreement as on the page of experiments: sums in another order round differently, scores by eps each.
double tolerance(const PermutationPair& pair, const Tensor<double>& stage) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double scores = largest_magnitude(pair.first.attention.scores);
  return std::max(1e-12, epsilon * (4.0 + scores)) * largest_magnitude(stage);
}

}  // namespace

std::vector<Stage> permutation_trace(const PermutationRun& run) {
  const Axes matrix{"width_in", "width_out"};
  const PermutationPair& plain = run.plain;
  const PermutationPair& positioned = run.positioned;
  std::vector<Stage> trace{
      input("order", Array{{run.order.size()}, {"tokens"}, {run.order.begin(), run.order.end()}}),
      step("permutation", "P", run.permutation, {"places", "tokens"},
           derived::worked({"order"}, permutation_lines(run.order))),
      input("x", plain.first.x, tokens()),
      input("w_query", run.w_query, matrix),
      input("w_key", run.w_key, matrix),
      input("w_value", run.w_value, matrix),
      input("encoding", run.encoding, tokens()),
      step("permuted_x", "P X", plain.permuted.x, tokens(), derived::product("permutation", "x")),
      step("x_with_position", "X + PE", positioned.first.x, tokens(), derived::sum("x", "encoding")),
      step("permuted_x_with_position", "P X + PE", positioned.permuted.x, tokens(),
           derived::sum("permuted_x", "encoding")),
  };
  add_pair(trace, plain, "");
  add_pair(trace, positioned, "_with_position");
  return trace;
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
  const double sum_error = std::max(row_sum_error(plain.weights), row_sum_error(positioned.weights));
  return {
      invariant("weights_sum_to_one", sum_error, 1e-13,  // up to 64 roundings of 1e-16 each
                "注意度の各行の和は 1", "every row of the weights sums to 1"),
      invariant("output_follows_the_order", run.plain.output_error, tolerance(run.plain, plain.output),
                "並べ替えたトークンの出力は、出力を並べ替えたもの",
                "permuted tokens give the output's rows, permuted"),
      invariant("weights_follow_the_order", run.plain.weights_error, tolerance(run.plain, plain.weights),
                "注意度は行も列も並べ替わる", "the weights are permuted in rows and columns"),
      invariant("mean_output_is_unchanged", run.plain.mean_difference, tolerance(run.plain, plain.output),
                "全行の平均は順序によらない", "the mean of all rows does not depend on the order"),
      invariant("carried_positions_follow_the_order", run.carried_error,
                tolerance(run.positioned, positioned.output),
                "位置も一緒に動かせば、また並べ替わるだけになる",
                "tokens that take their positions along are only permuted again"),
  };
}

}  // namespace attnlab
