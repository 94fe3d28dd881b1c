// The trace of `softmax`, written out with this run's numbers, and what must hold of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/softmax/softmax.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::fraction;
using formula::row;
using formula::sym;
using worked::equation;
using worked::exactly;
using worked::indexed;
using worked::number;
using worked::quotient;
using worked::together;

Formula softmax_of(Formula argument) {
  return call("softmax", std::move(argument));
}

/// exp(x) / Σ exp(x)
Formula naive_of(const Formula& argument) {
  const Formula exponential = call("exp", argument);
  return fraction(exponential, row({sym("Σ"), exponential}));
}

/// A row of T as the doubles that print it.
template <class T>
Written numbers_of(const T* begin, std::size_t count) {
  const std::vector<double> values(begin, begin + count);
  return worked::numbers(values.data(), count);
}

/// S₀ ≈ 1 · (2, −1, 0.5, 3, −0.5) / 3 ≈ (0.6667, ...)
template <class T>
std::vector<Chain> sweep_lines(const SoftmaxRun& run, const Tensor<T>& sweep) {
  const std::size_t n = run.scores.size();
  const double largest = largest_magnitude(run.scores);
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(run.magnitude.size(), worked::most_lines); ++i) {
    const Written share = quotient(numbers_of(&run.scores(0), n), number(largest));
    lines.push_back(equation(indexed("S", i), {together({number(run.magnitude(i)), exactly("·"), share}),
                                               numbers_of(&sweep(i, 0), n)}));
  }
  return lines;
}

/// a₀ ≈ exp(S₀) / Σ exp(S₀) ≈ (1.9, ...) / 7.1 ≈ (0.27, ...), in the precision of T and minus `shift`.
template <class T>
std::vector<Chain> naive_lines(const Tensor<T>& scores, const Tensor<T>& results, T shift) {
  const std::size_t n = scores.shape().back();
  const std::size_t rows = scores.size() / n;
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(rows, worked::most_lines); ++i) {
    const T* begin = scores.data() + i * n;
    std::vector<T> exponentials(n);
    std::transform(begin, begin + n, exponentials.begin(), [shift](T x) { return std::exp(x - shift); });
    const T sum = std::accumulate(exponentials.begin(), exponentials.end(), T(0));
    lines.push_back(equation(indexed("a", i),
                             {quotient(numbers_of(exponentials.data(), n), number(static_cast<double>(sum))),
                              numbers_of(results.data() + i * n, n)}));
  }
  return lines;
}

/// The entries of a vector with one line each: they share the denominator.
template <class T>
std::vector<Chain> silent_lines(const Tensor<T>& scores) {
  const T sum =
      std::accumulate(scores.begin(), scores.end(), T(0), [](T total, T x) { return total + std::exp(x); });
  std::vector<Chain> lines;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const T exponential = std::exp(scores(j));
    lines.push_back(
        equation(indexed("a", j),
                 {quotient(worked::call("exp", number(static_cast<double>(scores(j)))),
                           exactly(row({sym("Σ"), call("exp", sym("x"))}))),
                  quotient(number(static_cast<double>(exponential)), number(static_cast<double>(sum))),
                  number(static_cast<double>(exponential / sum))}));
  }
  return lines;
}

/// S₀ = (2, −1, 0.5, 3, −0.5) / 0.25 = (8, −4, 2, 12, −2)
std::vector<Chain> tempered_lines(const SoftmaxRun& run) {
  const std::size_t n = run.scores.size();
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(run.temperature.size(), worked::most_lines); ++i) {
    lines.push_back(
        equation(indexed("S", i), {quotient(worked::numbers(&run.scores(0), n), number(run.temperature(i))),
                                   worked::numbers(&run.tempered_scores(i, 0), n)}));
  }
  return lines;
}

// --- What must hold ---------------------------------------------------------------------------------------

template <class T>
std::size_t not_finite(const Tensor<T>& values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](T value) { return !std::isfinite(value); }));
}

/// How far the weights fall where the scores rise; 0 when both have one order.
double disorder(const Tensor<double>& scores, const Tensor<double>& weights) {
  double most = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (scores(i) < scores(j)) most = worst(most, weights(i) - weights(j));
    }
  }
  return most;
}

/// How far the entropy falls somewhere from a lower to a higher temperature.
double entropy_fall(const SoftmaxRun& run) {
  double most = 0.0;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    for (std::size_t j = 0; j < run.temperature.size(); ++j) {
      if (run.temperature(i) < run.temperature(j)) most = worst(most, run.entropy(i) - run.entropy(j));
    }
  }
  return most;
}

}  // namespace

