// Fixed filters beside attention: a band of weights decided beforehand, and weights computed from the input.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/filters_parts.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      {"samples", IntegerKind{{8, 256}}, "64", {"信号の標本の個数", "how many samples the signal has"}},
      {"window",
       IntegerKind{{1, 63}},
       "5",
       {"移動平均の窓の幅（奇数）。アテンションのクエリとキーの次元でもあります",
        "width of the moving average, odd; also the width of attention's queries and keys"}},
      {"alpha", NumberKind{{0.001, 1.0}}, "0.3", {"EMA の平滑化係数 α", "smoothing factor alpha of the EMA"}},
      {"noise", NumberKind{{0.0, 10.0}}, "0.3", {"雑音の標準偏差", "standard deviation of the noise"}},
      scale_parameter("default"),
      rng_parameter(),
      seed_parameter("0"),
  };
}

void require_odd(std::size_t window) {
  if (window % 2 == 1) return;
  throw Error(ErrorKind::usage,
              {fmt::format("--window {} は偶数なので、中央の標本がありません", window),
               fmt::format("--window {} is even, so it has no sample in its middle", window)},
              {fmt::format("奇数にしてください。例: --window {}", window + 1),
               fmt::format("choose an odd number, for example --window {}", window + 1)});
}

FilterSettings settings_of(const Arguments& arguments) {
  FilterSettings settings;
  settings.samples = arguments.count("samples");
  settings.window = arguments.count("window");
  settings.alpha = arguments.number("alpha");
  settings.noise = arguments.number("noise");
  settings.scale_text = arguments.text("scale");
  require_odd(settings.window);
  const double usual = 1.0 / std::sqrt(static_cast<double>(settings.window));
  settings.scale = parse_scale(settings.scale_text).value_or(usual);
  settings.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  return settings;
}

std::vector<Scalar> scalars(const FiltersRun& run) {
  return {
      {"far_weight_moving_average", far_weight(run, run.moving_average_weights)},
      {"far_weight_ema", far_weight(run, run.ema_weights)},
      {"far_weight_attention", far_weight(run, run.main.attention.weights)},
      {"distance_signal", distance_from_clean(run, run.main.signal)},
      {"distance_moving_average", distance_from_clean(run, run.moving_average_output)},
      {"distance_ema", distance_from_clean(run, run.ema_output)},
      {"distance_attention", distance_from_clean(run, run.attention_output)},
      {"largest_change_attention",
       largest_difference(run.main.attention.weights, run.other.attention.weights)},
  };
}

Report run_filters(const Arguments& arguments, const Context&) {
  const FilterSettings settings = settings_of(arguments);
  const Tensor<double> noise = random_stream(arguments).randn({settings.samples});
  const FiltersRun run = compute_filters(settings, noise);
  Report report;
  report.stages = filters_trace(run);
  report.scalars = scalars(run);
  report.invariants = filters_invariants(run);
  report.body = filters_body(run);
  report.figures = filters_figures(run);
  return report;
}

}  // namespace

Experiment filters_experiment() {
  return {
      "filters",
      {"固定フィルタの重みと、入力で決まる注意度", "fixed filters against weights that follow the input"},
      {"記事 固定重みフィルタと Self-Attention の表", "article, table of fixed filter and self-attention"},
      parameters(),
      run_filters};
}

}  // namespace attnlab
