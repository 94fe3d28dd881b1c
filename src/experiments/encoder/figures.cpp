// The figures of `encoder`: the values on their way through the layer, the layer as a block diagram in both
// forms, what layer norm divides by, and which sub-step mixes tokens.
#include "experiments/encoder/encoder.hpp"

namespace attnlab {
namespace {

// --- The values on their way

/// One scale for all matrices.
ColourScale common_scale(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.chosen();
  double reach = 0.0;
  for (const Tensor<double>* values : {&run.x, &stages.attention.output, &stages.residual_1, &stages.norm_1,
                                       &stages.mlp.output, &stages.residual_2, &stages.norm_2}) {
    reach = std::max(reach, signed_scale(*values).high);
  }
  return {Palette::rdbu, -reach, reach, {"値", "Value"}};
}

/// How much brighter a matrix is shown that would look blank on the common scale: 1, 2, 5, 10, 20, ...
double brightening(const ColourScale& scale, const Tensor<double>& values) {
  const double space = scale.high / largest_magnitude(values);
  if (!std::isfinite(space) || space < 2.0) return 1.0;
  const double ten = std::pow(10.0, std::floor(std::log10(space)));
  return ten * (space >= 5.0 * ten ? 5.0 : space >= 2.0 * ten ? 2.0 : 1.0);
}

/// Attention above, the MLP below: what enters it and what it adds, their sum, and the sum normalised.
Figure with_flow(Figure figure, const EncoderRun& run, const ColourScale& scale) {
  const TransformerLayerStages<double>& stages = run.chosen();
  const auto term = [&](const char* id, const char* name, const Tensor<double>& values) {
    MatrixTerm matrix = matrix_term(id, formula::read(name), values, scale);
    matrix.shape = fmt::format("|x| {:.2f}", mean_length(values));  // the caption tells the shape of all
    return matrix;
  };
  const auto added = [&](const char* id, const char* name, const Tensor<double>& values) {
    MatrixTerm matrix = term(id, name, values);
    const double factor = brightening(scale, values);
    if (factor == 1.0) return matrix;
    matrix.map.scale.low /= factor;
    matrix.map.scale.high /= factor;
    matrix.shape += fmt::format(", ×{}", factor);
    return matrix;
  };
  const MatrixTerm x = term("x", "X", run.x);
  const MatrixTerm sum = term("residual_1", "R_1", stages.residual_1);
  const Text attention{"1. アテンション", "1. Attention"};
  const Text mlp{"2. MLP", "2. MLP"};
  if (run.is_post()) {
    return std::move(figure)
        .panel(attention, MatrixEquation{{x, between("+"),
                                          added("attention", "MHA(X)", stages.attention.output), between("="),
                                          sum, between("→"), term("norm_1", "Z = LN(R_1)", stages.norm_1)}})
        .panel(mlp, MatrixEquation{{again(term("norm_1", "Z", stages.norm_1)), between("+"),
                                    added("mlp", "MLP(Z)", stages.mlp.output), between("="),
                                    term("residual_2", "R_2", stages.residual_2), between("→"),
                                    term("output", "Y = LN(R_2)", stages.output)}});
  }
  return std::move(figure)
      .panel(attention,
             MatrixEquation{{term("norm_1", "N_1 = LN(X)", stages.norm_1), between(","), x, between("+"),
                             added("attention", "MHA(N_1)", stages.attention.output), between("="), sum}})
      .panel(mlp, MatrixEquation{{term("norm_2", "N_2 = LN(R_1)", stages.norm_2), between(","), again(sum),
                                  between("+"), added("mlp", "MLP(N_2)", stages.mlp.output), between("="),
                                  term("output", "Y", stages.output)}});
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
  const ColourScale scale = common_scale(run);
  Figure figure =
      Figure{"flow", flow_title(run)}
          .described(text(
              "{} × {} の行列を計算の順に並べた図：アテンションの結果に入力を足し、続いて MLP の結果にその入力を足す。レイヤ正規化は{}。色の範囲は ±{:.2g}、足される行列ではその何分の一か。足される 2 つの行列の平均の長さは {:.2f} と {:.2f}。",
              "Matrices of {} by {} in the order of the computation: attention's result plus its input, then the MLP's result plus its input, with layer norm {}. The colours span ±{:.2g}, and a fraction of it for what is added. The two results that are added have mean lengths {:.2f} and {:.2f}.",
              run.tokens, run.width,
              run.is_post() ? Text{"足した後", "after each sum"}
                            : Text{"各サブレイヤの前", "before each sub-layer"},
              scale.high, mean_length(stages.attention.output), mean_length(stages.mlp.output)))
          .captioned(text(
              "{}。どの行列も {} トークン × {} 次元、|x| はトークンの平均の長さ、割合はその比。×n は値の n 倍の色。MHA はマルチヘッドアテンション、LN はレイヤ正規化。{}",
              "{}. Every matrix has {} tokens of {} numbers; |x|: their mean length, which the percentages compare; ×n: in the colours of n times the values. MHA: multi-head attention, LN: layer norm.{}",
              what_was_drawn(run), run.tokens, run.width,
              run.labels_are_words ? Text{"語はラベルだけ。", " The words are only labels."} : Text::none()))
          .sharing_scale(scale)
          .on_page(14.0, 6.0);
  return with_flow(std::move(figure), run, scale);
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

Panel component_bars(const std::string& id, Text title, const Tensor<double>& values,
                     std::optional<Interval> limits, Ink ink) {
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < values.size(); ++i) names.emplace_back(std::to_string(i));
  Axis y{{"値", "Value"}};
  y.limits = limits;
  return {std::move(title), Chart{Axis{Text::none()}.named(std::move(names)),
                                  std::move(y),
                                  {Bars{id, values_of(values), ink}.with_numbers(2)}}};
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
  const double reach = 1.8 * largest_magnitude(example.by_variance);
  const Interval after{-reach, reach};
  return Figure{"layer-norm", text("レイヤ正規化の後：平均 0、分散 {:.3f}",
                                   "After layer norm: mean 0, variance {:.3f}", standard)}
      .described(text(
          "1 個のトークンの棒グラフが 2 枚：正規化の前（分散 {:.4g}）と後（{:.3f}）。3 枚目は同じトークンを引き伸ばしたときの分散で、定義どおりならつねに 1、スライドの式では σ のままの直線。",
          "Bar charts of one token, before (variance {:.4g}) and after ({:.3f}). Third, the token stretched: the definition leaves variance 1 always, the slide's formula leaves σ, a rising line.",
          before, standard))
      .captioned(
          {"棒は 1 個のトークンの成分。平均を引いて割る。定義は √(σ² + δ) で、スライドは √(σ + δ) で。δ = 1e-5。",
           "One token's components minus their mean, over √(σ² + δ) or the slide's √(σ + δ). δ = 1e-5."})
      .panel(component_bars("example", text("正規化の前：σ² {:.4g}", "Before: σ² {:.4g}", before),
                            example.before, std::nullopt, muted_ink))
      .panel(component_bars("example_norm", text("正規化の後：σ² {:.3f}", "After: σ² {:.3f}", standard),
                            example.by_variance, after, series_ink(0)))
      .panel({"トークンを引き伸ばすと", "Scaled tokens"}, sweep_chart(example))
      .in_columns(2)
      .on_page(12.0, 8.0);
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
