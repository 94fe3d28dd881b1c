// The figures of `filters`: three matrices of weights, three outputs, and the weights on another input.
#include "experiments/filters/filters.hpp"

namespace attnlab {
namespace {

/// Whether attention joins samples of one sign twice as strongly as samples of opposite signs, and the
/// pattern changes with the signal so that two digits show it.
bool is_chequered(const FiltersRun& run) {
  if (run.tape.any_read() || run.attention.change < 0.005) return false;
  double of_same_sign = 0.0;
  double opposite = 0.0;
  const std::size_t samples = run.settings.samples;
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j < samples; ++j)
      (run.main.clean(i) * run.main.clean(j) > 0.0 ? of_same_sign : opposite) += run.attention.weights(i, j);
  }
  return of_same_sign > 2.0 * opposite;
}

/// Whether two outputs come within half the sine's effective value and the EMA, later, stays behind.
bool follows_the_sine(const FiltersRun& run) {
  const double near = 0.5 * std::sqrt(0.5);
  return !run.tape.any_read() && std::max(run.moving_average.distance, run.attention.distance) < near &&
         run.ema.distance > std::max(run.moving_average.distance, run.attention.distance);
}

Text signal_caption(const FiltersRun& run) {
  const FilterSettings& settings = run.settings;
  if (run.tape.any_read()) {
    return text("サンプル {} 個、2 周期の正弦波 + {:g} × 雑音（{}）。",
                "{} samples: two periods of a sine + {:g} × noise, {}.", settings.samples, settings.noise,
                run.tape.described());
  }
  return text("サンプル {} 個、2 周期の正弦波 + {:g} × 標準正規乱数（種 {}）。",
              "{} samples: two periods of a sine + {:g} × standard normals, seed {}.", settings.samples,
              settings.noise, run.tape.seed());
}

Text moving_average_name(const FiltersRun& run) {
  return text("移動平均（幅 {}）", "Moving average ({})", run.settings.window);
}
Text ema_name(const FiltersRun& run) { return text("EMA（α = {:g}）", "EMA (α = {:g})", run.settings.alpha); }
Text attention_name() { return {"アテンション", "Attention"}; }

/// One range for all matrices of a figure, ending where the first of them has its largest weight: a filter
/// gathers its weight on a few samples, and beside those attention's pattern would be too pale to see.
ColourScale common_scale(const std::vector<const Tensor<double>*>& matrices) {
  double high = 1.0;
  for (const Tensor<double>* weights : matrices) high = std::min(high, data_range(*weights).high);
  return {Palette::blues, 0.0, high, {"重み", "Weight"}};
}

HeatMap weights_map(const std::string& id, const Tensor<double>& weights, const ColourScale& scale) {
  return HeatMap{id, to_matrix(weights)}
      .rows({"出力の位置", "Output sample"})
      .columns({"入力の位置", "Input sample"})
      .coloured(scale);
}

// --- The weights ------------------------------------------------------------------------------------------

Text weights_title(const FiltersRun& run) {
  const double far = 100.0 * run.attention.far_weight;
  if (far < 50.0) {
    return {"フィルタの重みは帯、アテンションの重みは信号しだい",
            "A filter's weights form a band; attention's follow the signal"};
  }
  return text("移動平均の窓は前後 {} 個だけ、アテンションの重みは {:.0f}% がその外",
              "Moving average: ±{} samples; {:.0f}% of attention lies beyond", run.settings.radius, far);
}

Figure weights_figure(const FiltersRun& run) {
  const ColourScale scale =
      common_scale({&run.moving_average.weights, &run.ema.weights, &run.attention.weights});
  return Figure{"weights", weights_title(run)}
      .described(
          !is_chequered(run)
              ? Text{"同じ信号に対する重みの行列 3 枚。移動平均は対角線に沿った一定の帯、EMA は対角線から左へ指数的に減る帯、アテンションの模様は信号で決まる。",
                     "Three matrices of weights for one signal. Moving average: an even band along the diagonal. EMA: a band that fades to the left. Attention: a pattern that follows the signal."}
              : Text{"同じ信号に対する重みの行列 3 枚。移動平均は対角線に沿った一定の帯、EMA は対角線から左へ指数的に減る帯、アテンションは信号の山どうし、谷どうしを結ぶ市松模様で、対角線から離れた所にも重みがある。",
                     "Three matrices of weights for one signal. Moving average: an even band along the diagonal. EMA: a band that fades to the left. Attention: a chequered pattern that joins crests with crests and troughs with troughs, also far from the diagonal."})
      .captioned(signal_caption(run))
      .panel(moving_average_name(run),
             weights_map("moving_average_weights", run.moving_average.weights, scale))
      .panel(ema_name(run), weights_map("ema_weights", run.ema.weights, scale))
      .panel(attention_name(), weights_map("attention_weights", run.attention.weights, scale))
      .sharing_scale(scale)
      .sharing_axes()
      .on_page(16.0, 7.2);
}

// --- The outputs ------------------------------------------------------------------------------------------

