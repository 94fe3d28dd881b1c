// The figures of `variance`: standard deviations with √d, and how softmax saturates.
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

constexpr Ink raw_ink = series_ink(1);
constexpr Ink scaled_ink = series_ink(0);

Axis dim_axis() { return {{"次元 d", "Dimension d"}, Axis::Scale::log10}; }

/// A curve with its points, its name in the legend and its value at the last point.
void add_series(std::vector<Layer>& layers, const VarianceRun& run, const std::string& id,
                const Tensor<double>& y, Ink ink, const Text& name) {
  layers.emplace_back(Curve{id + ".curve", values_of(run.dims), values_of(y), ink, name});
  layers.emplace_back(Points{id, values_of(run.dims), values_of(y), ink});
  layers.emplace_back(
      Callout{id + ".last", run.dims.back(), y.back(), Text::same(fmt::format("{:.3g}", y.back()))});
}

Chart saturation_chart(const VarianceRun& run, const std::string& id, Axis axis, const Measured& raw,
                       const Measured& scaled) {
  Chart chart{dim_axis(), std::move(axis)};
  add_series(chart.layers, run, id + "_raw", raw.mean, raw_ink, {"割らない", "unscaled"});
  add_series(chart.layers, run, id + "_scaled", scaled.mean, scaled_ink, {"√d で割る", "scaled"});
  return chart;
}

Text saturation_title(double d, double lost, double kept) {
  if (lost > 0.5 * kept) {
    return text("d = {:g} で勾配は {:.3g}、√d で割れば {:.3g}",
                "At d = {:g} the gradient is {:.3g}; divided by √d, {:.3g}", d, lost, kept);
  }
  return text("√d で割らないと、勾配は {:.3g} まで小さくなる（割れば {:.3g}）",
              "Unscaled, the gradient shrinks to {:.3g}; scaled, {:.3g}", lost, kept);
}

/// How the products of a few dimensions spread: the outlines of their histograms over one axis, each as high
/// as its highest bin.
Chart histograms(const VarianceRun& run) {
  constexpr std::size_t most_shown = 3;
  constexpr std::size_t bins = 40;
  constexpr double deviations = 3.2;  // on either side
  const std::size_t count = run.dims.size();
  const std::size_t shown = std::min(count, most_shown);
  const double widest = *std::max_element(run.std_raw.begin(), run.std_raw.end());
  const double reach = deviations * (widest > 0.0 ? widest : 1.0);
  const double step = 2.0 * reach / static_cast<double>(bins);
  Chart chart{Axis{Text::same("q·k")}.within(-reach, reach),
              Axis{{"組の数（最大を 1 とする）", "Pairs (most in a bin: 1)"}}.within(0.0, 1.2)};
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t which = shown == 1 ? 0 : i * (count - 1) / (shown - 1);
    std::vector<double> pairs(bins, 0.0);
    for (std::size_t pair = 0; pair < run.pairs; ++pair) {
      const double place = std::floor((run.products(which, pair) + reach) / step);
      if (place >= 0.0 && place < static_cast<double>(bins)) pairs[static_cast<std::size_t>(place)] += 1.0;
    }
    const double most = std::max(1.0, *std::max_element(pairs.begin(), pairs.end()));
    Curve outline{fmt::format("histogram[{}]", which),
                  {},
                  {},
                  series_ink(i),
                  text("d = {:g}", "d = {:g}", run.dims(which))};
    for (std::size_t bin = 0; bin < bins; ++bin) {
      for (const std::size_t edge : {bin, bin + 1}) {
        outline.x.push_back(-reach + step * static_cast<double>(edge));
        outline.y.push_back(pairs[bin] / most);
      }
    }
    chart.layers.emplace_back(std::move(outline));
  }
  return chart;
}

