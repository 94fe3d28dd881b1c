// Two more figures of `encoder`: the layer as a block diagram in both forms, and what layer norm divides by.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

// --- The block diagram, read from below as on the slides

constexpr double centre = 0.64;
constexpr double side = 0.3;          // where paths run around a sub-layer
constexpr double arrow_width = 0.12;  // of the widest arrow

/// Boxes from below; each arrow carries the mean length of the tokens that pass it.
class BlockDiagram {
 public:
  explicit BlockDiagram(std::string prefix) : prefix_(std::move(prefix)) {}

  void add(Text text, const Tensor<double>* entering) {
    const std::size_t step = diagram_.nodes.size();
    diagram_.nodes.push_back({fmt::format("{}.step[{}]", prefix_, step), std::move(text), centre,
                              0.96 - 0.131 * static_cast<double>(step), std::nullopt, true});
    if (entering == nullptr) return;
    diagram_.edges.push_back(
        {step - 1, step, arrow_width, Text::same(fmt::format("{:.2f}", mean_length(*entering)))});
  }

  /// The path around a sub-layer: from the box `from` steps from below to the last one.
  void add_bypass(std::size_t from) {
    diagram_.edges.push_back({from,
                              diagram_.nodes.size() - 1,
                              arrow_width,
                              {"そのまま", "unchanged"},
                              Detour{Detour::Direction::vertical, side}});
  }

  Diagram diagram() const { return {diagram_.nodes, diagram_.edges, std::nullopt, Flow::upwards}; }

 private:
  std::string prefix_;
  Diagram diagram_;
};

const Text& attention_text() {
  static const Text text("アテンション", "Attention");
  return text;
}

Diagram post_diagram(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.post;
  BlockDiagram block("post");
  block.add(Text::same("X"), nullptr);
  block.add(attention_text(), &run.x);
  block.add(Text::same("+"), &stages.attention.output);
  block.add_bypass(0);
  block.add(Text::same("LN"), &stages.residual_1);
  block.add(Text::same("MLP"), &stages.norm_1);
  block.add(Text::same("+"), &stages.mlp.output);
  block.add_bypass(3);
  block.add(Text::same("LN"), &stages.residual_2);
  block.add(Text::same("Y"), &stages.output);
  return block.diagram();
}

Diagram pre_diagram(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.pre;
  BlockDiagram block("pre");
  block.add(Text::same("X"), nullptr);
  block.add(Text::same("LN"), &run.x);
  block.add(attention_text(), &stages.norm_1);
  block.add(Text::same("+"), &stages.attention.output);
  block.add_bypass(0);
  block.add(Text::same("LN"), &stages.residual_1);
  block.add(Text::same("MLP"), &stages.norm_2);
  block.add(Text::same("+"), &stages.mlp.output);
  block.add_bypass(3);
  block.add(Text::same("Y"), &stages.output);
  return block.diagram();
}

// --- Layer norm of one token

std::vector<ShortText> component_names(std::size_t count) {
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < count; ++i) names.emplace_back(std::to_string(i));
  return names;
}

Panel component_bars(const std::string& id, Text title, const Tensor<double>& values,
                     std::optional<Interval> limits, Ink ink) {
  const Axis x{{"成分", "Component"}, Axis::Scale::linear, std::nullopt, component_names(values.size())};
  const Axis y{{"値", "Value"}, Axis::Scale::linear, limits, {}};
  return {std::move(title), Chart{x, y, {Bars{id, {values.begin(), values.end()}, ink, std::nullopt, 2}}}};
}

std::vector<double> plain(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

/// The same token, stretched: variance after the norm against σ before.
Panel sweep_panel(const NormExample& example) {
  const std::vector<double> deviation = plain(example.deviation);
  const auto curve = [&](const char* id, const Tensor<double>& values, std::size_t series) {
    return Curve{id, deviation, plain(values), series_ink(series), Text::same("")};
  };
  const auto points = [&](const char* id, const Tensor<double>& values, std::size_t series) {
    return Points{id, deviation, plain(values), series_ink(series), Text::same("")};
  };
  const auto name = [&](const char* id, const Tensor<double>& values, Text text) {
    return Callout{id, deviation[3], values(3), std::move(text)};
  };
  return {
      {"引き伸ばしたトークンでは", "The same token, stretched"},
      Chart{{{"正規化の前の σ", "σ before"}, Axis::Scale::log10, {}, {}},
            {{"正規化の後の分散", "Variance after"}, Axis::Scale::log10, {}, {}},
            {curve("variance_after.line", example.variance_after, 0),
             curve("variance_after_slide.line", example.variance_deviation, 1),
             points("variance_after", example.variance_after, 0),
             points("variance_after_slide", example.variance_deviation, 1),
             name("variance_after.name", example.variance_after, {"定義：つねに 1", "definition: 1"}),
             name("variance_after_slide.name", example.variance_deviation, {"スライド：σ", "slide: σ"})}}};
}

}  // namespace

