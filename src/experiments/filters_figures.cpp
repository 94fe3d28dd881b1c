// The figures of `filters`: three matrices of weights, three outputs, and the weights on another input.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/colour_range.hpp"
#include "experiments/filters_parts.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

std::vector<double> values_of(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

Text signal_caption(const FiltersRun& run) {
  const FilterSettings& settings = run.settings;
  return {fmt::format("標本 {} 個、2 周期の正弦波 + {:g} × 標準正規乱数（種 {}）。", settings.samples,
                      settings.noise, settings.seed),
          fmt::format("{} samples: two periods of a sine + {:g} × standard normals, seed {}.",
                      settings.samples, settings.noise, settings.seed)};
}

Text moving_average_name(const FiltersRun& run) {
  return {fmt::format("移動平均（幅 {}）", run.settings.window),
          fmt::format("Moving average ({})", run.settings.window)};
}
Text ema_name(const FiltersRun& run) {
  return {fmt::format("EMA（α = {:g}）", run.settings.alpha),
          fmt::format("EMA (α = {:g})", run.settings.alpha)};
}
Text attention_name() {
  return {"アテンション", "Attention"};
}

/// One range for all matrices of a figure, ending where the first of them has its largest weight: a filter
/// gathers its weight on a few samples, and beside those attention's pattern would be too pale to see.
ColourScale common_scale(const std::vector<const Tensor<double>*>& matrices) {
  double high = 1.0;
  for (const Tensor<double>* weights : matrices) high = std::min(high, data_range(*weights).high);
  return {Palette::blues, 0.0, high, {"重み", "Weight"}};
}

HeatMap weights_map(const std::string& id, const Tensor<double>& weights, const ColourScale& scale) {
  return {id,   to_matrix(weights), {}, {}, {"出力の位置", "Output sample"}, {"入力の位置", "Input sample"},
          scale};
}

// --- The weights ------------------------------------------------------------------------------------------

Text weights_title(const FiltersRun& run) {
  const double far = 100.0 * far_weight(run, run.main.attention.weights);
  const std::size_t radius = run.settings.window / 2;
  if (far < 50.0) {
    return {"フィルタの重みは帯、アテンションの重みは信号しだい",
            "A filter is a band of weights; attention's follow the signal"};
  }
  return {fmt::format("移動平均が見るのは前後 {} 個だけ、アテンションの重みは {:.0f}% がその外にある", radius,
                      far),
          fmt::format("The average reads ±{}; attention puts {:.0f}% of its weight beyond", radius, far)};
}

Figure weights_figure(const FiltersRun& run) {
  const Text caption = signal_caption(run);
  const ColourScale scale =
      common_scale({&run.moving_average_weights, &run.ema_weights, &run.main.attention.weights});
  return {
      "weights",
      weights_title(run),
      {"同じ信号に対する重みの行列 3 枚。移動平均は対角線に沿った一定の帯、EMA "
       "は対角線から左へ指数的に減る帯、"
       "アテンションは信号の山どうし、谷どうしを結ぶ市松模様で、対角線から離れた所にも重みがある。",
       "Three matrices of weights for one signal. Moving average: an even band along the diagonal. EMA: a "
       "band that fades to the left. Attention: a chequered pattern that joins crests with crests and "
       "troughs with troughs, also far from the diagonal."},
      caption,
      {{moving_average_name(run), weights_map("moving_average_weights", run.moving_average_weights, scale)},
       {ema_name(run), weights_map("ema_weights", run.ema_weights, scale)},
       {attention_name(), weights_map("attention_weights", run.main.attention.weights, scale)}},
      0,
      scale,
      {16.0, 7.2},
      true};
}

// --- The outputs ------------------------------------------------------------------------------------------

Chart outputs_chart(const FiltersRun& run) {
  std::vector<double> time;
  for (std::size_t t = 0; t < run.settings.samples; ++t) time.push_back(static_cast<double>(t));
  const auto curve = [&](const char* id, const Tensor<double>& values, Ink ink, Text name, bool dashed) {
    return Curve{id, time, values_of(values), ink, std::move(name), dashed};
  };
  return {{{"標本", "Sample"}, Axis::Scale::linear, {}, {}},
          {{"値", "Value"}, Axis::Scale::linear, {}, {}},
          {Points{"signal", time, values_of(run.main.signal), muted_ink, {"信号", "signal"}},
           curve("clean", run.main.clean, muted_ink, {"雑音のない正弦波", "sine without noise"}, true),
           curve("moving_average_output", run.moving_average_output, series_ink(0), moving_average_name(run),
                 false),
           curve("ema_output", run.ema_output, series_ink(1), ema_name(run), false),
           curve("attention_output", run.attention_output, series_ink(2), attention_name(), false)}};
}

/// The outputs, from the nearest to the sine to the farthest.
Text outputs_title(const FiltersRun& run) {
  std::vector<std::pair<double, Text>> distances{
      {distance_from_clean(run, run.moving_average_output), {"移動平均", "moving average"}},
      {distance_from_clean(run, run.ema_output), Text::same("EMA")},
      {distance_from_clean(run, run.attention_output), {"アテンション", "attention"}}};
  std::stable_sort(distances.begin(), distances.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::string ja;
  std::string en;
  for (const auto& [distance, name] : distances) {
    ja += fmt::format("{}{} {:.2f}", ja.empty() ? "正弦波に近い順に、" : "、", name.ja(), distance);
    en += fmt::format("{}{} {:.2f}", en.empty() ? "Closest to the sine: " : ", ", name.en(), distance);
  }
  return {ja, en};
}

Figure outputs_figure(const FiltersRun& run) {
  return {
      "outputs",
      outputs_title(run),
      {"雑音を含む信号の点に、3 つの出力の曲線を重ねた図。移動平均とアテンションは正弦波に沿い、過去だけを"
       "見る EMA は遅れる。",
       "The noisy signal as points with three outputs as curves over it. Moving average and attention "
       "follow the sine; the EMA, which reads only the past, comes late."},
      {signal_caption(run).ja() + "数値は距離（二乗平均平方根）。",
       signal_caption(run).en() + " Numbers: distance, root mean square."},
      {{Text::same(""), outputs_chart(run)}},
      1,
      {},
      {10.0, 6.25}};
}

// --- Another input ----------------------------------------------------------------------------------------

Figure inputs_figure(const FiltersRun& run) {
  const auto title = [](const Text& name, std::size_t periods) {
    return Text{fmt::format("{}、{} 周期", name.ja(), periods),
                fmt::format("{}, {} periods", name.en(), periods)};
  };
  const Text caption = signal_caption(run);
  const ColourScale scale = common_scale(
      {&run.main.ema_found, &run.other.ema_found, &run.main.attention.weights, &run.other.attention.weights});
  return {
      "inputs",
      {"信号を替えても EMA の重みは同じ、アテンションの重みは変わる",
       "Another signal: the EMA's weights stay, attention's change"},
      {"重みの行列 4 枚。上は 2 周期、下は 3 周期の正弦波。EMA の 2 枚は同じ帯。アテンションの 2 枚は、信号の"
       "山の数に応じて模様が違う。",
       "Four matrices of weights: above for two periods of the sine, below for three. The EMA's two are "
       "the same band; attention's two have different patterns, one patch for every pair of crests."},
      {caption.ja() + "3 周期でも雑音は同じ。EMA の重みは漸化式の応答から測定。",
       caption.en() + " Three periods have the same noise. EMA weights measured from the recursion."},
      {{title(Text::same("EMA"), run.main.periods), weights_map("ema_weights", run.main.ema_found, scale)},
       {title(attention_name(), run.main.periods),
        weights_map("attention_weights", run.main.attention.weights, scale)},
       {title(Text::same("EMA"), run.other.periods),
        weights_map("other_ema_weights", run.other.ema_found, scale)},
       {title(attention_name(), run.other.periods),
        weights_map("other_attention_weights", run.other.attention.weights, scale)}},
      2,
      scale,
      {12.0, 10.0},
      true};
}

}  // namespace

std::vector<Figure> filters_figures(const FiltersRun& run) {
  return {weights_figure(run), outputs_figure(run), inputs_figure(run)};
}

}  // namespace attnlab
