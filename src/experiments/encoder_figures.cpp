// The figures of `encoder`: the values on their way through the layer, and which sub-step mixes tokens.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

using formula::sym;

bool is_post(const EncoderRun& run) {
  return run.placement == NormPlacement::post;
}

std::string percent_of(double part, double whole) {
  return fmt::format("{:.0f}%", 100.0 * part / whole);
}

// --- The values on their way

/// One scale for all matrices, so that what is small looks small.
ColourScale common_scale(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = chosen(run);
  double reach = 0.0;
  for (const Tensor<double>* values : {&run.x, &stages.attention.output, &stages.residual_1, &stages.norm_1,
                                       &stages.mlp.output, &stages.residual_2, &stages.norm_2}) {
    reach = std::max(reach, signed_scale(*values).high);
  }
  return {Palette::rdbu, -reach, reach, {"値", "Value"}};
}

MatrixTerm term(const std::string& id, Formula name, const Tensor<double>& values, const ColourScale& scale) {
  const std::string below =
      fmt::format("({}, {}) |x| {:.2f}", values.shape()[0], values.shape()[1], mean_length(values));
  return {id, to_matrix(values), std::move(name), below, scale, no_numbers, {}, {}};
}

OperatorTerm arrow() {
  return {sym("→")};
}

/// What is added to the sub-layer's result.
OperatorTerm plus(const Formula& stream) {
  return {formula::row({sym("+"), stream, sym("=")})};
}

Formula residual(const char* number) {
  return formula::sub(sym("R"), sym(number));
}

MatrixEquation attention_flow(const EncoderRun& run, const ColourScale& scale) {
  const TransformerLayerStages<double>& stages = chosen(run);
  const MatrixTerm x = term("x", sym("X"), run.x, scale);
  const MatrixTerm found = term("attention", sym("Attention"), stages.attention.output, scale);
  const MatrixTerm sum = term("residual_1", residual("1"), stages.residual_1, scale);
  if (is_post(run)) {
    const Formula name = formula::row({sym("Z"), sym("="), formula::call("LN", residual("1"))});
    return {{x, arrow(), found, plus(sym("X")), sum, arrow(), term("norm_1", name, stages.norm_1, scale)}};
  }
  const MatrixTerm norm = term("norm_1", formula::call("LN", sym("X")), stages.norm_1, scale);
  return {{x, arrow(), norm, arrow(), found, plus(sym("X")), sum}};
}

MatrixEquation mlp_flow(const EncoderRun& run, const ColourScale& scale) {
  const TransformerLayerStages<double>& stages = chosen(run);
  const MatrixTerm made = term("mlp", sym("MLP"), stages.mlp.output, scale);
  if (is_post(run)) {
    const Formula name = formula::row({sym("Y"), sym("="), formula::call("LN", residual("2"))});
    return {{term("norm_1.again", sym("Z"), stages.norm_1, scale), arrow(), made, plus(sym("Z")),
             term("residual_2", residual("2"), stages.residual_2, scale), arrow(),
             term("output", name, stages.output, scale)}};
  }
  const MatrixTerm norm = term("norm_2", formula::call("LN", residual("1")), stages.norm_2, scale);
  return {{term("residual_1.again", residual("1"), stages.residual_1, scale), arrow(), norm, arrow(), made,
           plus(residual("1")), term("output", sym("Y"), stages.output, scale)}};
}

Text flow_title(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = chosen(run);
  const double length = mean_length(run.x);
  const std::string attention = percent_of(mean_length(stages.attention.output), length);
  const double before_mlp = mean_length(is_post(run) ? stages.norm_1 : stages.residual_1);
  const std::string mlp = percent_of(mean_length(stages.mlp.output), before_mlp);
  return {fmt::format("サブレイヤは差分だけを足す：アテンション {}、MLP {}", attention, mlp),
          fmt::format("Sub-layers only add a difference: attention {}, MLP {}", attention, mlp)};
}

