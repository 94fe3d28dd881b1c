// One query against many keys, in few and in many dimensions, drawn as the textbook's code 2.2.5 draws them.
#include "experiments/scaling/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

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

/// With the dimensions exchanged every sentence would teach the reverse.
void require_order(std::size_t low_dim, std::size_t high_dim) {
  if (low_dim < high_dim) return;
  throw Error(ErrorKind::usage,
              text("--low-dim {} が --high-dim {} 以上です", "--low-dim {} is not smaller than --high-dim {}",
                   low_dim, high_dim),
              {"--low-dim は --high-dim より小さくしてください", "choose --low-dim smaller than --high-dim"});
}

// q (1, d) against K (keys, d).
ScalingCase attend(const Tensor<double>& query, const Tensor<double>& keys) {
  ScalingCase one;
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

// The book's order of drawing, code 2.2.5: both queries, then both sets of keys.
ScalingRun compute(const Arguments& arguments) {
  const std::size_t low_dim = arguments.count("low-dim");
  const std::size_t high_dim = arguments.count("high-dim");
  const std::size_t keys = arguments.count("keys");
  require_order(low_dim, high_dim);
  require_memory(low_dim, high_dim, keys);
  RandomStream random = random_stream(arguments);
  const Tensor<double> low_query = random.randn({1, low_dim});
  const Tensor<double> high_query = random.randn({1, high_dim});
  const Tensor<double> low_keys = random.randn({keys, low_dim});
  const Tensor<double> high_keys = random.randn({keys, high_dim});
  return {attend(low_query, low_keys), attend(high_query, high_keys), keys,
          static_cast<std::uint32_t>(arguments.integer("seed")), arguments.text("rng")};
}

// --- The trace, and what must hold of it

void add_stages(Report& report, const ScalingCase& one, const std::string& suffix) {
  const auto add = [&](const std::string& name, const char* formula, const Tensor<double>& values,
                       Derivation derivation) {
    report.stages.push_back(
        {name, formula::read(formula), to_array(values, {"keys"}), std::move(derivation)});
  };
  const std::string query = "query_" + suffix;
  const std::string keys = "keys_" + suffix;
  const std::string scores = "scores_" + suffix;
  const std::string weights = "weights_" + suffix;
  const double factor = 1.0 / std::sqrt(static_cast<double>(one.dim));
  report.stages.push_back(input(query, to_array(one.query, {"width"})));
  report.stages.push_back(input(keys, to_array(one.keys, {"keys", "width"})));
  add(scores, "q · k", one.scores, derived::product_with_transpose(query, keys));
  add(weights, "softmax(q · k)", one.weights, derived::softmax(scores));
  add(scores + "_scaled", "frac{q · k}{√{d}}", one.scaled_scores, derived::scaled(scores, factor));
  add(weights + "_scaled", "softmax(frac{q · k}{√{d}})", one.scaled_weights,
      derived::softmax(scores + "_scaled"));
}

void add_invariants(Report& report, const ScalingCase& one, const std::string& suffix) {
  // Each weight and each addition is rounded once; an entropy is a sum of that many terms p ln p as well.
  const double rounding =
      std::numeric_limits<double>::epsilon() * static_cast<double>(one.weights.size() + 8);
  const auto add = [&](const std::string& name, double error, double tolerance, const Text& statement) {
    report.invariants.push_back({name + suffix, statement, error, tolerance});
  };
  add("weights_sum_to_one_", std::max(row_sum_error(one.weights), row_sum_error(one.scaled_weights)),
      rounding, text("{} 次元の注意度の和は 1", "the weights for d = {} sum to 1", one.dim));
  add("scaling_keeps_order_",
      std::max(disorder(one.scores, one.weights), disorder(one.scores, one.scaled_weights)), rounding,
      {"割っても、割らなくても、注意度はスコアの順に並ぶ",
       "scaled or not, the weights follow the order of the scores"});
  add("scaling_lowers_largest_", std::max(0.0, largest(one.scaled_weights) - largest(one.weights)), rounding,
      {"割ると最大の注意度は増えない", "scaling does not raise the largest weight"});
  add("scaling_raises_entropy_", std::max(0.0, entropy(one.weights)() - entropy(one.scaled_weights)()),
      8.0 * rounding, {"割るとエントロピーは減らない", "scaling does not lower the entropy"});
}

void add_scalars(Report& report, const Tensor<double>& weights, const std::string& name) {
  report.scalars.push_back({"largest_weight_" + name, largest(weights)});
  report.scalars.push_back({"largest_index_" + name, static_cast<double>(largest_index(weights))});
  report.scalars.push_back({"entropy_" + name, entropy(weights)()});
  report.scalars.push_back({"faint_keys_" + name, static_cast<double>(faint_keys(weights))});
}

void add_case(Report& report, const ScalingCase& one, const std::string& suffix) {
  add_stages(report, one, suffix);
  add_invariants(report, one, suffix);
  add_scalars(report, one.weights, suffix);
  add_scalars(report, one.scaled_weights, suffix + "_scaled");
}

Report run_scaling(const Arguments& arguments, const Context&) {
  const ScalingRun run = compute(arguments);
  const ScatterLimits limits =
      arguments.text("limits") == "book" ? ScatterLimits::book : ScatterLimits::shared;
  Report report;
  add_case(report, run.low, "low");
  add_case(report, run.high, "high");
  report.body = scaling_body(run, limits);
  report.figures = {scatter_figure(run, limits), clipped_figure(run, arguments.number("clip"))};
  return report;
}

}  // namespace

Experiment scaling_experiment() {
  return {
      "scaling",
      {"√d で割らないと softmax は 1 個のキーに偏る", "without 1/√d softmax picks a single key"},
      {"教科書 図 2.2.13, 2.2.14、コード 2.2.5～2.2.7", "textbook fig. 2.2.13, 2.2.14, code 2.2.5 to 2.2.7"},
      parameters(),
      run_scaling};
}

}  // namespace attnlab
