// The figures of `scaling`: the 2 x 2 scatter and the clipped weights.
#include "experiments/scaling/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnlab {
namespace {

enum class Scaling { off, on };

std::vector<double> values_of(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

Text seed_text(const ScalingRun& run) {
  return {fmt::format("乱数の種 {}{}", run.seed, run.torch ? "（PyTorch）" : ""),
          fmt::format("Seed {}{}", run.seed, run.torch ? " (PyTorch)" : "")};
}

Text panel_title(std::size_t dim, Scaling scaling) {
  const bool on = scaling == Scaling::on;
  return {fmt::format("{} 次元、スケーリング{}", dim, on ? "あり" : "なし"),
          fmt::format("{} dimension{}, {}", dim, dim == 1 ? "" : "s", on ? "scaled" : "unscaled")};
}

Callout mark_largest(const ScalingCase& one, const Tensor<double>& weights, const std::string& id) {
  const std::size_t key = largest_index(weights);
  return {
      id,
      one.scores(key),
      weights(key),
      {fmt::format("キー {}：{:.3f}", key, weights(key)), fmt::format("Key {}: {:.3f}", key, weights(key))}};
}

Panel scatter_panel(const ScalingCase& one, Scaling scaling, const std::string& id,
                    const std::optional<Interval>& limits) {
  const bool scaled = scaling == Scaling::on;
  const Tensor<double>& weights = scaled ? one.scaled_weights : one.weights;
  const Ink ink = series_ink(scaled ? 0 : 1);
  return {panel_title(one.dim, scaling),
          Chart{{{"内積 q·k", "Dot product q·k"}, Axis::Scale::linear, {}, {}},
                {{"softmax の出力", "Softmax output"}, Axis::Scale::linear, limits, {}},
                {Points{id, values_of(one.scores), values_of(weights), ink, Text::same("")},
                 mark_largest(one, weights, id + ".largest")}}};
}

Panel clipped_panel(const ScalingRun& run, Scaling scaling, double clip) {
  const bool scaled = scaling == Scaling::on;
  const Tensor<double>& weights = scaled ? run.high.scaled_weights : run.high.weights;
  const std::string id = scaled ? "weights_high_scaled" : "weights_high";
  std::vector<double> keys(run.keys);
  std::iota(keys.begin(), keys.end(), 0.0);
  Chart chart{{{"キーの番号", "Key"}, Axis::Scale::linear, {}, {}},
              {{"softmax の出力", "Softmax output"}, Axis::Scale::linear, Interval{-0.04 * clip, clip}, {}},
              {}};
  const double equal_share = 1.0 / static_cast<double>(run.keys);
  if (equal_share < clip) {  // before the points: the rule is drawn behind them
    chart.layers.emplace_back(
        Rule{id + ".equal",
             Rule::Direction::horizontal,
             equal_share,
             {fmt::format("均等（{:.3g}）", equal_share), fmt::format("equal ({:.3g})", equal_share)},
             muted_ink});
  }
  chart.layers.emplace_back(Points{id, keys, values_of(weights), series_ink(scaled ? 0 : 1), Text::same("")});
  return {panel_title(run.high.dim, scaling), chart};
}

Text scatter_title(const ScalingCase& high) {
  const Text unscaled = percent(largest(high.weights));
  const Text scaled = percent(largest(high.scaled_weights));
  return {fmt::format("スケーリングなしでは 1 個のキーが {}、ありなら {}", unscaled.ja(), scaled.ja()),
          fmt::format("Without scaling, one key takes {}; with it, {}", unscaled.en(), scaled.en())};
}

Text scatter_description(const ScalingRun& run) {
  const ScalingCase& low = run.low;
  const ScalingCase& high = run.high;
  return {
      fmt::format("散布図が 4 枚。横軸はクエリと {} 個のキーの内積、縦軸は softmax の出力。上段は {} 次元、"
                  "下段は {} 次元、左はスケーリングなし、右はあり。最大の出力は、{} 次元では左 {:.4f}・"
                  "右 {:.4f}、{} 次元では左 {:.4f}・右 {:.4f}。",
                  run.keys, low.dim, high.dim, low.dim, largest(low.weights), largest(low.scaled_weights),
                  high.dim, largest(high.weights), largest(high.scaled_weights)),
      fmt::format(
          "Four scatter plots of the softmax output against the dot product of one query with {} keys. "
          "Top: d = {}; bottom: d = {}; left: unscaled; right: scaled. Largest output for d = {}: {:.4f} "
          "left and {:.4f} right; for d = {}: {:.4f} left and {:.4f} right.",
          run.keys, low.dim, high.dim, low.dim, largest(low.weights), largest(low.scaled_weights), high.dim,
          largest(high.weights), largest(high.scaled_weights))};
}

Text clipped_title(const ScalingRun& run) {
  const double limit = faint_percent(run.keys);
  const std::size_t unscaled = faint_keys(run.high.weights);
  const std::size_t scaled = faint_keys(run.high.scaled_weights);
  return {fmt::format("スケーリングなしでは {} 個中 {} 個のキーが {:.2g}% 未満、ありなら {} 個", run.keys,
                      unscaled, limit, scaled),
          fmt::format("Without scaling, {} of {} keys get under {:.2g}%; with it, {}", unscaled, run.keys,
                      limit, scaled)};
}

Text clipped_description(const ScalingRun& run, double clip) {
  const double unscaled = largest(run.high.weights);
  const double scaled = largest(run.high.scaled_weights);
  const std::size_t faint = faint_keys(run.high.weights);
  const double limit = faint_percent(run.keys);
  return {
      fmt::format(
          "{} 次元での {} 個のキーの softmax の出力。縦軸は {:.2g} で切り、外の点は三角で示す。"
          "1 枚目のスケーリングなしでは {} 個が {:.2g}% 未満で、最大は {:.4f}。2 枚目のスケーリングありでは"
          "最大 {:.4f}。",
          run.high.dim, run.keys, clip, faint, limit, unscaled, scaled),
      fmt::format(
          "Softmax outputs of {} keys in {} dimensions, cut off at {:.2g}; points above are triangles "
          "at the edge. First, unscaled: {} keys get less than {:.2g}%, the largest is {:.4f}. Second, "
          "scaled: "
          "the largest is {:.4f}.",
          run.keys, run.high.dim, clip, faint, limit, unscaled, scaled)};
}

}  // namespace

std::size_t largest_index(const Tensor<double>& weights) {
  return static_cast<std::size_t>(
      std::distance(weights.begin(), std::max_element(weights.begin(), weights.end())));
}

double largest(const Tensor<double>& weights) {
  return weights(largest_index(weights));
}

std::size_t faint_keys(const Tensor<double>& weights) {
  const double threshold = 0.2 / static_cast<double>(weights.size());
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [threshold](double w) { return w < threshold; }));
}

