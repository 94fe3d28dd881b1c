// The figures of `variance`: standard deviations with √d, and how softmax saturates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/tensor_measures.hpp"
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

const Text nothing = Text::same("");
constexpr Ink raw_ink = series_ink(1);
constexpr Ink scaled_ink = series_ink(0);

std::vector<double> plain(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

Axis dim_axis() {
  return {{"次元 d", "Dimension d"}, Axis::Scale::log10, std::nullopt, {}};
}

/// A curve with its points, its name in the legend and its value at the last point.
void add_series(std::vector<Layer>& layers, const VarianceRun& run, const std::string& id,
                const Tensor<double>& y, Ink ink, const Text& name) {
  const std::size_t last = run.dims.size() - 1;
  layers.emplace_back(Curve{id + ".curve", plain(run.dims), plain(y), ink, name, false});
  layers.emplace_back(Points{id, plain(run.dims), plain(y), ink, nothing});
  layers.emplace_back(Callout{id + ".last", run.dims(last), y(last), Text::same(three_digits(y(last)))});
}

Panel measured_panel(const VarianceRun& run, const std::string& id, Text title, Text axis, double most,
                     const Measured& raw, const Measured& divided) {
  std::vector<Layer> layers;
  add_series(layers, run, id + "_raw", raw.mean, raw_ink, {"割らない", "unscaled"});
  add_series(layers, run, id + "_scaled", divided.mean, scaled_ink, {"√d で割る", "scaled"});
  return {
      std::move(title),
      Chart{dim_axis(), {std::move(axis), Axis::Scale::linear, Interval{0.0, most}, {}}, std::move(layers)}};
}

Text seed_text(const VarianceRun& run, std::uint32_t seed) {
  return {fmt::format("乱数の種 {}{}", seed, run.torch ? "（PyTorch）" : ""),
          fmt::format("Seed {}{}", seed, run.torch ? " (PyTorch)" : "")};
}

}  // namespace

std::string three_digits(double value) {
  return fmt::format("{:.3g}", value);
}

Figure spread_figure(const VarianceRun& run) {
  const std::size_t last = run.dims.size() - 1;
  const std::string d = fmt::format("{:g}", run.dims(last));
  const std::string spread = three_digits(run.std_raw(last));
  const std::string divided = three_digits(run.std_scaled(last));
  std::vector<double> roots;
  for (const double dim : run.dims) roots.push_back(std::sqrt(dim));
  std::vector<Layer> layers{Curve{"root", plain(run.dims), std::move(roots), muted_ink, nothing, true},
                            Rule{"one", Rule::Direction::horizontal, 1.0, nothing, muted_ink}};
  add_series(layers, run, "std_raw", run.std_raw, raw_ink, Text::same("q·k"));
  add_series(layers, run, "std_scaled", run.std_scaled, scaled_ink, Text::same("q·k/√d"));
  return {
      "spread",
      {fmt::format("内積の標準偏差はほぼ √d：d = {} で {}、√d で割ると {}", d, spread, divided),
       fmt::format("Dot products spread like √d: {} at d = {}, over √d {}", spread, d, divided)},
      {fmt::format("両対数グラフ。横軸は次元 d、縦軸は標準偏差。q·k の点は √d の破線に沿って上がり d = {} で"
                   " {}、√d で割った点は 1 の近くにとどまり {}。",
                   d, spread, divided),
       fmt::format("Logarithmic axes: standard deviation against the dimension d. The points of q·k rise "
                   "along the dashed line √d to {} at d = {}; those of q·k/√d stay near 1, {}.",
                   spread, d, divided)},
      {fmt::format("{}、d ごとに {} 組の q と k（標準正規分布）。破線は √d と 1。",
                   seed_text(run, run.seed).ja(), run.pairs),
       fmt::format("{}, {} pairs of standard normal q and k for every d. Dashed: √d and 1.",
                   seed_text(run, run.seed).en(), run.pairs)},
      {{nothing, Chart{dim_axis(),
                       {{"標準偏差", "Standard deviation"}, Axis::Scale::log10, std::nullopt, {}},
                       std::move(layers)}}},
      1,
      std::nullopt,
      {}};
}

Text saturation_title(const std::string& d, const Measured& raw, const Measured& scaled, std::size_t last) {
  const std::string lost = three_digits(raw.mean(last));
  const std::string kept = three_digits(scaled.mean(last));
  if (raw.mean(last) > 0.5 * scaled.mean(last)) {
    return {fmt::format("d = {} で勾配は {}、√d で割れば {}", d, lost, kept),
            fmt::format("At d = {} the gradient is {}; over √d, {}", d, lost, kept)};
  }
  return {fmt::format("√d で割らないと、勾配は {} まで小さくなる（割れば {}）", lost, kept),
          fmt::format("Without scaling the gradient fades to {} (scaled: {})", lost, kept)};
}

Figure saturation_figure(const VarianceRun& run) {
  const std::size_t last = run.dims.size() - 1;
  const std::string d = fmt::format("{:g}", run.dims(last));
  const std::string lost = three_digits(run.raw.gradient.mean(last));
  const std::string kept = three_digits(run.scaled.gradient.mean(last));
  const double even = std::log(static_cast<double>(run.keys));
  const double gradient =
      std::max(largest_magnitude(run.raw.gradient.mean), largest_magnitude(run.scaled.gradient.mean));
  return {
      "saturation",
      saturation_title(d, run.raw.gradient, run.scaled.gradient, last),
      {fmt::format(
           "次元 d に対する折れ線が 3 枚。softmax の勾配、最大の注意度、エントロピー。d = {} では、割ら"
           "ないと勾配 {}、最大の注意度 {:.2f}、割ると {} と {:.2f}。",
           d, lost, run.raw.largest.mean(last), kept, run.scaled.largest.mean(last)),
       fmt::format("Three curves against the dimension d: gradient of softmax, largest weight, entropy. At "
                   "d = {}, unscaled: gradient {}, largest weight {:.2f}; scaled: {} and {:.2f}.",
                   d, lost, run.raw.largest.mean(last), kept, run.scaled.largest.mean(last))},
      {fmt::format("{}、クエリ {} 個の平均、キー {} 個。勾配は ‖diag(p) − ppᵀ‖。",
                   seed_text(run, run.saturation_seed).ja(), run.queries, run.keys),
       fmt::format("{}, means of {} queries, {} keys. Gradient: ‖diag(p) − ppᵀ‖.",
                   seed_text(run, run.saturation_seed).en(), run.queries, run.keys)},
      {measured_panel(run, "gradient", {"softmax の勾配", "Gradient of softmax"}, {"勾配", "Gradient"},
                      1.25 * gradient, run.raw.gradient, run.scaled.gradient),
       measured_panel(run, "largest", {"最大の注意度", "Largest weight"}, {"注意度", "Weight"}, 1.1,
                      run.raw.largest, run.scaled.largest),
       measured_panel(run, "entropy", {"エントロピー", "Entropy"}, {"エントロピー（nat）", "Entropy (nats)"},
                      1.1 * even, run.raw.entropy, run.scaled.entropy)},
      0,
      std::nullopt,
      {14.0, 5.5}};
}

}  // namespace attnlab