Chart outputs_chart(const FiltersRun& run) {
  const std::vector<double> time = counting(run.settings.samples);
  return {
      Axis{{"サンプル", "Sample"}},
      Axis{{"値", "Value"}},
      {Points{"signal", time, values_of(run.main.signal), muted_ink, {"信号", "signal"}},
       Curve{"clean",
             time,
             values_of(run.main.clean),
             muted_ink,
             {"雑音のない正弦波", "sine without noise"},
             true},
       Curve{"moving_average_output", time, values_of(run.moving_average.output), series_ink(0),
             moving_average_name(run)},
       Curve{"ema_output", time, values_of(run.ema.output), series_ink(1), ema_name(run)},
       Curve{"attention_output", time, values_of(run.attention.output), series_ink(2), attention_name()}}};
}

/// The outputs, from the nearest to the sine to the farthest.
Text outputs_title(const FiltersRun& run) {
  struct Output {
    double distance;
    Text name;
  };
  std::vector<Output> outputs{{run.moving_average.distance, {"移動平均", "moving average"}},
                              {run.ema.distance, Text::same("EMA")},
                              {run.attention.distance, {"アテンション", "attention"}}};
  std::stable_sort(outputs.begin(), outputs.end(),
                   [](const Output& one, const Output& other) { return one.distance < other.distance; });
  return text("正弦波に近い順に、{} {:.2f}、{} {:.2f}、{} {:.2f}", "Error: {} {:.2f}, {} {:.2f}, {} {:.2f}",
              outputs[0].name, outputs[0].distance, outputs[1].name, outputs[1].distance, outputs[2].name,
              outputs[2].distance);
}

Figure outputs_figure(const FiltersRun& run) {
  return Figure{"outputs", outputs_title(run)}
      .described(
          !follows_the_sine(run)
              ? Text{"雑音を含む信号の点に、3 つの出力の曲線を重ねた図。",
                     "The noisy signal as points with three outputs as curves over it."}
              : Text{"雑音を含む信号の点に、3 つの出力の曲線を重ねた図。移動平均とアテンションは正弦波に沿い、過去だけを使う EMA は遅れる。",
                     "The noisy signal as points with three outputs as curves over it. Moving average and attention follow the sine; the EMA, which uses only the past, lags behind."})
      .captioned(text("{}数値は距離（二乗平均平方根）。", "{} Numbers: distance, root mean square.",
                      signal_caption(run)))
      .panel(outputs_chart(run));
}

// --- Another input ----------------------------------------------------------------------------------------

Figure inputs_figure(const FiltersRun& run) {
  const ColourScale scale = common_scale(
      {&run.main.ema_found, &run.other.ema_found, &run.main.attention_weights, &run.other.attention_weights});
  const auto panel = [&](const Text& name, const char* id, const Tensor<double>& weights) {
    HeatMap map = weights_map(id, weights, scale);
    map.row_title = map.column_title = Text::none();  // the caption says it for all four
    return Panel{name, std::move(map)};
  };
  const Text ema = Text::same("EMA");
  const std::vector<double> time = counting(run.settings.samples);
  const double reach =
      1.05 * std::max(largest_magnitude(run.main.signal), largest_magnitude(run.other.signal));
  const auto signal = [&](const SignalRun& input, const char* id) {
    return Panel{text("信号 {} 周期", "{} periods", input.periods),
                 Chart{Axis{Text::none()},
                       Axis{Text::none()}.within(-reach, reach),
                       {Points{id, time, values_of(input.signal), muted_ink},
                        Curve{std::string(id) + ".clean", time, values_of(input.clean), series_ink(0)}}}};
  };
  return Figure{"inputs",
                !is_chequered(run)
                    ? text("信号を替えても EMA の重みは同じ、アテンションの重みの変化は最大 {:.2g}",
                           "On a new signal attention's weights change by up to {:.2g}, the EMA's do not",
                           run.attention.change)
                    : Text{"信号を替えると、アテンションの重みだけが変わる",
                           "A new signal changes attention's weights but not the EMA's"}}
      .described(
          !is_chequered(run)
              ? text(
                    "信号 2 つと、その重みの行列 4 枚。上は 2 周期、下は 3 周期の正弦波。EMA の 2 枚は同じ帯。アテンションの 2 枚の差は最大 {:.2g}。",
                    "Four matrices of weights: above for two periods of the sine, below for three. The EMA's two are the same band; attention's two differ by up to {:.2g}.",
                    run.attention.change)
              : Text{"重みの行列 4 枚。上は 2 周期、下は 3 周期の正弦波。EMA の 2 枚は同じ帯。アテンションの 2 枚は、信号の山の数に応じて模様が違う。",
                     "Four matrices of weights: above for two periods of the sine, below for three. The EMA's two are the same band; attention's two have different patterns, one patch for every pair of crests."})
      .captioned(text("{}3 周期でも雑音は同じ。行列の行は出力、列は入力の位置。",
                      "{} Three periods have the same noise. Matrix rows: output; columns: input.",
                      signal_caption(run)))
      .panel(signal(run.main, "signal"))
      .panel(panel(ema, "ema_weights", run.main.ema_found))
      .panel(panel(attention_name(), "attention_weights", run.main.attention_weights))
      .panel(signal(run.other, "other_signal"))
      .panel(panel(ema, "other_ema_weights", run.other.ema_found))
      .panel(panel(attention_name(), "other_attention_weights", run.other.attention_weights))
      .in_columns(3)
      .sharing_scale(scale)
      .on_page(15.0, 9.5);
}

}  // namespace

std::vector<Figure> figures(const FiltersRun& run) {
  return {weights_figure(run), outputs_figure(run), inputs_figure(run)};
}

}  // namespace attnlab
