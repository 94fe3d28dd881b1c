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

}  // namespace

SoftmaxRun SoftmaxRun::compute(const Arguments& arguments, const Context& /*context*/) {
  SoftmaxRun run;
  run.inputs = Inputs(arguments);
  run.scores = run.inputs.user_or("scores", to_tensor(arguments.numbers("scores")));
  run.weights = softmax(run.scores);
  run.constant = 12.3;
  run.shift_difference = largest_difference(softmax(Tensor<double>(run.scores + run.constant)), run.weights);

  run.float32 = measure_limits<float>();
  run.float64 = measure_limits<double>();
  run.silent_float32 = both_ways(Tensor<float>{88, 88, 88, 88, 88});
  run.silent_float64 = both_ways(Tensor<double>{709.5, 709.5, 709.5, 709.5, 709.5});
  run.magnitude = to_tensor(magnitudes);
  run.sweep_float32 = both_ways(sweep<float>(run.scores));
  run.sweep_float64 = both_ways(sweep<double>(run.scores));
  run.overflow = overflow_example(run.sweep_float64.scores);

  run.two_rows = Tensor<double>{{1000, 999}, {0, -1}};
  run.global_max = softmax_global_maximum(run.two_rows);
  run.row_max = softmax(run.two_rows);
  run.temperature = run.inputs.user_or("temperature", to_tensor(arguments.numbers("temperature")));
  run.tempered_scores =
      xt::view(run.scores, xt::newaxis(), xt::all()) / xt::view(run.temperature, xt::all(), xt::newaxis());
  run.temperature_weights = softmax(run.tempered_scores);
  run.largest = row_maximum(run.temperature_weights);
  run.entropy = attnlab::entropy(run.temperature_weights);
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
