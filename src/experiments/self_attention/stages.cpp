// The trace of `self-attention` from X to the output, its single numbers, and what must hold of them.
#include <algorithm>
#include <cmath>

#include "experiments/framework/colour_range.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/self_attention/self_attention.hpp"

namespace attnlab {
namespace {

/// How far an output leaves the range of the values in any column: a weighted mean cannot.
double overshoot(const Tensor<double>& output, const Tensor<double>& value) {
  double largest = 0.0;
  for (std::size_t column = 0; column < value.shape()[1]; ++column) {
    double low = value(0, column);
    double high = low;
    for (std::size_t key = 0; key < value.shape()[0]; ++key) {
      low = std::min(low, value(key, column));
      high = std::max(high, value(key, column));
    }
    for (std::size_t query = 0; query < output.shape()[0]; ++query) {
      largest = worst(largest, std::max(low - output(query, column), output(query, column) - high));
    }
  }
  return largest;
}

}  // namespace

std::vector<Stage> self_attention_stages(const SelfAttentionRun& run) {
  const AttentionStages<double>& attention = run.attention;
  const Formula scores = scaled_scores(run.scale_text, formula::read("Q K^T"));
  const std::vector<std::string> matrix{"width_in", "width_out"};
  const std::vector<std::string> queries{"queries", "width"};
  const std::vector<std::string> keys{"keys", "width"};
  const std::vector<std::string> pair{"queries", "keys"};
  return {
      input("x", run.x, {"tokens", "width"}),
      input("w_query", run.w_query, matrix),
      input("w_key", run.w_key, matrix),
      input("w_value", run.w_value, matrix),
      step("query", "X W_Q", run.query, queries, derived::product("x", "w_query")),
      step("key", "X W_K", run.key, keys, derived::product("x", "w_key")),
      step("value", "X W_V", run.value, keys, derived::product("x", "w_value")),
      step("raw_scores", "Q K^T", attention.raw_scores, pair,
           derived::product_with_transpose("query", "key")),
      step("scores", scores, attention.scores, pair, derived::scaled("raw_scores", run.scale)),
      step("masked", "S", attention.masked, pair, derived::scaled("scores", 1.0)),
      step("weights", "softmax(S)", attention.weights, pair, derived::softmax("masked")),
      step("output", "A V", attention.output, queries, derived::product("weights", "value")),
  };
}

std::vector<Scalar> self_attention_scalars(const SelfAttentionRun& run) {
  const Tensor<double> spread = entropy(run.attention.weights);
  return {{"scale", run.scale},
          {"smallest_weight", run.data.low},
          {"largest_weight", run.data.high},
          {"mean_entropy", sum_of(spread) / static_cast<double>(spread.size())},
          {"largest_asymmetry", most_one_sided(run.attention.weights).difference}};
}

std::vector<Invariant> self_attention_invariants(const SelfAttentionRun& run) {
  const Interval values = data_range(run.value);
  const double size = std::max(std::abs(values.low), std::abs(values.high));
  constexpr double rounding = 1e-12;  // the sum of up to 256 rounded terms, relative to their size
  return {
      invariant("weights_sum_to_one", row_sum_error(run.attention.weights), rounding,
                "どの行の注意度も和は 1", "every row of the weights sums to 1"),
      invariant("output_among_the_values", overshoot(run.attention.output, run.value), rounding * size,
                "出力はバリューの最小と最大の間", "every output lies between the values' extremes"),
  };
}

}  // namespace attnlab
