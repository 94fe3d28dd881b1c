// Self-attention: tokens become queries, keys and values of one another, and mix in proportion to the
// weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/matmul.hpp"
#include "core/formula.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/self_attention/self_attention.hpp"
#include "experiments/framework/shape_trace.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      {"tokens", IntegerKind{{2, 256}}, "4", {"トークンの個数", "how many tokens"}},
      {"width", IntegerKind{{1, 1024}}, "8", {"埋め込みの次元 d", "width d of the embeddings"}},
      labels_parameter(),
      scale_parameter("default"),
      seed_parameter("42"),
      rng_parameter(),
  };
}

// --- The computation

SelfAttentionRun compute(const Arguments& arguments) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  SelfAttentionRun run;
  run.labels = token_labels(arguments, tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.rng = arguments.text("rng");

  RandomStream random = random_stream(arguments);  // the article's order: X, W_Q, W_K, W_V
  run.x = random.randn({tokens, width});
  run.w_query = random.randn({width, width}) * 0.1;
  run.w_key = random.randn({width, width}) * 0.1;
  run.w_value = random.randn({width, width}) * 0.1;
  run.query = matmul(run.x, run.w_query);
  run.key = matmul(run.x, run.w_key);
  run.value = matmul(run.x, run.w_value);

  AttentionOptions<double> options;
  run.scale_text = arguments.text("scale");
  options.scale = parse_scale(run.scale_text);
  run.scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(width)));
  run.attention = scaled_dot_product_attention(run.query, run.key, run.value, options);
  run.data = data_range(run.attention.weights);
  return run;
}

// --- The trace

Formula projection(const char* letter) {
  return formula::row({formula::sym("X"), formula::sub(formula::sym("W"), formula::sym(letter))});
}

Formula raw_scores_formula() {
  return formula::row({formula::sym("Q"), formula::sup(formula::sym("K"), formula::sym("T"))});
}

Formula scores_formula(const std::string& scale) {
  if (scale == "none") return raw_scores_formula();
  if (scale == "default") return formula::fraction(raw_scores_formula(), formula::root(formula::sym("d")));
  return formula::row({formula::sym(scale + " "), raw_scores_formula()});
}

std::vector<Stage> trace(const SelfAttentionRun& run, const Formula& scores) {
  using formula::row;
  using formula::sym;
  const AttentionStages<double>& attention = run.attention;
  const std::vector<std::string> token{"tokens", "width"};
  const std::vector<std::string> projection_axes{"width_in", "width_out"};
  const std::vector<std::string> pair{"queries", "keys"};
  return {
      {"x", row({}), to_array(run.x, token)},
      {"w_query", row({}), to_array(run.w_query, projection_axes)},
      {"w_key", row({}), to_array(run.w_key, projection_axes)},
      {"w_value", row({}), to_array(run.w_value, projection_axes)},
      {"query", projection("Q"), to_array(run.query, {"queries", "width"}), derived::product("x", "w_query")},
      {"key", projection("K"), to_array(run.key, {"keys", "width"}), derived::product("x", "w_key")},
      {"value", projection("V"), to_array(run.value, {"keys", "width"}), derived::product("x", "w_value")},
      {"raw_scores", raw_scores_formula(), to_array(attention.raw_scores, pair),
       derived::product_with_transpose("query", "key")},
      {"scores", scores, to_array(attention.scores, pair), derived::scaled("raw_scores", run.scale)},
      {"masked", sym("S"), to_array(attention.masked, pair), derived::scaled("scores", 1.0)},
      {"weights", formula::call("softmax", sym("S")), to_array(attention.weights, pair),
       derived::softmax("masked")},
      {"output", row({sym("A"), sym("V")}), to_array(attention.output, {"queries", "width"}),
       derived::product("weights", "value")},
  };
}

std::vector<Scalar> scalars(const SelfAttentionRun& run) {
  const Tensor<double> spread = entropy(run.attention.weights);
  double sum = 0.0;
  for (const double nats : spread) sum += nats;
  return {{"scale", run.scale},
          {"smallest_weight", run.data.low},
          {"largest_weight", run.data.high},
          {"mean_entropy", sum / static_cast<double>(spread.size())},
          {"largest_asymmetry", most_one_sided(run.attention.weights).difference}};
}

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

std::vector<Invariant> invariants(const SelfAttentionRun& run) {
  const Interval values = data_range(run.value);
  const double size = std::max(std::abs(values.low), std::abs(values.high));
  constexpr double rounding = 1e-12;  // the sum of up to 256 rounded terms, relative to their size
  return {{"weights_sum_to_one",
           {"どの行の注意度も和は 1", "every row of the weights sums to 1"},
           row_sum_error(run.attention.weights),
           rounding},
          {"output_among_the_values",
           {"出力はバリューの最小と最大の間", "every output lies between the values' extremes"},
           overshoot(run.attention.output, run.value),
           rounding * size}};
}

