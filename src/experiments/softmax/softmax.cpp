// Softmax of the given scores: as they are, grown until exp overflows, and divided by temperatures.
#include "experiments/softmax/softmax.hpp"

namespace attnlab {
namespace {

// Around both limits of exp: 88.72 in float32 and 709.78 in float64.
constexpr std::array<double, 10> magnitudes{1, 10, 50, 88, 89, 100, 500, 709, 710, 1000};

/// The largest T x in [0, 1000] with the property, which must hold at 0, fail at 1000 and change once.
template <class T, class Property>
T last_where(Property holds) {
  T low = 0;
  T high = 1000;
  while (std::nextafter(low, high) < high) {
    const T middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

template <class T>
ExpLimits measure_limits() {
  const T largest_finite = last_where<T>([](T x) { return std::isfinite(std::exp(x)); });
  const T largest_gap = last_where<T>([](T gap) { return softmax(Tensor<T>{0, -gap})(1) > 0; });
  return {largest_finite, largest_gap};
}

template <class T>
BothWays<T> both_ways(const Tensor<T>& scores) {
  return {scores, softmax_naive(scores), softmax(scores)};
}

/// Row i is magnitude[i] * scores / max|scores|, (magnitudes, scores); scores that are all 0 stay 0.
template <class T>
Tensor<T> sweep(const Tensor<double>& scores) {
  const double most = largest_magnitude(scores);
  Tensor<T> rows = Tensor<T>::from_shape({magnitudes.size(), scores.size()});
  for (std::size_t i = 0; i < magnitudes.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      rows(i, j) = most == 0.0 ? T(0) : static_cast<T>(magnitudes.at(i) * (scores(j) / most));
    }
  }
  return rows;
}

OverflowExample overflow_example(const Tensor<double>& sweep) {
  const std::size_t n = sweep.shape().back();
  const double* last = &sweep(magnitudes.size() - 1, 0);
  const double constant = magnitudes.back() - *std::max_element(last, last + n);
  const Tensor<double> scores = to_tensor(std::vector<double>(last, last + n)) + constant;
  return {constant, both_ways(Tensor<float>(xt::cast<float>(scores))), both_ways(scores)};
}

// --- Written out

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

// --- The same in both precisions

template <class T>
constexpr DType type_of = std::is_same_v<T, float> ? DType::float32 : DType::float64;

/// The scores as they grow.
template <class T>
BothWays<T> grow(SoftmaxRun& run, const std::string& type) {
  const Formula grown =
      formula::row({formula::sym("m"), fraction(formula::sym("x"), formula::sym("max|x|"))});
  const Axes axes{"magnitudes", "keys"};
  BothWays<T> both = both_ways(sweep<T>(run.scores));
  Tape& tape = run.tape;
  tape.compute_in(type_of<T>);
  tape.step("sweep_" + type, grown, both.scores, axes,
            derived::worked({"scores", "magnitude"}, sweep_lines(run, both.scores), grown_code(run, type)));
  tape.step("naive_" + type, naive_of(grown), both.naive, axes,
            derived::worked({"sweep_" + type}, naive_lines(both.scores, both.naive, T(0)),
                            naive_code("sweep_" + type)));
  tape.step("stable_" + type, formula::call("softmax", grown), both.stable, axes,
            derived::softmax("sweep_" + type));
  return both;
}

/// Five of the same, whose exponentials are finite and their sum is not.
template <class T>
BothWays<T> overflow_silently(Tape& tape, T score, const std::string& type) {
  const std::string scores = "silent_scores_" + type;
  BothWays<T> both = both_ways(Tensor<T>{score, score, score, score, score});
  tape.compute_in(type_of<T>);
  tape.input(scores, both.scores, {"keys"});
  tape.step("silent_naive_" + type, naive_of(formula::sym("x")), both.naive, {"keys"},
            derived::worked({scores}, silent_lines(both.scores), naive_code(scores)));
  return both;
}

// --- What must hold

/// How many are not finite, or beyond 0 to 1.
template <class T>
double not_weights(const Tensor<T>& values) {
  return static_cast<double>(
      std::count_if(values.begin(), values.end(), [](T value) { return !(value >= 0 && value <= 1); }));
}

}  // namespace

SoftmaxRun SoftmaxRun::compute(const Arguments& arguments, const Context& /*context*/) {
  SoftmaxRun run;
  Tape& tape = run.tape = Tape(arguments);
  run.scores = tape.input_or("scores", to_tensor(arguments.numbers("scores")), {"keys"});
  run.weights = tape.softmax("weights", "softmax(x)", "scores");
  run.constant = 12.3;
  run.shift_difference = largest_difference(softmax(Tensor<double>(run.scores + run.constant)), run.weights);

  run.float32 = measure_limits<float>();
  run.float64 = measure_limits<double>();
  run.magnitude = tape.input("magnitude", to_tensor(magnitudes), {"magnitudes"});
  run.sweep_float32 = grow<float>(run, "float32");
  run.sweep_float64 = grow<double>(run, "float64");
  run.overflow = overflow_example(run.sweep_float64.scores);
  run.silent_float32 = overflow_silently(tape, 88.0F, "float32");
  run.silent_float64 = overflow_silently(tape, 709.5, "float64");

  const Axes tempered{"temperatures", "keys"};
  run.temperature =
      tape.input_or("temperature", to_tensor(arguments.numbers("temperature")), {"temperatures"});
  run.tempered_scores =
      xt::view(run.scores, xt::newaxis(), xt::all()) / xt::view(run.temperature, xt::all(), xt::newaxis());
  tape.step(
      "tempered_scores", "\\frac{x}{T}", run.tempered_scores, tempered,
      derived::worked({"scores", "temperature"}, tempered_lines(run), "scores / temperature[:, np.newaxis]"));
  run.temperature_weights = tape.softmax("temperature_weights", "softmax(\\frac{x}{T})", "tempered_scores");
  run.largest = row_maximum(run.temperature_weights);
  run.entropy = tape.step("entropy", "− Σ p ln p", attnlab::entropy(run.temperature_weights),
                          {"temperatures"}, derived::row_entropy("temperature_weights"));

  const Axes pairs{"queries", "keys"};
  run.two_rows = tape.input("two_rows", {{1000, 999}, {0, -1}}, pairs);
  run.global_max = softmax_global_maximum(run.two_rows);
  tape.step(
      "global_max", naive_of(read("X − max X")), run.global_max, pairs,
      derived::worked({"two_rows"}, naive_lines(run.two_rows, run.global_max, attnlab::largest(run.two_rows)),
                      naive_code("two_rows - two_rows.max()")));
  run.row_max = tape.softmax("row_max", "softmax(X)", "two_rows");
  return run;
}

std::vector<Scalar> scalars(const SoftmaxRun& run) {
  return {{"weights_sum", sum_of(run.weights)},
          {"shift_difference", run.shift_difference},
          {"exp_limit_float32", run.float32.largest_finite},
          {"exp_limit_float64", run.float64.largest_finite},
          {"zero_gap_float32", run.float32.largest_gap},
          {"zero_gap_float64", run.float64.largest_gap},
          {"exp_50", std::exp(50.0)}};
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
                "adding a constant to every score leaves the weights unchanged"),
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

Experiment softmax_experiment() {
  return Experiment{"softmax",
                    {"スコアを注意度に変える：指数関数のオーバーフロー、行ごとの最大値、温度",
                     "scores become weights: overflow of exp, the maximum by rows, temperature"},
                    {"教科書 図 2.2.6、コード 2.2.1", "textbook fig. 2.2.6, code 2.2.1"},
                    {parameter("scores", NumbersKind{{2, 64}, {-1e6, 1e6}}, "2,-1,0.5,3,-0.5",
                               "softmax に入れるスコア", "the scores"),
                     parameter("temperature", NumbersKind{{1, 12}, {1e-6, 1e6}}, "0.25,0.5,1,2,4",
                               "比べる温度（正の数）", "the temperatures to compare, positive")},
                    report_of<SoftmaxRun>}
      .with_inputs({{"scores", {"keys?"}}, {"temperature", {"temperatures?"}}})
      .with_sliders({{"temperature=0.1:10:log:31"}});
}

}  // namespace attnlab
