// What `encoder` says: the layer's formulas, how long the tokens are after each sub-step, and three lessons.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/encoder/encoder.hpp"
#include "experiments/report_body.hpp"
#include "experiments/framework/shape_trace.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "results/check/difference_text.hpp"

namespace attnlab {
namespace {

bool is_post(const EncoderRun& run) {
  return run.placement == NormPlacement::post;
}

void add_formulas(std::vector<Block>& body, const EncoderRun& run) {
  using formula::call;
  using formula::row;
  using formula::sym;
  const auto added = [](const char* function, const Formula& stream, const Formula& argument) {
    return row({stream, sym("+"), call(function, argument)});
  };
  const auto define = [&body](const Formula& symbol, const Formula& value) {
    body.emplace_back(Equation{row({symbol, sym("="), value})});
  };
  const Formula x = sym("X");
  if (is_post(run)) {
    define(sym("Z"), call("LN", added("Attention", x, x)));
    define(sym("Y"), call("LN", added("MLP", sym("Z"), sym("Z"))));
    return;
  }
  const Formula r = formula::sub(sym("R"), sym("1"));
  define(r, added("Attention", x, call("LN", x)));
  define(sym("Y"), added("MLP", r, call("LN", r)));
}

/// The stages that are computed from x, without the weights and the measurements beside the layer.
std::vector<Stage> layer_part(const std::vector<Stage>& stages) {
  std::vector<Stage> part;
  for (const Stage& one : stages) {
    const bool computed = !to_terminal(one.formula).empty();
    if (one.name == "attention_reaction") break;
    if (one.name == "x" || computed) part.push_back(one);
  }
  return part;
}

struct Spread {
  double low = 0.0;
  double high = 0.0;
};

Spread variances(const Tensor<double>& tokens) {
  Spread spread{moments_of(tokens, 0).variance, moments_of(tokens, 0).variance};
  for (std::size_t i = 1; i < tokens.shape()[0]; ++i) {
    spread.low = std::min(spread.low, moments_of(tokens, i).variance);
    spread.high = std::max(spread.high, moments_of(tokens, i).variance);
  }
  return spread;
}

Table length_table(const EncoderRun& run) {
  Table table{{{"配列", "array"},
               {"平均の長さ", "mean length"},
               {"分散の最小", "least variance"},
               {"最大", "largest"}},
              {}};
  const auto add = [&table](const char* name, const Tensor<double>& tokens) {
    const Spread spread = variances(tokens);
    table.rows.push_back({name, fmt::format("{:.4f}", mean_length(tokens)), fmt::format("{:.4f}", spread.low),
                          fmt::format("{:.4f}", spread.high)});
  };
  const TransformerLayerStages<double>& stages = chosen(run);
  add("x", run.x);
  if (!is_post(run)) add("norm_1", stages.norm_1);
  add("attention", stages.attention.output);
  add("residual_1", stages.residual_1);
  if (is_post(run)) add("norm_1", stages.norm_1);
  if (!is_post(run)) add("norm_2", stages.norm_2);
  add("mlp", stages.mlp.output);
  add("residual_2", stages.residual_2);
  add("output", stages.output);
  return table;
}

void add_layer_norm(std::vector<Block>& body, const EncoderRun& run) {
  const NormExample& example = run.example;
  const std::vector<std::string> axes{"components"};
  const double before = moments_of(example.before, 0).variance;
  const double standard = moments_of(example.by_variance, 0).variance;
  const double slide = moments_of(example.by_deviation, 0).variance;
  add_heading(body, "レイヤ正規化の分母", "What layer norm divides by");
  body.emplace_back(Values{{"例", "example"}, to_array(example.before, axes)});
  body.emplace_back(
      Values{{"√(σ² + δ) で割った結果", "divided by √(σ² + δ)"}, to_array(example.by_variance, axes)});
  body.emplace_back(Values{{"√(σ + δ) で割った結果（スライド）", "divided by √(σ + δ), slide"},
                           to_array(example.by_deviation, axes)});
  add_text(
      body,
      fmt::format(
          "分散は {:.4g} から {:.4g} になります。スライドの式では {:.4g} で、1 ではなく σ になります。",
          before, standard, slide),
      fmt::format("The variance {:.4g} becomes {:.4g}; with the slide's formula it becomes {:.4g}, that is "
                  "σ, not 1.",
                  before, standard, slide));
}

void add_mlp(std::vector<Block>& body, const EncoderRun& run) {
  add_heading(body, "MLP は各行に同じ計算", "The MLP treats rows alike");
  add_text(body,
           fmt::format("トークンを 1 個ずつ与えた結果と、{} 個まとめて与えた結果の差（最大）：{}。",
                       run.tokens, difference_text(run.alone_error)),
           fmt::format("One token at a time or all {} together: largest difference {}.", run.tokens,
                       difference_text(run.alone_error)));
}

Paragraph to_say(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = chosen(run);
  const double attention = mean_length(stages.attention.output);
  const double mlp = mean_length(stages.mlp.output);
  const double stream = mean_length(run.x);
  return {
      Role::say,
      {fmt::format("各サブレイヤは入力を作り直すのではなく、差分だけを足します。長さ {:.2f} のトークンに"
                   "アテンションが足すのは {:.2f}、MLP が足すのは {:.2f} です（学習前の小さな重みの場合）。"
                   "ほかのトークンを見るのはアテンションだけです。",
                   stream, attention, mlp),
       fmt::format("A sub-layer does not rebuild the tokens, it adds a difference: to tokens of length "
                   "{:.2f} attention adds {:.2f} and the MLP {:.2f} (with small untrained weights). Only "
                   "attention looks at other tokens.",
                   stream, attention, mlp)}};
}

Paragraph misunderstanding() {
  return {Role::misunderstanding,
          {"レイヤ正規化の平均と分散は、トークンごとに D 個の成分から計算します。系列やバッチにわたる平均では"
           "ありません（それはバッチ正規化）。",
           "Layer norm takes mean and variance over the D components of one token, not over the sequence or "
           "the batch (that would be batch norm)."}};
}

Paragraph remark_on_placement(const EncoderRun& run) {
  const double post = mean_length(run.post.output);
  const double pre = mean_length(run.pre.output);
  return {Role::note,
          {fmt::format("--norm {} で正規化の位置を変えられます。出力の平均の長さは post で {:.3f}（≒√D）、"
                       "pre で {:.3f} です。",
                       is_post(run) ? "pre" : "post", post, pre),
           fmt::format("--norm {} moves the norms. Mean length of the outputs: {:.3f} (about √D) with post, "
                       "{:.3f} with pre.",
                       is_post(run) ? "pre" : "post", post, pre)}};
}

}  // namespace

std::vector<Block> encoder_body(const EncoderRun& run, const std::vector<Stage>& stages) {
  std::vector<Block> body;
  add_heading(body, "エンコーダー（符号器）の 1 層", "One encoder layer");
  add_formulas(body, run);
  body.emplace_back(shape_trace(layer_part(stages)));
  body.emplace_back(length_table(run));
  add_layer_norm(body, run);
  add_mlp(body, run);
  body.emplace_back(to_say(run));
  body.emplace_back(misunderstanding());
  body.emplace_back(remark_on_placement(run));
  return body;
}

}  // namespace attnlab
