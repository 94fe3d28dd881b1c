// What `encoder` says: the layer's formulas, how long the tokens are after each sub-step, and three lessons.
#include "experiments/encoder/encoder.hpp"

namespace attnlab {
namespace {

/// The stages that are computed from x, without the weights and the measurements beside the layer.
std::vector<Stage> computed_from_x(const std::vector<Stage>& stages) {
  std::vector<Stage> layer;
  for (const Stage& one : stages) {
    const bool computed = !to_terminal(one.formula).empty();
    if (one.name == "attention_reaction") break;
    if (one.name == "x" || computed) layer.push_back(one);
  }
  return layer;
}

Table length_table(const EncoderRun& run) {
  Table table{{{"配列", "array"},
               {"平均の長さ", "mean length"},
               {"分散の最小", "least variance"},
               {"最大", "largest"}}};
  const auto add = [&](const char* name, const Tensor<double>& tokens) {
    const Tensor<double> variances = row_variance(tokens);
    const auto [least, most] = std::minmax_element(variances.begin(), variances.end());
    table.rows.push_back({name, fmt::format("{:.4f}", mean_length(tokens)), fmt::format("{:.4f}", *least),
                          fmt::format("{:.4f}", *most)});
  };
  const TransformerLayerStages<double>& stages = run.chosen();
  add("x", run.x);
  if (!run.is_post()) add("norm_1", stages.norm_1);
  add("attention", stages.attention.output);
  add("residual_1", stages.residual_1);
  if (run.is_post()) add("norm_1", stages.norm_1);
  if (!run.is_post()) add("norm_2", stages.norm_2);
  add("mlp", stages.mlp.output);
  add("residual_2", stages.residual_2);
  add("output", stages.output);
  return table;
}

}  // namespace

std::vector<Block> body(const EncoderRun& run, const std::vector<Stage>& stages) {
  const NormExample& example = run.example;
  const bool own = run.tape.any_read();
  const Text weights =
      own ? Text::none() : Text{"（学習前の小さな重みの場合）", " (with small untrained weights)"};
  const Text about = own ? Text::none() : Text{"（≒√D）", " (about √D)"};
  const auto values = [](Text label, const Tensor<double>& token) {
    return Values{std::move(label), to_array(token, {"components"})};
  };
  return {
      Paragraph::heading("エンコーダー（符号器）の 1 層", "One encoder layer"),
      Equation{formula::read(run.is_post() ? "Z = LN(X + Attention(X))" : "R_1 = X + Attention(LN(X))")},
      Equation{formula::read(run.is_post() ? "Y = LN(Z + MLP(Z))" : "Y = R_1 + MLP(LN(R_1))")},
      shape_trace(computed_from_x(stages)),
      length_table(run),
      Paragraph::heading("レイヤ正規化の分母", "What layer norm divides by"),
      values({"例", "example"}, example.before),
      values({"√(σ² + δ) で割った結果", "divided by √(σ² + δ)"}, example.by_variance),
      values({"√(σ + δ) で割った結果（スライド）", "divided by √(σ + δ), slide"}, example.by_deviation),
      Paragraph::plain(
          "分散は {:.4g} から {:.4g} になります。スライドの式では {:.4g} で、1 ではなく σ になります。",
          "The variance {:.4g} becomes {:.4g}; with the slide's formula it becomes {:.4g}, that is σ, not 1.",
          example.variance, example.standard_variance, example.slide_variance),
      Paragraph::heading("MLP は各行に同じ計算", "The MLP treats every row in the same way"),
      Paragraph::plain("トークンを 1 個ずつ与えた結果と、{} 個まとめて与えた結果の差（最大）：{}。",
                       "One token at a time or all {} together: largest difference {}.", run.tokens,
                       difference_text(run.alone_error)),
      Paragraph::say(
          "各サブレイヤは入力を作り直すのではなく、修正分を足します。長さ {:.2f} のトークンにアテンションが足すのは {:.2f}、MLP が足すのは {:.2f} です{}。ほかのトークンを参照するのはアテンションだけです。",
          "A sub-layer does not rebuild the tokens, it adds a correction: to tokens of length {:.2f} attention adds {:.2f} and the MLP {:.2f}{}. Only attention mixes tokens.",
          mean_length(run.x), mean_length(run.chosen().attention.output),
          mean_length(run.chosen().mlp.output), weights),
      Paragraph::misunderstanding(
          "レイヤ正規化の平均と分散は、トークンごとに D 個の成分から計算します。系列やバッチにわたる平均ではありません（それはバッチ正規化）。",
          "Layer norm takes mean and variance over the D components of one token, not over the sequence or the batch (that would be batch norm)."),
      Paragraph::note(
          "--norm {} で正規化の位置を変えられます。出力の平均の長さは post で {:.3f}{}、pre で {:.3f} です。",
          "--norm {} moves layer norm. Mean length of the outputs: {:.3f}{} with post, {:.3f} with pre.",
          run.is_post() ? "pre" : "post", mean_length(run.post.output), about, mean_length(run.pre.output)),
  };
}

}  // namespace attnlab