Figure flow_figure(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = chosen(run);
  const ColourScale scale = common_scale(run);
  const Text words =
      run.labels_are_words ? Text{"語はラベルだけ。", " The words are only labels."} : Text::same("");
  return {
      "flow",
      flow_title(run),
      {fmt::format("{} × {} の行列を計算の順に並べた図：アテンションの結果に入力を足し、続いて MLP の結果に"
                   "その入力を足す。レイヤ正規化は{}。色の範囲は共通で ±{:.2g}。足される 2 つの行列の平均の"
                   "長さは {:.2f} と {:.2f}。",
                   run.tokens, run.width, is_post(run) ? "足した後" : "各サブレイヤの前", scale.high,
                   mean_length(stages.attention.output), mean_length(stages.mlp.output)),
       fmt::format("Matrices of {} by {} in the order of the computation: attention's result plus its input, "
                   "then the MLP's result plus its input, with layer norm {}. One colour scale, ±{:.2g}. The "
                   "two results that are added have mean lengths {:.2f} and {:.2f}.",
                   run.tokens, run.width, is_post(run) ? "after each sum" : "before each sub-layer",
                   scale.high, mean_length(stages.attention.output), mean_length(stages.mlp.output))},
      {fmt::format("乱数の種 {}、重みは 0.1 倍の乱数（学習前）。行はトークン、|x| はその平均の長さ。割合は"
                   "長さの比。{}",
                   run.seed, words.ja()),
       fmt::format(
           "Seed {}; weights random times 0.1, untrained. Rows: tokens; |x|: their mean length, which "
           "the percentages compare.{}",
           run.seed, words.en())},
      {{{"1. アテンション", "1. Attention"}, attention_flow(run, scale)},
       {{"2. MLP", "2. MLP"}, mlp_flow(run, scale)}},
      0,
      scale,
      {14.0, 6.0}};
}

// --- Who reacts to whom

double largest(const Tensor<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

Panel reaction_panel(const EncoderRun& run, const std::string& id, Text title, const Tensor<double>& values) {
  const double highest = largest(values);
  const std::vector<ShortText> labels =
      run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  return {std::move(title), HeatMap{id,
                                    to_matrix(values),
                                    labels,
                                    labels,
                                    {"結果のトークン", "Token of the result"},
                                    {"0 にしたトークン", "Token set to zero"},
                                    {Palette::blues, 0.0, highest > 0.0 ? highest : 1.0, Text::same("")},
                                    run.tokens <= 8 ? 2 : no_numbers}};
}

Figure reaction_figure(const EncoderRun& run) {
  const Reactions& reactions = run.reactions;
  const ColourScale share{Palette::blues, 0.0, 1.0, {"変化 ÷ 図の最大", "Change / its largest"}};
  return {
      "reaction",
      {"ほかのトークンを見るのはアテンションだけ", "Only attention looks at other tokens"},
      {fmt::format("{0} × {0} のヒートマップが 3 枚。列のトークンを 0 にしたとき、行のトークンの結果が動く"
                   "長さ。アテンションではどの行も動き、レイヤ正規化と MLP では対角線だけが 0 でない。",
                   run.tokens),
       fmt::format("Three heat maps of {0} by {0}: how far the result of the row's token moves when the "
                   "column's token is set to zero. In attention every row moves; in layer norm and MLP "
                   "only the diagonal is not zero.",
                   run.tokens)},
      {fmt::format("乱数の種 {}。X を直接入力。変化の長さの最大は {:.3g}、{:.3g}、{:.3g}。", run.seed,
                   largest(reactions.attention), largest(reactions.norm), largest(reactions.mlp)),
       fmt::format(
           "Seed {}. Each function applied to X. Largest lengths of the change: {:.3g}, {:.3g} and {:.3g}.",
           run.seed, largest(reactions.attention), largest(reactions.norm), largest(reactions.mlp))},
      {reaction_panel(run, "attention_reaction", {"アテンション", "Attention"}, reactions.attention),
       reaction_panel(run, "norm_reaction", {"レイヤ正規化", "Layer norm"}, reactions.norm),
       reaction_panel(run, "mlp_reaction", {"MLP", "MLP"}, reactions.mlp)},
      0,
      share,
      {15.0, 7.0},
      true};
}

}  // namespace

std::vector<Figure> encoder_figures(const EncoderRun& run) {
  return {flow_figure(run), encoder_diagram_figure(run), layer_norm_figure(run), reaction_figure(run)};
}

}  // namespace attnlab