Figure spread_figure(const VarianceRun& run) {
  const double d = run.dims.back();
  const double spread = run.std_raw.back();
  const double divided = run.std_scaled.back();
  Chart chart{dim_axis(), {{"標準偏差", "Standard deviation"}, Axis::Scale::log10}};
  chart.layers = {
      Curve{"root", values_of(run.dims), values_of(xt::sqrt(run.dims)), muted_ink, Text::none(), true},
      Rule{"one", Rule::Direction::horizontal, 1.0}};
  add_series(chart.layers, run, "std_raw", run.std_raw, raw_ink, Text::same("q·k"));
  add_series(chart.layers, run, "std_scaled", run.std_scaled, scaled_ink, Text::same("q·k/√d"));
  const Text title =
      run.dims.size() > 1
          ? text("内積の標準偏差はほぼ √d：d = {0:g} で {1:.3g}、√d で割ると {2:.3g}",
                 "Dot products spread like √d: {1:.3g} at d = {0:g}, scaled {2:.3g}", d, spread, divided)
          : text("d = {:g} で内積の標準偏差は {:.3g}、√d で割ると {:.3g}",
                 "At d = {:g} dot products spread by {:.3g}, divided by √d by {:.3g}", d, spread, divided);
  const Text description =
      run.dims.size() > 1
          ? text(
                "左は次元ごとの q·k のヒストグラムで、次元が高いほど広い。右は両対数グラフ。横軸は次元 d、縦軸は標準偏差。q·k の点は √d の破線に沿って上がり d = {0:g} で {1:.3g}、√d で割った点は 1 の近くにとどまり {2:.3g}。",
                "Left, histograms of q·k, the wider the higher the dimension. Right, logarithmic axes: standard deviation against the dimension d. The points of q·k rise along the dashed line √d to {1:.3g} at d = {0:g}; those of q·k/√d stay near 1, {2:.3g}.",
                d, spread, divided)
          : text(
                "左は次元 {:g} での q·k のヒストグラム。右は q·k の標準偏差 {:.3g} と、√d で割ったときの {:.3g} の点。",
                "Left, a histogram of q·k in dimension {:g}. Right, its standard deviation {:.3g} and, divided by √d, {:.3g} as points.",
                d, spread, divided);
  return Figure{"spread", title}
      .described(description)
      .captioned(text("{}、d ごとに {} 組の q と k（標準正規分布）。破線は √d と 1。",
                      "{}, {} pairs of standard normal q and k for every d. Dashed: √d and 1.",
                      seed_text(run.seed, run.rng), run.pairs))
      .panel({"q·k のヒストグラム", "Histograms of q·k"}, histograms(run))
      .panel({"次元と標準偏差", "Their standard deviation"}, std::move(chart))
      .on_page(14.0, 6.5);
}

Figure saturation_figure(const VarianceRun& run) {
  const Saturation& raw = run.raw;
  const Saturation& scaled = run.scaled;
  const double d = run.dims.back();
  const double lost = raw.gradient.mean.back();
  const double kept = scaled.gradient.mean.back();
  const double even = std::log(static_cast<double>(run.keys));
  const double gradient =
      std::max(largest_magnitude(raw.gradient.mean), largest_magnitude(scaled.gradient.mean));
  return Figure{"saturation", saturation_title(d, lost, kept)}
      .described(text(
          "次元 d に対する折れ線が 3 枚。softmax の勾配、最大の注意度、エントロピー。d = {:g} では、割らないと勾配 {:.3g}、最大の注意度 {:.2f}、割ると {:.3g} と {:.2f}。",
          "Three curves against the dimension d: gradient of softmax, largest weight, entropy. At d = {:g}, unscaled: gradient {:.3g}, largest weight {:.2f}; scaled: {:.3g} and {:.2f}.",
          d, lost, raw.largest.mean.back(), kept, scaled.largest.mean.back()))
      .captioned(text("{}、クエリ {} 個の平均、キー {} 個。勾配は ‖diag(p) − ppᵀ‖。",
                      "{}, means of {} queries, {} keys. Gradient: ‖diag(p) − ppᵀ‖.",
                      seed_text(run.saturation_seed, run.rng), run.queries, run.keys))
      .panel({"softmax の勾配", "Gradient of softmax"},
             saturation_chart(run, "gradient", Axis{{"勾配", "Gradient"}}.within(0.0, 1.25 * gradient),
                              raw.gradient, scaled.gradient))
      .panel({"最大の注意度", "Largest weight"},
             saturation_chart(run, "largest", Axis{{"注意度", "Weight"}}.within(0.0, 1.1), raw.largest,
                              scaled.largest))
      .panel({"エントロピー", "Entropy"},
             saturation_chart(run, "entropy",
                              Axis{{"エントロピー（nat）", "Entropy (nats)"}}.within(0.0, 1.1 * even),
                              raw.entropy, scaled.entropy))
      .on_page(14.0, 5.5);
}

}  // namespace

std::vector<Figure> figures(const VarianceRun& run) { return {spread_figure(run), saturation_figure(run)}; }

}  // namespace attnlab
