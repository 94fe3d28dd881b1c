// What `filters` measures: how far the weights reach, whether they follow the input, and that matrix and loop
// agree.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "experiments/filters_parts.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// By how much `output` leaves the range of `signal`; 0 inside.
double excess(const Tensor<double>& output, const Tensor<double>& signal) {
  const auto [low, high] = std::minmax_element(signal.begin(), signal.end());
  double excess = 0.0;
  for (const double value : output) excess = worst(excess, std::max(*low - value, value - *high));
  return excess;
}

}  // namespace

double far_weight(const FiltersRun& run, const Tensor<double>& weights) {
  const std::size_t n = run.settings.samples;
  const std::size_t radius = run.settings.window / 2;
  double sum = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t s = 0; s < n; ++s) {
      if ((s > t ? s - t : t - s) > radius) sum += weights(t, s);
    }
  }
  return sum / static_cast<double>(n);
}

double distance_from_clean(const FiltersRun& run, const Tensor<double>& y) {
  double sum = 0.0;
  for (std::size_t t = 0; t < y.size(); ++t) {
    const double error = y(t) - run.main.clean(t);
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(y.size()));
}

std::vector<Invariant> filters_invariants(const FiltersRun& run) {
  // A few hundred roundings of weights up to 1; outputs and their differences have the signal's size.
  constexpr double rounding = 1e-12;
  const Tensor<double>& signal = run.main.signal;
  const double size = std::max({1.0, largest_magnitude(signal), largest_magnitude(run.other.signal)});
  const Tensor<double>& attention = run.main.attention.weights;
  const double sums = std::max({row_sum_error(run.moving_average_weights), row_sum_error(run.ema_weights),
                                row_sum_error(attention), row_sum_error(run.other.attention.weights)});
  const Tensor<double> sliding = moving_average(signal, run.settings.window);
  const Tensor<double> recursive = exponential_moving_average(signal, run.settings.alpha);
  double fixed = 0.0;
  for (const SignalRun* input : {&run.main, &run.other}) {
    fixed = std::max({fixed, largest_difference(input->moving_average_found, run.moving_average_weights),
                      largest_difference(input->ema_found, run.ema_weights)});
  }
  const double change = largest_difference(attention, run.other.attention.weights);
  const double outside = std::max({excess(run.moving_average_output, signal), excess(run.ema_output, signal),
                                   excess(run.attention_output, signal)});
  return {
      {"weights_sum_to_one",
       {"3 つの行列の各行の和は 1", "every row of the three matrices sums to 1"},
       sums,
       rounding},
      {"moving_average_is_sliding_mean",
       {"行列 × 信号 = 窓をずらしながら取った平均", "weights times signal = the sliding mean"},
       largest_difference(run.moving_average_output, sliding),
       rounding * size},
      {"ema_is_recursion",
       {"行列 × 信号 = 漸化式による EMA", "weights times signal = the recursive EMA"},
       largest_difference(run.ema_output, recursive),
       rounding * size},
      {"fixed_weights_ignore_input",
       {"入力を変えても、移動平均と EMA の重みは変わらない",
        "on another input the moving average and the EMA have the same weights"},
       fixed,
       rounding * size},
      {"attention_follows_input",
       {"入力を変えると、アテンションの重みは変わる", "on another input attention has other weights"},
       std::max(0.0, rounding - change),
       0.0},
      {"outputs_inside_signal_range",
       {"出力は信号の最小値と最大値の間にある",
        "outputs lie between the signal's smallest and largest value"},
       outside,
       rounding * size},
  };
}

}  // namespace attnlab
