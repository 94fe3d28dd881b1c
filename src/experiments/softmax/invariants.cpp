// What must hold of every run of `softmax`.
#include "experiments/softmax/softmax.hpp"

namespace attnlab {
namespace {

/// How many are not finite, or beyond 0 to 1.
template <class T>
double not_weights(const Tensor<T>& values) {
  return static_cast<double>(
      std::count_if(values.begin(), values.end(), [](T value) { return !(value >= 0 && value <= 1); }));
}

}  // namespace

std::vector<Invariant> invariants(const SoftmaxRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  // Each weight and each addition is rounded once.
  const double rounding = epsilon * static_cast<double>(run.scores.size() + 2);
  // A sum score + constant is rounded to epsilon times its size, which exp turns into a relative error.
  const double shift_rounding = 4.0 * epsilon * (4.0 + largest_magnitude(run.scores) + run.constant);
  const double lost = not_weights(run.sweep_float32.stable) + not_weights(run.sweep_float64.stable) +
                      not_weights(run.overflow.float32.stable) + not_weights(run.overflow.float64.stable);
  const double row_difference =
      worst(std::abs(run.row_max(0, 0) - run.row_max(1, 0)), std::abs(run.row_max(0, 1) - run.row_max(1, 1)));
  const double silent = sum_of(run.silent_float32.naive) + sum_of(run.silent_float64.naive);
  return {
      invariant("weights_sum_to_one", row_sum_error(run.weights), rounding, "注意度の和は 1",
                "the weights sum to 1"),
      invariant("order_kept", disorder(run.scores, run.weights), epsilon, "注意度の大小はスコアの大小と同じ",
                "the weights have the order of the scores"),
      invariant("unchanged_by_a_constant", run.shift_difference, shift_rounding,
                "すべてのスコアに同じ数を足しても注意度は変わらない",
                "adding a constant to every score changes no weight"),
      invariant("stable_form_is_finite", lost, 0.0, "最大値を引けば、有限のスコアの注意度はすべて有限",
                "with the maximum subtracted finite scores have finite weights"),
      invariant("sum_overflows_to_zero_weights", silent, 0.0,
                "exp が有限でも和が inf なら注意度はすべて 0（NaN ではない）",
                "finite exponentials with an infinite sum give weights of 0, not NaN"),
      invariant("rows_apart_have_equal_weights", row_difference, epsilon,
                "定数だけ違う 2 行は、行ごとの最大値なら同じ注意度",
                "two rows a constant apart have the same weights"),
      // sums of terms p ln p, each rounded
      invariant("entropy_rises_with_temperature", disorder(run.temperature, run.entropy), 8.0 * rounding,
                "温度が上がるとエントロピーは減らない", "the entropy never falls as the temperature rises"),
  };
}

}  // namespace attnlab