// --- The words

/// np.round(values, 3), as the article prints its weights.
Array rounded(Array array) {
  for (double& value : array.data) value = std::nearbyint(value * 1000.0) / 1000.0;
  return array;
}

Text why_even(const SelfAttentionRun& run) {
  if (!almost_even(run)) return Text::same("");
  if (!small_by_projection(run)) {
    return {"均等に近いのは、各行のスコアの差が小さいからです。",
            " They are close to even because the scores of a row differ little."};
  }
  return {
      "均等に近いのは、スコアがどれも 0 に近いからです（重み行列は 0.1 倍の乱数で、まだ学習していません）。",
      " They are close to even because all scores are near 0: the projections are random numbers times "
      "0.1, untrained."};
}

Paragraph to_say(const SelfAttentionRun& run) {
  const Text range = range_text(run.data);
  const Text reason = why_even(run);
  const double even = 1.0 / static_cast<double>(run.labels.size());
  return {
      Role::say,
      {fmt::format("各行は 1 つのトークンからすべてのトークンへの注意度で、和は 1 です。出力はその重みに"
                   "よるバリューの平均です。注意度は {} で、均等なら {:.3g} です。{}",
                   range.ja(), even, reason.ja()),
       fmt::format("Each row holds the weights one token gives to all tokens; it sums to 1. The output is "
                   "the mean of the values with these weights. They run from {}; an equal share would "
                   "be {:.3g}.{}",
                   range.en(), even, reason.en())}};
}

/// The two weights of the most one-sided pair; empty where three digits do not tell them apart.
Text one_sided_example(const SelfAttentionRun& run) {
  const Tensor<double>& weights = run.attention.weights;
  const OneSided pair = most_one_sided(weights);
  const std::string& first = run.labels[pair.first];
  const std::string& second = run.labels[pair.second];
  const std::string there = fmt::format("{:.3f}", weights(pair.first, pair.second));
  const std::string back = fmt::format("{:.3f}", weights(pair.second, pair.first));
  if (there == back) return Text::same("");
  return {fmt::format("「{}」から「{}」へは {}、逆は {} です。", first, second, there, back),
          fmt::format(" {} reads {} with {}, the other way it is {}.", first, second, there, back)};
}

Paragraph misunderstanding(const SelfAttentionRun& run) {
  const Text example = one_sided_example(run);
  return {Role::misunderstanding,
          {fmt::format("注意度は 2 つのトークンに共通の「関係の強さ」ではないので、行列は対称になりません。{}"
                       "行がクエリ、列がキーです。",
                       example.ja()),
           fmt::format("A weight does not measure mutual closeness, so the matrix is not symmetric.{} Rows "
                       "are queries, columns are keys.",
                       example.en())}};
}

std::vector<Block> body(const SelfAttentionRun& run, const std::vector<Stage>& stages,
                        const Formula& scores) {
  const Array weights = to_array(run.attention.weights, {"queries", "keys"});
  std::vector<Block> blocks{
      Paragraph{Role::heading, {"自己注意（Self-Attention）", "Self-attention"}},
      Equation{formula::row({formula::call("softmax", scores), formula::sym("V")})},
      shape_trace(stages),
      Paragraph{Role::text,
                {"マスクなしなので、masked は S と同じです。", "There is no mask: masked equals S."}},
      Values{{"注意度 np.round(weights, 3)", "weights, np.round(weights, 3)"}, rounded(weights)},
      Values{{"注意度", "weights"}, weights},
      Values{{"出力", "output"}, to_array(run.attention.output, {"queries", "width"})},
      to_say(run),
      misunderstanding(run),
  };
  return blocks;
}

Report run_self_attention(const Arguments& arguments, const Context&) {
  const SelfAttentionRun run = compute(arguments);
  const Formula scores = scores_formula(run.scale_text);
  Report report;
  report.stages = trace(run, scores);
  report.body = body(run, report.stages, scores);
  report.scalars = scalars(run);
  report.invariants = invariants(run);
  report.figures = {self_attention_weights_figure(run), self_attention_stages_figure(run)};
  return report;
}

}  // namespace

Experiment self_attention_experiment() {
  return {"self-attention",
          {"トークンどうしの注意度をヒートマップで見る", "who attends to whom: the weights as a heat map"},
          {"記事 式 (1)～(6)、Attention 重みのヒートマップ", "article eq. 1 to 6 and its annotated heat map"},
          parameters(),
          run_self_attention};
}

}  // namespace attnlab
