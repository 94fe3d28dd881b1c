// Softmax: scores become weights. When exp overflows, why the maximum is taken by rows, and what temperature
// does.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// Where a floating-point type ends, measured by trying.
struct ExpLimits {
  double largest_finite = 0.0;  // the largest x whose exp(x) is finite
  double largest_gap = 0.0;     // the largest distance below the maximum that still gets a weight above 0
};

/// Scores in one precision, and their weights computed as written and with the maximum subtracted.
template <class T>
struct BothWays {
  Tensor<T> scores;
  Tensor<T> naive;
  Tensor<T> stable;
};

/// Scores of which the largest overflows exp, (n). They are the sweep's last row plus a constant, so that the
/// largest is its magnitude whatever the signs; softmax is unchanged by it.
struct OverflowExample {
  double constant = 0.0;  // 0 when the sweep overflows by itself
  BothWays<float> float32;
  BothWays<double> float64;
};

/// n scores, m magnitudes, t temperatures.
struct SoftmaxRun {
  Tape tape;
  Tensor<double> scores;   // (n)
  Tensor<double> weights;  // (n)
  double constant = 0.0;   // added to every score
  double shift_difference = 0.0;
  ExpLimits float32;
  ExpLimits float64;
  BothWays<float> silent_float32;  // (5) each exponential is finite, their sum is not
  BothWays<double> silent_float64;
  Tensor<double> magnitude;       // (m)
  BothWays<float> sweep_float32;  // (m, n) row i is magnitude[i] * scores / max|scores|
  BothWays<double> sweep_float64;
  OverflowExample overflow;
  Tensor<double> two_rows;             // (2, 2) scores of two queries, far apart
  Tensor<double> global_max;           // (2, 2)
  Tensor<double> row_max;              // (2, 2)
  Tensor<double> temperature;          // (t)
  Tensor<double> tempered_scores;      // (t, n)  scores / T
  Tensor<double> temperature_weights;  // (t, n)
  Tensor<double> largest;              // (t) of the weights
  Tensor<double> entropy;              // (t) nats

  static SoftmaxRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Invariant> invariants(const SoftmaxRun& run);
std::vector<Block> body(const SoftmaxRun& run, const std::vector<Stage>& stages);
/// bars, overflow, global-max, temperature.
std::vector<Figure> figures(const SoftmaxRun& run);

}  // namespace attnlab
