// One query against many keys, in few and in many dimensions, drawn as the textbook's code 2.2.5 draws them.
#include "experiments/scaling/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab {
namespace {

constexpr std::size_t most_numbers = 10'000'000;  // 80 MB, half a second of random numbers

std::vector<Parameter> parameters() {
  return {
      parameter("low-dim", IntegerKind{{1, 100'000}}, "1", "低い方の次元", "the low dimension"),
      parameter("high-dim", IntegerKind{{1, 100'000}}, "100", "高い方の次元", "the high dimension"),
      parameter("keys", IntegerKind{{2, 2'000}}, "20", "キーの個数", "how many keys"),
      parameter("limits", ChoiceKind{{"shared", "book"}}, "shared",
                "散布図の縦軸。shared は 4 枚共通、book は教科書のコード 2.2.7 のとおり",
                "vertical axes of the scatter: the same for all, or as in the textbook's code 2.2.7"),
      parameter("clip", NumberKind{{1e-6, 1.0}}, "0.1", "図 clipped の縦軸の上端",
                "where the vertical axis of the figure `clipped` ends"),
      seed_parameter("0"),
      rng_parameter(),
  };
}

void require_memory(std::size_t low_dim, std::size_t high_dim, std::size_t keys) {
  const std::size_t numbers = (keys + 1) * (low_dim + high_dim);
  if (numbers <= most_numbers) return;
  const std::size_t keys_that_fit = most_numbers / (low_dim + high_dim) - 1;
  throw Error(ErrorKind::usage,
              text("{} 個のキーと {} 次元・{} 次元では {} 個の乱数が必要で、上限の {} 個を超えます",
                   "{} keys of {} and {} dimensions need {} random numbers, more than {}", keys, low_dim,
                   high_dim, numbers, most_numbers),
              text("この次元では --keys を {} 以下にしてください",
                   "with these dimensions choose --keys of at most {}", keys_that_fit));
}

// q (1, d) against K (keys, d).
ScalingCase attend(const char* name, const Tensor<double>& query, const Tensor<double>& keys) {
  ScalingCase one;
  one.name = name;
  one.dim = query.shape().back();
  one.query = query;
  one.query.reshape({one.dim});
  one.keys = keys;
  one.scores = matmul(query, attnlab::transpose(keys));  // (1, keys)
  one.scores.reshape({keys.shape().front()});
  one.scaled_scores = one.scores / std::sqrt(static_cast<double>(one.dim));
  one.weights = softmax(one.scores);
  one.scaled_weights = softmax(one.scaled_scores);
  return one;
}

}  // namespace

// The book's order of drawing, code 2.2.5: both queries, then both sets of keys.
ScalingRun ScalingRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t low_dim = arguments.count("low-dim");
  const std::size_t high_dim = arguments.count("high-dim");
  const std::size_t keys = arguments.count("keys");
  require_below(arguments, "low-dim", "high-dim");  // exchanged, every sentence would teach the reverse
  require_memory(low_dim, high_dim, keys);
  RandomStream random = random_stream(arguments);
  const Tensor<double> low_query = random.randn({1, low_dim});
  const Tensor<double> high_query = random.randn({1, high_dim});
  const Tensor<double> low_keys = random.randn({keys, low_dim});
  const Tensor<double> high_keys = random.randn({keys, high_dim});
  return {attend("low", low_query, low_keys),
          attend("high", high_query, high_keys),
          keys,
          static_cast<std::uint32_t>(arguments.integer("seed")),
          arguments.text("rng"),
          arguments.text("limits") == "book" ? ScatterLimits::book : ScatterLimits::shared,
          arguments.number("clip")};
}

// --- The trace, and what must hold of it

namespace {

std::vector<Stage> case_stages(const ScalingCase& one) {
  const std::vector<std::string> axes{"keys"};
  const std::string query = "query_" + one.name;
  const std::string keys = "keys_" + one.name;
  const std::string scores = "scores_" + one.name;
  const std::string weights = "weights_" + one.name;
  const double factor = 1.0 / std::sqrt(static_cast<double>(one.dim));
  return {
      input(query, one.query, {"width"}),
      input(keys, one.keys, {"keys", "width"}),
      step(scores, "q · k", one.scores, axes, derived::product_with_transpose(query, keys)),
      step(weights, "softmax(q · k)", one.weights, axes, derived::softmax(scores)),
      step(scores + "_scaled", "frac{q · k}{√{d}}", one.scaled_scores, axes, derived::scaled(scores, factor)),
      step(weights + "_scaled", "softmax(frac{q · k}{√{d}})", one.scaled_weights, axes,
           derived::softmax(scores + "_scaled"))};
}

}  // namespace

std::vector<Stage> stages(const ScalingRun& run) {
  std::vector<Stage> trace = case_stages(run.low);
  append(trace, case_stages(run.high));
  return trace;
}

std::vector<Scalar> scalars(const ScalingRun& run) {
  std::vector<Scalar> result;
  const auto add = [&result](const Tensor<double>& weights, const std::string& name) {
    result.push_back({"largest_weight_" + name, largest(weights)});
    result.push_back({"largest_index_" + name, static_cast<double>(largest_index(weights))});
    result.push_back({"entropy_" + name, entropy(weights)()});
    result.push_back({"faint_keys_" + name, static_cast<double>(faint_keys(weights))});
  };
  for (const ScalingCase* one : run.cases()) {
    add(one->weights, one->name);
    add(one->scaled_weights, one->name + "_scaled");
  }
  return result;
}

std::vector<Invariant> invariants(const ScalingRun& run) {
  std::vector<Invariant> result;
  for (const ScalingCase* one : run.cases()) {
    const Tensor<double>& weights = one->weights;
    const Tensor<double>& scaled = one->scaled_weights;
    // Each weight and each addition is rounded once; an entropy is a sum of that many terms p ln p as well.
    const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(weights.size() + 8);
    result.push_back(invariant("weights_sum_to_one_" + one->name,
                               std::max(row_sum_error(weights), row_sum_error(scaled)), rounding,
                               "{} 次元の注意度の和は 1", "the weights for d = {} sum to 1", one->dim));
    result.push_back(invariant("scaling_keeps_order_" + one->name,
                               std::max(disorder(one->scores, weights), disorder(one->scores, scaled)),
                               rounding, "割っても、割らなくても、注意度はスコアの順に並ぶ",
                               "scaled or not, the weights follow the order of the scores"));
    result.push_back(invariant("scaling_lowers_largest_" + one->name,
                               std::max(0.0, largest(scaled) - largest(weights)), rounding,
                               "割ると最大の注意度は増えない", "scaling does not raise the largest weight"));
    result.push_back(invariant("scaling_raises_entropy_" + one->name,
                               std::max(0.0, entropy(weights)() - entropy(scaled)()), 8.0 * rounding,
                               "割るとエントロピーは減らない", "scaling does not lower the entropy"));
  }
  return result;
}

Experiment scaling_experiment() {
  return {
      "scaling",
      {"√d で割らないと softmax は 1 個のキーに偏る", "without 1/√d softmax picks a single key"},
      {"教科書 図 2.2.13, 2.2.14、コード 2.2.5～2.2.7", "textbook fig. 2.2.13, 2.2.14, code 2.2.5 to 2.2.7"},
      parameters(),
      report_of<ScalingRun>};
}

}  // namespace attnlab
