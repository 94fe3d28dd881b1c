// The figures of `variance`: standard deviations with √d, and how softmax saturates.
#include "experiments/variance/variance.hpp"

#include "core/constants.hpp"

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

/// The dimensions whose products are drawn: from 4 on, as those of fewer numbers are spikes.
std::vector<std::size_t> shown_dims(const VarianceRun& run) {
  constexpr std::size_t most_shown = 3;
  constexpr double least = 4.0;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < run.dims.size() && shown.size() < most_shown; ++i)
    if (run.dims(i) >= least) shown.push_back(i);
  if (shown.empty()) shown.push_back(run.dims.size() - 1);
  return shown;
}

/// The density of products at `place`: the mean of normal densities around each, as wide as Silverman's rule
/// says (1986, eq. 3.28).
double density_at(const VarianceRun& run, std::size_t which, double place) {
  const auto pairs = static_cast<double>(run.pairs);
  const double width = 1.06 * run.std_raw(which) * std::pow(pairs, -0.2);
  double sum = 0.0;
  for (std::size_t pair = 0; pair < run.pairs; ++pair) {
    const double away = (place - run.products(which, pair)) / width;
    sum += std::exp(-0.5 * away * away);
  }
  return sum / (pairs * width * std::sqrt(2.0 * pi));
}

/// How the products of a few dimensions spread, on one axis.
Chart densities(const VarianceRun& run) {
  constexpr int places = 60;  // on either side
  constexpr double deviations = 2.6;
  const std::vector<std::size_t> shown = shown_dims(run);
  const double widest = run.std_raw(shown.back());
  const double reach = deviations * (widest > 0.0 ? widest : 1.0);
  Chart chart{Axis{Text::same("q·k")}.within(-reach, reach), Axis{{"密度", "Density"}}};
  double highest = 0.0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Curve curve{fmt::format("density[{}]", shown[i]),
                {},
                {},
                series_ink(i),
                text("d = {:g}", "d = {:g}", run.dims(shown[i]))};
    for (int place = -places; place <= places; ++place) {
      curve.x.push_back(reach * place / places);
      curve.y.push_back(density_at(run, shown[i], curve.x.back()));
      if (std::isfinite(curve.y.back())) highest = std::max(highest, curve.y.back());
    }
    chart.layers.emplace_back(std::move(curve));
  }
  chart.y.limits = Interval{0.0, highest > 0.0 ? 1.15 * highest : 1.0};
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
                "左は次元ごとの q·k の分布の曲線で、次元が高いほど広い。右は両対数グラフ。横軸は次元 d、縦軸は標準偏差。q·k の点は √d の破線に沿って上がり d = {0:g} で {1:.3g}、√d で割った点は 1 の近くにとどまり {2:.3g}。",
                "Left, densities of q·k, the wider the higher the dimension. Right, logarithmic axes: standard deviation against the dimension d. The points of q·k rise along the dashed line √d to {1:.3g} at d = {0:g}; those of q·k/√d stay near 1, {2:.3g}.",
                d, spread, divided)
          : text(
                "左は次元 {:g} での q·k の分布の曲線。右は q·k の標準偏差 {:.3g} と、√d で割ったときの {:.3g} の点。",
                "Left, the density of q·k in dimension {:g}. Right, its standard deviation {:.3g} and, divided by √d, {:.3g} as points.",
                d, spread, divided);
  return Figure{"spread", title}
      .described(description)
      .captioned(text("{}、d ごとに {} 組の q と k（標準正規分布）。破線は √d と 1。",
                      "{}, {} pairs of standard normal q and k for every d. Dashed: √d and 1.",
                      seed_text(run.seed, run.rng), run.pairs))
      .panel({"q·k の分布", "Density of q·k"}, densities(run))
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
