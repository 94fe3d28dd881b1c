// The figures of `recurrence`: what waits for what, the ways between tokens, and what arrives over a
// distance.
#include "core/counted.hpp"
#include "experiments/framework/stack_diagram.hpp"
#include "experiments/recurrence/recurrence.hpp"

namespace attnlab {
namespace {

/// "h₂₃"
Text indexed_name(const std::string& letter, std::size_t index) {
  return Text::same(to_terminal(worked::indexed(letter, index)));
}

/// The middles of columns that share the width; dots in place of a box take half of one.
std::vector<double> column_places(const std::vector<std::optional<std::size_t>>& boxed) {
  std::vector<double> places;
  double end = 0.0;
  for (const std::optional<std::size_t>& box : boxed) {
    const double width = box ? 1.0 : 0.5;
    places.push_back(end + width / 2.0);
    end += width;
  }
  for (double& place : places) place /= end;
  return places;
}

/// Tokens above, results below with their steps, an arrow for what a result reads.
Diagram steps_diagram(const Dependencies& dependencies, const std::string& letter, bool reads_all_tokens,
                      const ColourScale& scale) {
  const std::vector<std::optional<std::size_t>> boxed = drawn_boxes(dependencies.steps.size());
  Diagram diagram;
  diagram.scale = scale;
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> results;
  const std::vector<double> places = column_places(boxed);
  for (std::size_t i = 0; i < boxed.size(); ++i) {
    const double x = places[i];
    Node result{boxed[i] ? fmt::format("{}[{}]", letter, *boxed[i]) : letter + ".more", Text::same("···"), x,
                0.74};
    Node token{boxed[i] ? fmt::format("{}.x[{}]", letter, *boxed[i]) : letter + ".x.more", Text::same("···"),
               x, 0.13};
    if (boxed[i]) {
      const double step = dependencies.steps(*boxed[i]);
      token.text = indexed_name("x", *boxed[i]);
      result.text = indexed_name(letter, *boxed[i]);
      result.value = step;
      result.note = text("ステップ {:g}", "step {:g}", step);
    }
    result.framed = token.framed = boxed[i].has_value();
    inputs.push_back(diagram.nodes.size());
    diagram.nodes.push_back(std::move(token));
    results.push_back(diagram.nodes.size());
    diagram.nodes.push_back(std::move(result));
  }
  for (std::size_t i = 0; i < boxed.size(); ++i) {
    if (!reads_all_tokens && i > 0) diagram.edges.push_back({results[i - 1], results[i], 0.12});
    for (std::size_t j = 0; j < boxed.size(); ++j) {
      if (!boxed[i] || !boxed[j] || (i != j && !reads_all_tokens)) continue;
      diagram.edges.push_back({inputs[j], results[i], 0.12});
    }
  }
  return diagram;
}

Figure steps_figure(const RecurrenceRun& run) {
  const double steps = run.rnn.steps.back();
  const ColourScale scale{Palette::blues, 0.0, steps, {"ステップ", "Step"}};
  return Figure{"steps", text("{} トークンに、RNN は {:g} ステップ、自己注意は {:g} ステップ",
                              "For {} an RNN takes {:g} steps, self-attention {:g}",
                              counted(run.tokens(), "token"), steps, largest(run.self_attention.steps))}
      .described(text(
          "箱と矢印の図が 2 枚。RNN では矢印が状態から次の状態へ順に続き、最後の状態はステップ {:g} でできる。自己注意では、どの出力にもすべての入力から矢印が直接届き、すべてステップ {:g} でできる。",
          "Two diagrams of boxes and arrows. In the RNN arrows lead from each state to the next, and the last one is ready after step {:g}. In self-attention arrows lead from all inputs to every output: all are ready after step {:g}.",
          steps, largest(run.self_attention.steps)))
      .captioned({"矢印：元の値から先の値を計算する。自己注意のステップは 1 層。",
                  "Arrows: what a result is computed from. A step of self-attention is one layer."})
      .panel(Text::same("RNN"), steps_diagram(run.rnn, "h", false, scale))
      .panel({"自己注意", "Self-attention"}, steps_diagram(run.self_attention, "y", true, scale))
      .in_columns(1)
      .on_page(10.0, 7.5);
}

Figure gradient_figure(const RecurrenceRun& run) {
  const std::size_t farthest = run.tokens() - 1;
  const std::vector<double> distances = counting(run.tokens());
  Chart chart{Axis{{"距離 T − t", "Distance T − t"}},
              Axis{{"勾配の大きさ", "Size of the gradient"}, Axis::Scale::log10}};
  for (std::size_t i = 0; i < run.radius.size(); ++i) {
    const std::string id = fmt::format("gradient[{}]", i);
    std::vector<double> powers = distances;
    for (double& power : powers) power = std::pow(run.radius(i), power);
    chart.layers.emplace_back(
        Curve{id + ".power", distances, std::move(powers), series_ink(i + 1), Text::none(), true});
    chart.layers.emplace_back(Curve{id, distances, values_of(run.gradient, i), series_ink(i + 1),
                                    text("RNN、ρ = {:g}", "RNN, ρ = {:g}", run.radius(i))});
    chart.layers.emplace_back(Callout{id + ".last", static_cast<double>(farthest), run.gradient(i, farthest),
                                      Text::same(fmt::format("{:.2g}", run.gradient(i, farthest)))});
  }
  chart.layers.emplace_back(Curve{"attention_gradient",
                                  distances,
                                  values_of(run.attention_gradient),
                                  series_ink(0),
                                  {"自己注意", "self-attention"}});
  chart.layers.emplace_back(Callout{"attention_gradient.last", static_cast<double>(farthest),
                                    run.attention_gradient(farthest),
                                    Text::same(fmt::format("{:.2g}", run.attention_gradient(farthest)))});
  const auto [least, most] = std::minmax_element(run.per_step.begin(), run.per_step.end());
  const Text rnn = run.per_step.size() == 1 ? Text::same(fmt::format("{:.2g}", *least))
                                            : text("{:.2f}～{:.2f}", "{:.2f} to {:.2f}", *least, *most);
  const Text in_attention =
      has_trend(run) ? text("自己注意では × {:.2f}", "attention's by {:.2f}", run.attention_per_step)
                     : Text{"自己注意では傾向なし", "attention's has no trend"};
  return Figure{"gradient", text("1 ステップさかのぼるごとに、RNN の勾配は × {}、{}",
                                 "Each step back multiplies an RNN's gradient by {}, {}", rnn, in_attention)}
      .described(text(
          "縦軸が対数のグラフ。距離 T − t に対する勾配の大きさ。距離 {} で {}、自己注意は {:.2g}{}",
          "Chart with a logarithmic axis: the size of the gradient against the distance T − t. At distance {}: {} in RNNs, {:.2g} in self-attention{}.",
          farthest, gradients_of_all(run), run.attention_gradient(farthest),
          has_trend(run) ? Text{"。", ""}
                         : Text{" で、距離とともに変わる傾向はない。", ", which has no trend"}))
      .captioned(text("{}。RNN は ‖∂h_T/∂h_t‖/√d、破線は ρ の累乗。自己注意は ‖∂y_T/∂x_t‖/√d。",
                      "{}. RNN: ‖∂h_T/∂h_t‖/√d, dashed: powers of ρ. Self-attention: ‖∂y_T/∂x_t‖/√d.",
                      run.tape.described()))
      .panel(std::move(chart));
}

}  // namespace

std::vector<Figure> figures(const RecurrenceRun& run) { return {steps_figure(run), gradient_figure(run)}; }

}  // namespace attnlab