Figure encoder_diagram_figure(const EncoderRun& run) {
  const double post = mean_length(run.post.output);
  const double pre = mean_length(run.pre.output);
  return {
      "diagram",
      {fmt::format("post-norm は長さを {:.2f} にそろえ、pre-norm は足すだけ（{:.2f}）", post, pre),
       fmt::format("Post-norm resets lengths ({:.2f}), pre-norm adds ({:.2f})", post, pre)},
      {"エンコーダー 1 層のブロック図が 2 枚。X から Y へ進む。1 枚目は、アテンションと MLP "
       "の後で入力を足して"
       "から LN（レイヤ正規化）。2 枚目は、LN を各サブレイヤの前に置き、足した結果は正規化しない。",
       "Two block diagrams of an encoder layer, from X to Y. First: after attention and after the "
       "MLP the input is added, then LN (layer norm). Second: LN stands before each sub-layer, and the sums "
       "are not normalised."},
      {fmt::format("矢印の数値はトークンの平均の長さ（乱数の種 {}）。LN はレイヤ正規化。√D = {:.4g}。",
                   run.seed, std::sqrt(static_cast<double>(run.width))),
       fmt::format("At each arrow: the mean length of the tokens (seed {}). LN: layer norm. √D = {:.4g}.",
                   run.seed, std::sqrt(static_cast<double>(run.width)))},
      {{{"post-norm（スライド）", "Post-norm (slides)"}, post_diagram(run)},
       {{"pre-norm（GPT-2）", "Pre-norm (GPT-2)"}, pre_diagram(run)}},
      2,
      {},
      {10.0, 9.0}};
}

Figure layer_norm_figure(const EncoderRun& run) {
  const NormExample& example = run.example;
  const double before = moments_of(example.before, 0).variance;
  const double standard = moments_of(example.by_variance, 0).variance;
  const double slide = moments_of(example.by_deviation, 0).variance;
  const double reach =
      1.8 * std::max(largest_magnitude(example.by_variance), largest_magnitude(example.by_deviation));
  const Interval after{-reach, reach};
  return {
      "layer-norm",
      {fmt::format("√(σ² + δ) で割ると分散 {:.3f}、スライドの √(σ + δ) では {:.3f}", standard, slide),
       fmt::format("√(σ² + δ) leaves variance {:.3f}, the slide's √(σ + δ) {:.3f}", standard, slide)},
      {fmt::format(
           "1 個のトークンの棒グラフが 3 枚：正規化の前（分散 {:.4g}）、分散で割った後（{:.3f}）、"
           "スライドの式の後（{:.3f}）。4 枚目は同じトークンを引き伸ばしたときの分散で、定義どおりなら"
           "つねに 1、スライドの式では σ のままの直線。",
           before, standard, slide),
       fmt::format("Bars of one token: before (variance {:.4g}), divided with the variance ({:.3f}) and by "
                   "the slide's formula ({:.3f}). Fourth, the token stretched: the definition leaves "
                   "variance 1 always, the slide's formula leaves σ, a rising line.",
                   before, standard, slide)},
      {"δ = 1e-5。スライドの分母では σ² が σ になっている。",
       "δ = 1e-5. The slide's divisor has σ where the definition has σ²."},
      {component_bars(
           "example",
           {fmt::format("前：分散 {:.4g}", before), fmt::format("Before: variance {:.4g}", before)},
           example.before, std::nullopt, muted_ink),
       component_bars("example_norm",
                      {fmt::format("√(σ² + δ)：分散 {:.3f}", standard),
                       fmt::format("By √(σ² + δ): variance {:.3f}", standard)},
                      example.by_variance, after, series_ink(0)),
       component_bars(
           "example_slide",
           {fmt::format("√(σ + δ)：分散 {:.3f}", slide), fmt::format("By √(σ + δ): variance {:.3f}", slide)},
           example.by_deviation, after, series_ink(1)),
       sweep_panel(example)},
      2,
      {},
      {12.0, 8.0}};
}

}  // namespace attnlab
