// The softmax outputs against the dot products, and the weight of every key.
#include "core/counted.hpp"
#include "experiments/scaling/scaling.hpp"

namespace attnlab {
namespace {

enum class Scaling { off, on };

const Tensor<double>& weights_of(const ScalingCase& one, Scaling scaling) {
  return scaling == Scaling::on ? one.scaled_weights : one.weights;
}

Ink ink_of(Scaling scaling) { return series_ink(scaling == Scaling::on ? 0 : 1); }

Text panel_title(std::size_t dim, Scaling scaling) {
  const Text dimensions = text("{} 次元", "{}", counted(dim, "dimension"));
  return text("{}、スケーリング{}", "{}, {}", dimensions,
              scaling == Scaling::on ? Text{"あり", "scaled"} : Text{"なし", "unscaled"});
}

Axis output_axis() { return {{"softmax の出力", "Softmax output"}}; }

Panel scatter_panel(const ScalingCase& one, Scaling scaling, const std::string& id,
                    const std::optional<Interval>& limits) {
  const Tensor<double>& weights = weights_of(one, scaling);
  const std::size_t key = largest_index(weights);
  Chart chart{Axis{{"内積 q·k", "Dot product q·k"}}, output_axis()};
  chart.y.limits = limits;
  chart.layers = {Points{id, values_of(one.scores), values_of(weights), ink_of(scaling)},
                  Callout{id + ".largest", one.scores(key), weights(key),
                          text("キー {}：{:.3f}", "Key {}: {:.3f}", key, weights(key))}};
  return {panel_title(one.dim, scaling), std::move(chart)};
}

Panel clipped_panel(const ScalingRun& run, Scaling scaling, const std::string& id) {
  Chart chart{Axis{{"キーの番号", "Key"}}, output_axis().within(0.0, run.clip)};
  const double equal_share = 1.0 / static_cast<double>(run.keys);
  if (equal_share < run.clip) {  // before the bars: the rule is drawn behind them
    chart.layers.emplace_back(Rule{id + ".equal", Rule::Direction::horizontal, equal_share});
  }
  chart.layers.emplace_back(
      Bars{id, values_of(weights_of(run.high, scaling)), ink_of(scaling)}.with_numbers(no_numbers));
  return {panel_title(run.high.dim, scaling), std::move(chart)};
}

Figure scatter_figure(const ScalingRun& run) {
  const ScalingCase& low = run.low;
  const ScalingCase& high = run.high;
  const double low_unscaled = largest(low.weights);
  const double low_scaled = largest(low.scaled_weights);
  const double high_unscaled = largest(high.weights);
  const double high_scaled = largest(high.scaled_weights);
  const double top = std::max({low_unscaled, low_scaled, high_unscaled, high_scaled});
  Interval common{-0.04 * top, 1.12 * top};
  std::optional<Interval> of_high_unscaled = common;
  if (run.limits == ScatterLimits::book) {
    common = {-0.01, std::max(low_scaled, high_scaled) + 0.1};
    of_high_unscaled = std::nullopt;
  }
  return Figure{"scatter",
                text("スケーリングなしでは 1 個のキーが {}、ありなら {}",
                     "Unscaled, one key takes {}; scaled, {}", percent(high_unscaled), percent(high_scaled))}
      .described(text(
          "散布図が 4 枚。横軸はクエリと {0} 個のキーの内積、縦軸は softmax の出力。上段は {1} 次元、下段は {4} 次元、左はスケーリングなし、右はあり。最大の出力は、{1} 次元では左 {2:.4f}・右 {3:.4f}、{4} 次元では左 {5:.4f}・右 {6:.4f}。",
          "Four scatter plots of the softmax output against the dot product of one query with {0} keys. Top: d = {1}; bottom: d = {4}; left: unscaled; right: scaled. Largest output for d = {1}: {2:.4f} left and {3:.4f} right; for d = {4}: {5:.4f} left and {6:.4f} right.",
          run.keys, low.dim, low_unscaled, low_scaled, high.dim, high_unscaled, high_scaled))
      .captioned(text(
          "{}、キー {} 個。横軸は √d で割る前の内積。1 組の乱数の例で、平均は attnlab variance。",
          "{}, {} keys. Horizontal: dot products before division by √d. One draw; means: attnlab variance.",
          run.tape.described(), run.keys))
      .panel(scatter_panel(low, Scaling::off, "weights_low", common))
      .panel(scatter_panel(low, Scaling::on, "weights_low_scaled", common))
      .panel(scatter_panel(high, Scaling::off, "weights_high", of_high_unscaled))
      .panel(scatter_panel(high, Scaling::on, "weights_high_scaled", common))
      .in_columns(2)
      .on_page(12.0, 12.0);  // as the textbook's softmax_scaling.png
}

Figure clipped_figure(const ScalingRun& run) {
  const ScalingCase& high = run.high;
  const std::size_t faint = faint_keys(high.weights);
  const double limit = faint_percent(run.keys);
  const auto beyond = [&run](const Tensor<double>& weights) {
    return std::count_if(weights.begin(), weights.end(), [&run](double weight) { return weight > run.clip; });
  };
  const auto left = beyond(high.weights);
  const auto right = beyond(high.scaled_weights);
  const Text broken = left + right == 0 ? Text::none()
                                        : text("それより長い棒は途中を省いた（左に {} 本、右に {} 本）。",
                                               " Longer bars are broken: {} left, {} right.", left, right);
  const double equal_share = 1.0 / static_cast<double>(run.keys);
  const Text rule = equal_share < run.clip
                        ? text("破線：均等（{:.3g}）。", " Dashed: uniform ({:.3g}).", equal_share)
                        : Text::none();
  return Figure{"clipped", text("{2:.2g}% 未満のキーは {0} 個中、スケーリングなしで {1} 個、ありで {3} 個",
                                "Of {0} keys, {1} get less than {2:.2g}% unscaled, {3} scaled", run.keys,
                                faint, limit, faint_keys(high.scaled_weights))}
      .described(text(
          "{0} 次元での {1} 個のキーの softmax の出力。棒グラフの縦軸は {2:.2g} で切り、それより長い棒は途中を省く。1 枚目のスケーリングなしでは {3} 個が {4:.2g}% 未満で、最大は {5:.4f}。2 枚目のスケーリングありでは最大 {6:.4f}。",
          "Softmax outputs of {1} keys in {0} dimensions, as bars, cut off at {2:.2g}: longer bars are broken. First, unscaled: {3} keys get less than {4:.2g}%, the largest is {5:.4f}. Second, scaled: the largest is {6:.4f}.",
          high.dim, run.keys, run.clip, faint, limit, largest(high.weights), largest(high.scaled_weights)))
      .captioned(text("{}。縦軸は {:.2g} まで。{}{}", "{}. The axis ends at {:.2g}.{}{}",
                      run.tape.described(), run.clip, broken, rule))
      .panel(clipped_panel(run, Scaling::off, "weights_high"))
      .panel(clipped_panel(run, Scaling::on, "weights_high_scaled"))
      .in_columns(2)
      .on_page(14.0, 6.0);  // side by side, as the textbook has it
}

}  // namespace

/// scatter: textbook fig. 2.2.14, q · k against the softmax output, d low and high, unscaled and scaled;
/// clipped: fig. 2.2.13, the weight of every key, cut off at `clip`; what lies above is marked at the edge.
std::vector<Figure> figures(const ScalingRun& run) { return {scatter_figure(run), clipped_figure(run)}; }

}  // namespace attnlab
