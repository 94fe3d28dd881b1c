// What `self-attention` says on a terminal.
#include <fmt/format.h>

#include <cmath>

#include "experiments/framework/colour_range.hpp"
#include "experiments/framework/shape_trace.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/self_attention/self_attention.hpp"

namespace attnlab {
namespace {

/// np.round(values, 3), as the article prints its weights.
Array rounded(Array array) {
  for (double& value : array.data) value = std::nearbyint(value * 1000.0) / 1000.0;
  return array;
}

Text why_even(const SelfAttentionRun& run) {
  if (!almost_even(run)) return Text::none();
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
  const double even = 1.0 / static_cast<double>(run.labels.size());
  return Paragraph::say(
      "各行は 1 つのトークンからすべてのトークンへの注意度で、和は 1 です。出力はその重みに"
      "よるバリューの平均です。注意度は {} で、均等なら {:.3g} です。{}",
      "Each row holds the weights one token gives to all tokens; it sums to 1. The output is "
      "the mean of the values with these weights. They run from {}; an equal share would "
      "be {:.3g}.{}",
      range_text(run.data), even, why_even(run));
}

/// The two weights of the most one-sided pair; empty where three digits do not tell them apart.
Text one_sided_example(const SelfAttentionRun& run) {
  const Tensor<double>& weights = run.attention.weights;
  const OneSided pair = most_one_sided(weights);
  const std::string there = fmt::format("{:.3f}", weights(pair.first, pair.second));
  const std::string back = fmt::format("{:.3f}", weights(pair.second, pair.first));
  if (there == back) return Text::none();
  return text("「{}」から「{}」へは {}、逆は {} です。", " {} reads {} with {}, the other way it is {}.",
              run.labels[pair.first], run.labels[pair.second], there, back);
}

Paragraph misunderstanding(const SelfAttentionRun& run) {
  return Paragraph::misunderstanding(
      "注意度は 2 つのトークンに共通の「関係の強さ」ではないので、行列は対称になりません。{}"
      "行がクエリ、列がキーです。",
      "A weight does not measure mutual closeness, so the matrix is not symmetric.{} Rows "
      "are queries, columns are keys.",
      one_sided_example(run));
}

}  // namespace

std::vector<Block> self_attention_body(const SelfAttentionRun& run, const std::vector<Stage>& stages) {
  const Formula scores = scaled_scores(run.scale_text, formula::read("Q K^T"));
  const Array weights = to_array(run.attention.weights, {"queries", "keys"});
  return {
      Paragraph::heading("自己注意（Self-Attention）", "Self-attention"),
      Equation{formula::row({formula::call("softmax", scores), formula::sym("V")})},
      shape_trace(stages),
      Paragraph::plain("マスクなしなので、masked は S と同じです。", "There is no mask: masked equals S."),
      Values{{"注意度 np.round(weights, 3)", "weights, np.round(weights, 3)"}, rounded(weights)},
      Values{{"注意度", "weights"}, weights},
      Values{{"出力", "output"}, to_array(run.attention.output, {"queries", "width"})},
      to_say(run),
      misunderstanding(run),
  };
}

}  // namespace attnlab