double faint_percent(std::size_t keys) {
  return 20.0 / static_cast<double>(keys);
}

Text percent(double weight) {
  const std::string number = fmt::format("{:.0f}%", 100.0 * weight);
  if (number != "100%" || weight == 1.0) return Text::same(number);
  return {"ほぼ 100%", "almost 100%"};
}

Figure scatter_figure(const ScalingRun& run, ScatterLimits limits) {
  const ScalingCase& low = run.low;
  const ScalingCase& high = run.high;
  const double top_scaled = std::max(largest(low.scaled_weights), largest(high.scaled_weights));
  const double top = std::max({top_scaled, largest(low.weights), largest(high.weights)});
  const bool book = limits == ScatterLimits::book;
  const Interval common = book ? Interval{-0.01, top_scaled + 0.1} : Interval{-0.04 * top, 1.12 * top};
  const std::optional<Interval> high_unscaled = book ? std::nullopt : std::optional<Interval>(common);
  return {"scatter",
          scatter_title(high),
          scatter_description(run),
          {fmt::format("{}、キー {} 個。横軸は √d で割る前の内積。", seed_text(run).ja(), run.keys),
           fmt::format("{}, {} keys. Horizontal: dot products before division by √d.", seed_text(run).en(),
                       run.keys)},
          {scatter_panel(low, Scaling::off, "weights_low", common),
           scatter_panel(low, Scaling::on, "weights_low_scaled", common),
           scatter_panel(high, Scaling::off, "weights_high", high_unscaled),
           scatter_panel(high, Scaling::on, "weights_high_scaled", common)},
          2,
          std::nullopt,
          {12.0, 12.0}};  // as the textbook's softmax_scaling.png
}

Figure clipped_figure(const ScalingRun& run, double clip) {
  return {"clipped",
          clipped_title(run),
          clipped_description(run, clip),
          {fmt::format("{}。縦軸は {:.2g} まで、三角は軸の外の点。", seed_text(run).ja(), clip),
           fmt::format("{}. The axis ends at {:.2g}; triangles lie beyond.", seed_text(run).en(), clip)},
          {clipped_panel(run, Scaling::off, clip), clipped_panel(run, Scaling::on, clip)},
          1,
          {},
          {10.0, 8.0}};
}

}  // namespace attnlab
