// The trace of `softmax`, written out with this run's numbers, and what must hold of every run.
#include "experiments/softmax/softmax.hpp"

namespace attnlab {
namespace {

using namespace worked;
using formula::fraction;
using formula::read;

/// exp(x) / Σ exp(x)
Formula naive_of(const Formula& argument) {
  const Formula exponential = formula::call("exp", argument);
  return fraction(exponential, formula::row({formula::sym("Σ"), exponential}));
}

/// A row of T as the doubles that print it.
template <class T>
Written numbers_of(const T* begin, std::size_t count) {
  const std::vector<double> values(begin, begin + count);
  return numbers(values.data(), count);
}

/// S₀ ≈ 1 · (2, −1, 0.5, 3, −0.5) / 3 ≈ (0.6667, ...)
template <class T>
std::vector<Chain> sweep_lines(const SoftmaxRun& run, const Tensor<T>& sweep) {
  const std::size_t n = run.scores.size();
  const Written share = quotient(numbers(&run.scores(0), n), largest_magnitude(run.scores));
  return lines(run.magnitude.size(), [&](std::size_t i) {
    return equation(indexed("S", i), {together({run.magnitude(i), "·", share}), numbers_of(&sweep(i, 0), n)});
  });
}

/// a₀ ≈ exp(S₀) / Σ exp(S₀) ≈ (1.9, ...) / 7.1 ≈ (0.27, ...), in the precision of T and minus `shift`.
template <class T>
std::vector<Chain> naive_lines(const Tensor<T>& scores, const Tensor<T>& results, T shift) {
  const std::size_t n = scores.shape().back();
  return lines(scores.size() / n, [&](std::size_t i) {
    const T* begin = scores.data() + i * n;
    std::vector<T> exponentials(n);
    std::transform(begin, begin + n, exponentials.begin(), [shift](T x) { return std::exp(x - shift); });
    const T sum = std::accumulate(exponentials.begin(), exponentials.end(), T(0));
    return equation(indexed("a", i), {quotient(numbers_of(exponentials.data(), n), sum),
                                      numbers_of(results.data() + i * n, n)});
  });
}

/// The entries of a vector with one line each: they share the denominator.
template <class T>
std::vector<Chain> silent_lines(const Tensor<T>& scores) {
  const T sum =
      std::accumulate(scores.begin(), scores.end(), T(0), [](T total, T x) { return total + std::exp(x); });
  return lines(scores.size(), [&](std::size_t j) {
    const T exponential = std::exp(scores(j));
    return equation(indexed("a", j), {quotient(call("exp", scores(j)), read("Σ exp(x)")),
                                      quotient(exponential, sum), exponential / sum});
  });
}

/// S₀ = (2, −1, 0.5, 3, −0.5) / 0.25 = (8, −4, 2, 12, −2)
std::vector<Chain> tempered_lines(const SoftmaxRun& run) {
  const std::size_t n = run.scores.size();
  return lines(run.temperature.size(), [&](std::size_t i) {
    return equation(indexed("S", i), {quotient(numbers(&run.scores(0), n), run.temperature(i)),
                                      numbers(&run.tempered_scores(i, 0), n)});
  });
}

std::string naive_code(const std::string& scores) { return fmt::format("naive_softmax({})", scores); }

/// In the precision of `type`; scores that are all 0 stay 0.
std::string grown_code(const SoftmaxRun& run, const std::string& type) {
  const double most = largest_magnitude(run.scores);
  const std::string share = most == 0.0 ? "scores" : "(scores / abs(scores).max())";
  return fmt::format("(magnitude[:, np.newaxis] * {}).astype(np.{})", share, type);
}

/// The scores as they grow, in one precision.
template <class T>
std::vector<Stage> sweep_stages(const SoftmaxRun& run, const BothWays<T>& sweep, const std::string& type) {
  const Formula grown =
      formula::row({formula::sym("m"), fraction(formula::sym("x"), formula::sym("max|x|"))});
  const std::vector<std::string> axes{"magnitudes", "keys"};
  return {{"sweep_" + type, grown, to_array(sweep.scores, axes),
           derived::worked({"scores", "magnitude"}, sweep_lines(run, sweep.scores), grown_code(run, type))},
          {"naive_" + type, naive_of(grown), to_array(sweep.naive, axes),
           derived::worked({"sweep_" + type}, naive_lines(sweep.scores, sweep.naive, T(0)),
                           naive_code("sweep_" + type))},
          {"stable_" + type, formula::call("softmax", grown), to_array(sweep.stable, axes),
           derived::softmax("sweep_" + type)}};
}

template <class T>
std::vector<Stage> silent_stages(const BothWays<T>& silent, const std::string& type) {
  return {input("silent_scores_" + type, to_array(silent.scores, {"keys"})),
          {"silent_naive_" + type, naive_of(formula::sym("x")), to_array(silent.naive, {"keys"}),
           derived::worked({"silent_scores_" + type}, silent_lines(silent.scores),
                           naive_code("silent_scores_" + type))}};
}

// --- What must hold of every run

/// How many are not finite, or beyond 0 to 1.
template <class T>
double not_weights(const Tensor<T>& values) {
  return static_cast<double>(
      std::count_if(values.begin(), values.end(), [](T value) { return !(value >= 0 && value <= 1); }));
}

}  // namespace

std::vector<Stage> stages(const SoftmaxRun& run) {
  const std::vector<std::string> tempered{"temperatures", "keys"};
  const std::vector<std::string> pairs{"queries", "keys"};
  std::vector<Stage> trace{input("scores", run.scores, {"keys"}),
                           step("weights", "softmax(x)", run.weights, {"keys"}, derived::softmax("scores")),
                           input("magnitude", run.magnitude, {"magnitudes"})};
  append(trace, sweep_stages(run, run.sweep_float32, "float32"));
  append(trace, sweep_stages(run, run.sweep_float64, "float64"));
  append(trace, silent_stages(run.silent_float32, "float32"));
  append(trace, silent_stages(run.silent_float64, "float64"));
  append(trace,
         {input("temperature", run.temperature, {"temperatures"}),
          step("tempered_scores", "\\frac{x}{T}", run.tempered_scores, tempered,
               derived::worked({"scores", "temperature"}, tempered_lines(run),
                               "scores / temperature[:, np.newaxis]")),
          step("temperature_weights", "softmax(\\frac{x}{T})", run.temperature_weights, tempered,
               derived::softmax("tempered_scores")),
          step("entropy", "− Σ p ln p", run.entropy, {"temperatures"},
               derived::row_entropy("temperature_weights")),
          input("two_rows", run.two_rows, pairs),
          step("global_max", naive_of(read("X − max X")), run.global_max, pairs,
               derived::worked({"two_rows"}, naive_lines(run.two_rows, run.global_max, largest(run.two_rows)),
                               naive_code("two_rows - two_rows.max()"))),
          step("row_max", "softmax(X)", run.row_max, pairs, derived::softmax("two_rows"))});
  return trace;
}

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