std::vector<Stage> softmax_stages(const SoftmaxRun& run) {
  const Formula x = sym("x");
  const Formula X = sym("X");
  const Formula grown = row({sym("m"), fraction(x, sym("max|x|"))});
  const Formula tempered = fraction(x, sym("T"));
  const Formula p_log_p = row({sym("−"), sym("Σ"), sym("p"), sym("ln"), sym("p")});
  const Formula below_maximum = row({X, sym("−"), sym("max"), X});
  const std::vector<std::string> sweep{"magnitudes", "keys"};
  const std::vector<std::string> pairs{"queries", "keys"};
  const double overall = *std::max_element(run.two_rows.begin(), run.two_rows.end());
  return {{"scores", row({}), to_array(run.scores, {"keys"})},
          {"weights", softmax_of(x), to_array(run.weights, {"keys"}), derived::softmax("scores")},
          {"magnitude", row({}), to_array(run.magnitude, {"magnitudes"})},
          {"sweep_float32", grown, to_array(run.sweep_float32, sweep),
           derived::worked({"scores", "magnitude"}, sweep_lines(run, run.sweep_float32))},
          {"naive_float32", naive_of(grown), to_array(run.naive_float32, sweep),
           derived::worked({"sweep_float32"}, naive_lines(run.sweep_float32, run.naive_float32, 0.0F))},
          {"stable_float32", softmax_of(grown), to_array(run.stable_float32, sweep),
           derived::softmax("sweep_float32")},
          {"sweep_float64", grown, to_array(run.sweep_float64, sweep),
           derived::worked({"scores", "magnitude"}, sweep_lines(run, run.sweep_float64))},
          {"naive_float64", naive_of(grown), to_array(run.naive_float64, sweep),
           derived::worked({"sweep_float64"}, naive_lines(run.sweep_float64, run.naive_float64, 0.0))},
          {"stable_float64", softmax_of(grown), to_array(run.stable_float64, sweep),
           derived::softmax("sweep_float64")},
          {"silent_scores_float32", row({}), to_array(run.silent_scores_float32, {"keys"})},
          {"silent_naive_float32", naive_of(x), to_array(run.silent_weights_float32, {"keys"}),
           derived::worked({"silent_scores_float32"}, silent_lines(run.silent_scores_float32))},
          {"silent_scores_float64", row({}), to_array(run.silent_scores_float64, {"keys"})},
          {"silent_naive_float64", naive_of(x), to_array(run.silent_weights_float64, {"keys"}),
           derived::worked({"silent_scores_float64"}, silent_lines(run.silent_scores_float64))},
          {"temperature", row({}), to_array(run.temperature, {"temperatures"})},
          {"tempered_scores", tempered, to_array(run.tempered_scores, {"temperatures", "keys"}),
           derived::worked({"scores", "temperature"}, tempered_lines(run))},
          {"temperature_weights", softmax_of(tempered),
           to_array(run.temperature_weights, {"temperatures", "keys"}), derived::softmax("tempered_scores")},
          {"entropy", p_log_p, to_array(run.entropy, {"temperatures"}),
           derived::row_entropy("temperature_weights")},
          {"two_rows", row({}), to_array(run.two_rows, pairs)},
          {"global_max", naive_of(below_maximum), to_array(run.global_max, pairs),
           derived::worked({"two_rows"}, naive_lines(run.two_rows, run.global_max, overall))},
          {"row_max", softmax_of(X), to_array(run.row_max, pairs), derived::softmax("two_rows")}};
}

std::vector<Invariant> softmax_invariants(const SoftmaxRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  // Each weight and each addition is rounded once.
  const double rounding = epsilon * static_cast<double>(run.scores.size() + 2);
  // A sum score + constant is rounded to epsilon times its size, which exp turns into a relative error.
  const double shift_rounding = 4.0 * epsilon * (4.0 + largest_magnitude(run.scores) + run.constant);
  const std::size_t lost = not_finite(run.stable_float32) + not_finite(run.stable_float64) +
                           not_finite(run.overflow.stable_float32) + not_finite(run.overflow.stable_float64);
  double row_difference = 0.0;
  for (std::size_t j = 0; j < 2; ++j) {
    row_difference = std::max(row_difference, std::abs(run.row_max(0, j) - run.row_max(1, j)));
  }
  const double silent =
      std::accumulate(run.silent_weights_float32.begin(), run.silent_weights_float32.end(), 0.0) +
      std::accumulate(run.silent_weights_float64.begin(), run.silent_weights_float64.end(), 0.0);
  return {
      {"weights_sum_to_one",
       {"注意度の和は 1", "the weights sum to 1"},
       row_sum_error(run.weights),
       rounding},
      {"order_kept",
       {"注意度の大小はスコアの大小と同じ", "the weights have the order of the scores"},
       disorder(run.scores, run.weights),
       epsilon},
      {"unchanged_by_a_constant",
       {"すべてのスコアに同じ数を足しても注意度は変わらない",
        "adding a constant to every score changes no weight"},
       run.shift_difference,
       shift_rounding},
      {"stable_form_is_finite",
       {"最大値を引けば、有限のスコアの注意度はすべて有限",
        "with the maximum subtracted finite scores have finite weights"},
       static_cast<double>(lost),
       0.0},
      {"sum_overflows_to_zero_weights",
       {"exp が有限でも和が inf なら注意度はすべて 0（NaN ではない）",
        "finite exponentials with an infinite sum give weights of 0, not NaN"},
       silent,
       0.0},
      {"rows_apart_have_equal_weights",
       {"定数だけ違う 2 行は、行ごとの最大値なら同じ注意度",
        "two rows a constant apart have the same weights"},
       row_difference,
       epsilon},
      {"entropy_rises_with_temperature",
       {"温度が上がるとエントロピーは減らない", "the entropy never falls as the temperature rises"},
       entropy_fall(run),
       8.0 * rounding},  // sums of terms p ln p, each rounded
  };
}

}  // namespace attnlab
