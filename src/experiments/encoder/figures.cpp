// The figures of `encoder`: the values on their way through the layer, the layer as a block diagram in both
// forms, what layer norm divides by, and which sub-step mixes tokens.
#include "experiments/encoder/encoder.hpp"

namespace attnlab {
namespace {

// --- The values on their way

/// A step of the layer, and the mean length of its tokens.
struct FlowStep {
  Text name;
  double length = 0.0;
};

/// The bars of one sub-layer, all of one height; what it adds stands out.
Panel flow_panel(Text title, const std::string& id, const std::vector<FlowStep>& steps, std::size_t added,
                 double most) {
  Bars bars = Bars{id, {}, series_ink(0)}.with_numbers(2);
  bars.marked = added;
  std::vector<ShortText> names;
  for (const FlowStep& step : steps) {
    bars.values.push_back(step.length);
    names.emplace_back(step.name);
  }
  return {std::move(title),
          Chart{Axis{Text::none()}.named(std::move(names)),
                Axis{{"平均の長さ", "Mean length"}}.within(0.0, most > 0.0 ? 1.2 * most : 1.0),
                {std::move(bars)}}};
}

/// Attention and the MLP: what enters, what is added, the sum, and where the norm stands.
Figure with_flow(Figure figure, const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.chosen();
  const double norm_1 = mean_length(stages.norm_1);
  const double norm_2 = mean_length(stages.norm_2);
  const double sum_1 = mean_length(stages.residual_1);
  const double sum_2 = mean_length(stages.residual_2);
  const Text norm{"正規化", "Norm"};
  const Text sum{"和", "Sum"};
  std::vector<FlowStep> attention{{{"入力", "Input"}, mean_length(run.x)},
                                  {{"加算分", "Added"}, mean_length(stages.attention.output)},
                                  {sum, sum_1}};
  std::vector<FlowStep> mlp{{{"入力", "Input"}, run.is_post() ? norm_1 : sum_1},
                            {{"加算分", "Added"}, mean_length(stages.mlp.output)},
                            {sum, sum_2}};
  attention.insert(run.is_post() ? attention.end() : attention.begin() + 1, {norm, norm_1});
  mlp.insert(run.is_post() ? mlp.end() : mlp.begin() + 1, {norm, norm_2});
  double most = 0.0;
  for (const std::vector<FlowStep>* steps : {&attention, &mlp})
    for (const FlowStep& step : *steps) most = std::max(most, step.length);
  const std::size_t added = run.is_post() ? 1 : 2;
  return std::move(figure)
      .panel(flow_panel({"1. アテンション", "1. Attention"}, "flow.attention", attention, added, most))
      .panel(flow_panel({"2. MLP", "2. MLP"}, "flow.mlp", mlp, added, most));
}

Text flow_title(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.chosen();
  const Tensor<double>& before_mlp = run.is_post() ? stages.norm_1 : stages.residual_1;
  if (mean_length(run.x) == 0.0 || mean_length(before_mlp) == 0.0) {
    return {"サブレイヤは入力に足す", "Each sub-layer adds to its input"};
  }
  const double attention = mean_length(stages.attention.output) / mean_length(run.x);
  const double mlp = mean_length(stages.mlp.output) / mean_length(before_mlp);
  const Text added = std::max(attention, mlp) < 0.5
                         ? Text{"各サブレイヤは小さな修正を足す", "Each sub-layer adds a small correction"}
                         : Text{"各サブレイヤは入力に足す", "Each sub-layer adds to its input"};
  return text("{}：アテンション {:.0f}%、MLP {:.0f}%", "{} ({:.0f}% and {:.0f}%)", added, 100.0 * attention,
              100.0 * mlp);
}

Text what_was_drawn(const EncoderRun& run) {
  if (run.tape.any_read()) return run.tape.described();
  return text("{}、重みは 0.1 倍の乱数（学習前）", "{}; weights random times 0.1, untrained",
              run.tape.described());
}

Figure flow_figure(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.chosen();
  Figure figure =
      Figure{"flow", flow_title(run)}
          .described(text(
              "平均の長さの棒グラフ 2 枚。アテンションと MLP のそれぞれについて、入力、加算分（サブレイヤの結果）、和と、{}レイヤ正規化。加算分の平均の長さは {:.2f} と {:.2f}。",
              "Two bar charts of mean lengths, for attention and for the MLP: what enters, what the sub-layer adds, their sum, and layer norm {}. What is added has mean lengths {:.2f} and {:.2f}.",
              run.is_post() ? Text{"その後の", "after the sum"}
                            : Text{"サブレイヤの前の", "before the sub-layer"},
              mean_length(stages.attention.output), mean_length(stages.mlp.output)))
          .captioned(text(
              "{}。{} トークン × {} 次元の平均の長さ。割合は加算分と入力の比。{}",
              "{}. Mean lengths of {} tokens of {} numbers; percentages: added over input.{}",
              what_was_drawn(run), run.tokens, run.width,
              run.labels_are_words ? Text{"語はラベルだけ。", " The words are only labels."} : Text::none()))
          .in_columns(2)
          .on_page(13.0, 5.8);
  return with_flow(std::move(figure), run);
}

// --- The block diagram, read from below as on the slides

constexpr double centre = 0.64;
constexpr double side = 0.3;          // where paths run around a sub-layer
constexpr double arrow_width = 0.12;  // of the widest arrow

/// Boxes from below; each arrow carries the mean length of the tokens that pass it.
Diagram block_diagram(const EncoderRun& run, NormPlacement placement) {
  const bool post = placement == NormPlacement::post;
  const TransformerLayerStages<double>& stages = post ? run.post : run.pre;
  Diagram diagram;
  diagram.flow = Flow::upwards;
  const auto add = [&](Text words, const Tensor<double>* entering) {
    const std::size_t step = diagram.nodes.size();
    diagram.nodes.push_back({fmt::format("{}.step[{}]", post ? "post" : "pre", step), std::move(words),
                             centre, 0.96 - 0.131 * static_cast<double>(step)});
    if (entering == nullptr) return;
    diagram.edges.push_back(
        {step - 1, step, arrow_width, Text::same(fmt::format("{:.2f}", mean_length(*entering)))});
  };
  // a sub-layer's result and what entered it: a path around, from the box `from` steps from below
  const auto add_sum = [&](const Tensor<double>& result, std::size_t from) {
    add(Text::same("+"), &result);
    diagram.edges.push_back({from, diagram.nodes.size() - 1, arrow_width, Text{"そのまま", "unchanged"},
                             Detour{Detour::Direction::vertical, side}});
  };
  add(Text::same("X"), nullptr);
  if (!post) add(Text::same("LN"), &run.x);
  add({"アテンション", "Attention"}, post ? &run.x : &stages.norm_1);
  add_sum(stages.attention.output, 0);
  add(Text::same("LN"), &stages.residual_1);
  add(Text::same("MLP"), post ? &stages.norm_1 : &stages.norm_2);
  add_sum(stages.mlp.output, 3);
  if (post) add(Text::same("LN"), &stages.residual_2);
  add(Text::same("Y"), &stages.output);
  return diagram;
}

/// Layer norm sets a length of √D, unless a token's components are all alike.
Text diagram_title(const EncoderRun& run) {
  const double post = mean_length(run.post.output);
  const double pre = mean_length(run.pre.output);
  const double set = std::sqrt(static_cast<double>(run.width));
  if (std::abs(post - set) > 0.01 * set)
    return text("トークンの平均の長さは post-norm で {:.2f}、pre-norm で {:.2f}",
                "Mean length of the tokens: {:.2f} with post-norm, {:.2f} with pre-norm", post, pre);
  return text("post-norm は長さを {:.2f} にそろえ、pre-norm はそろえない（{:.2f}）",
              "Post-norm sets the length to {:.2f}, pre-norm leaves {:.2f}", post, pre);
}

Figure diagram_figure(const EncoderRun& run) {
  return Figure{"diagram", diagram_title(run)}
      .described(
          {"エンコーダー 1 層のブロック図が 2 枚。X から Y へ進む。1 枚目は、アテンションと MLP の後で入力を足してから LN（レイヤ正規化）。2 枚目は、LN を各サブレイヤの前に置き、足した結果は正規化しない。",
           "Two block diagrams of an encoder layer, from X to Y. First: after attention and after the MLP the input is added, then LN (layer norm). Second: LN stands before each sub-layer, and the sums are not normalised."})
      .captioned(
          text("矢印の数値はトークンの平均の長さ（{}）。LN はレイヤ正規化。√D = {:.4g}。",
               "At each arrow: the mean length of the tokens ({}). LN: layer norm. √D = {:.4g}.",
               run.tape.any_read() ? run.tape.described() : text("乱数の種 {}", "seed {}", run.tape.seed()),
               std::sqrt(static_cast<double>(run.width))))
      .panel({"post-norm（スライド）", "Post-norm (slides)"}, block_diagram(run, NormPlacement::post))
      .panel({"pre-norm（GPT-2）", "Pre-norm (GPT-2)"}, block_diagram(run, NormPlacement::pre))
      .in_columns(2)
      .on_page(10.0, 9.0);
}

// --- Layer norm of one token

/// The components after the norm, each named by its value before.
Panel component_bars(const NormExample& example) {
  const double reach = 1.8 * largest_magnitude(example.by_variance);
  std::vector<ShortText> names;
  for (const double before : example.before) names.emplace_back(fmt::format("{:.4g}", before));
  return {text("σ² {:.4g} → {:.3f}", "σ² {:.4g} → {:.3f}", example.variance, example.standard_variance),
          Chart{Axis{{"正規化の前の値", "Value before"}}.named(std::move(names)),
                Axis{{"正規化の後の値", "Value after"}}.within(-reach, reach),
                {Bars{"example_norm", values_of(example.by_variance), series_ink(0)}.with_numbers(2)}}};
}

/// The same token, stretched: variance after the norm against σ before.
Chart sweep_chart(const NormExample& example) {
  const std::vector<double> deviation = values_of(example.deviation);
  const std::vector<double> standard = values_of(example.variance_after);
  const std::vector<double> slide = values_of(example.variance_deviation);
  return {{{"正規化前の σ", "σ before"}, Axis::Scale::log10},
          {{"後の σ²", "σ² after"}, Axis::Scale::log10},
          {Curve{"variance_after.line", deviation, standard, series_ink(0)},
           Curve{"variance_after_slide.line", deviation, slide, series_ink(1)},
           Points{"variance_after", deviation, standard, series_ink(0)},
           Points{"variance_after_slide", deviation, slide, series_ink(1)},
           Callout{"variance_after.name", deviation[3], standard[3], {"定義：つねに 1", "definition: 1"}},
           Callout{"variance_after_slide.name", deviation[3], slide[3], {"スライド：σ", "slide: σ"}}}};
}

Figure layer_norm_figure(const NormExample& example) {
  const double before = example.variance;
  const double standard = example.standard_variance;
  return Figure{"layer-norm", text("レイヤ正規化の後：平均 0、分散 {:.3f}",
                                   "After layer norm: mean 0, variance {:.3f}", standard)}
      .described(text(
          "1 個のトークンの正規化の後の成分の棒グラフ。前の値が横軸に並ぶ（分散は前が {:.4g}、後が {:.3f}）。2 枚目は同じトークンを引き伸ばしたときの分散で、定義どおりならつねに 1、スライドの式では σ のままの直線。",
          "Bar chart of one token's components after the norm, named by their values before (variance {:.4g} before, {:.3f} after). Second, the token stretched: the definition leaves variance 1 always, the slide's formula leaves σ, a rising line.",
          before, standard))
      .captioned(
          {"棒は 1 個のトークンの成分。平均を引いて割る。定義は √(σ² + δ) で、スライドは √(σ + δ) で。δ = 1e-5。",
           "One token's components minus their mean, over √(σ² + δ) or the slide's √(σ + δ). δ = 1e-5."})
      .panel(component_bars(example))
      .panel({"トークンを引き伸ばすと", "Scaled tokens"}, sweep_chart(example))
      .in_columns(2)
      .on_page(12.0, 5.4);
}

// --- Who reacts to whom

HeatMap reaction_map(const EncoderRun& run, const std::string& id, const Tensor<double>& values) {
  const std::vector<ShortText> labels =
      run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  return share_map(id, values)
      .rows({"結果のトークン", "Token of the result"}, labels)
      .columns({"0 にしたトークン", "Token set to zero"}, labels)
      .with_numbers(2);
}

Figure reaction_figure(const EncoderRun& run) {
  const Reactions& reactions = run.reactions;
  return Figure{"reaction", {"ほかのトークンを参照するのはアテンションだけ", "Only attention mixes tokens"}}
      .described(text(
          "{0} × {0} のヒートマップが 3 枚。列のトークンを 0 にしたとき、行のトークンの結果が動く長さ。{1}レイヤ正規化と MLP では対角線だけが 0 でない。",
          "Three heat maps of {0} by {0}: how far the result of the row's token moves when the column's token is set to zero. {1}n layer norm and MLP only the diagonal is not zero.",
          run.tokens,
          run.tape.any_read() ? Text{"", "I"}
                              : Text{"アテンションではどの行も動き、", "In attention every row moves; i"}))
      .captioned(
          text("{}。X を直接入力。変化の長さの最大は {:.3g}、{:.3g}、{:.3g}。",
               "{}. Each function applied to X. Largest lengths of the change: {:.3g}, {:.3g} and {:.3g}.",
               run.tape.described(), largest(reactions.attention), largest(reactions.norm),
               largest(reactions.mlp)))
      .panel({"アテンション", "Attention"}, reaction_map(run, "attention_reaction", reactions.attention))
      .panel({"レイヤ正規化", "Layer norm"}, reaction_map(run, "norm_reaction", reactions.norm))
      .panel({"MLP", "MLP"}, reaction_map(run, "mlp_reaction", reactions.mlp))
      .sharing_scale(share_colours)
      .sharing_axes()
      .on_page(15.0, 7.0);
}

}  // namespace

HeatMap share_map(const std::string& id, const Tensor<double>& values) {
  const double highest = largest(values);
  return HeatMap{id, to_matrix(highest > 0.0 ? Tensor<double>(values / highest) : values)}
      .coloured(share_colours)
      .showing({"shares"});  // the stage has the changes
}

std::vector<Figure> figures(const EncoderRun& run) {
  return {flow_figure(run),     diagram_figure(run),       layer_norm_figure(run.example),
          reaction_figure(run), encoder_batch_figure(run), encoder_architecture_figure(run)};
}

}  // namespace attnlab
