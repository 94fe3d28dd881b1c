// The softmax experiment in parts: what it computes, and the two ways in which that is shown.
#pragma once

#include <vector>

#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Where a floating-point type ends, measured by trying.
struct ExpLimits {
  double largest_finite = 0.0;  // the largest x whose exp(x) is finite
  double largest_gap = 0.0;     // the largest distance below the maximum that still gets a weight above 0
};

/// Scores of which the largest overflows exp, naively and with the maximum subtracted. They are the sweep's
/// last row plus a constant, so that the largest is its magnitude whatever the signs; softmax is unchanged by
/// it.
struct OverflowExample {
  Tensor<double> scores;         // (n)
  double constant = 0.0;         // 0 when the sweep overflows by itself
  Tensor<float> naive_float32;   // (n)
  Tensor<float> stable_float32;  // (n)
  Tensor<double> naive_float64;
  Tensor<double> stable_float64;
};

/// n scores, m magnitudes, t temperatures.
struct SoftmaxRun {
  Tensor<double> scores;   // (n)
  Tensor<double> weights;  // (n)
  double constant = 0.0;   // added to every score
  double shift_difference = 0.0;
  ExpLimits float32;
  ExpLimits float64;
  Tensor<float> silent_scores_float32;  // (5) each exponential is finite, their sum is not
  Tensor<double> silent_scores_float64;
  Tensor<float> silent_weights_float32;  // (5) naive
  Tensor<double> silent_weights_float64;
  Tensor<double> magnitude;     // (m)
  Tensor<float> sweep_float32;  // (m, n) row i is magnitude[i] * scores / max|scores|
  Tensor<double> sweep_float64;
  Tensor<float> naive_float32;   // (m, n)
  Tensor<float> stable_float32;  // (m, n)
  Tensor<double> naive_float64;
  Tensor<double> stable_float64;
  OverflowExample overflow;
  Tensor<double> two_rows;             // (2, 2) scores of two queries, far apart
  Tensor<double> global_max;           // (2, 2)
  Tensor<double> row_max;              // (2, 2)
  Tensor<double> temperature;          // (t)
  Tensor<double> tempered_scores;      // (t, n)  scores / T
  Tensor<double> temperature_weights;  // (t, n)
  Tensor<double> entropy;              // (t) nats
};

std::vector<Stage> softmax_stages(const SoftmaxRun& run);
std::vector<Invariant> softmax_invariants(const SoftmaxRun& run);

std::vector<Block> softmax_body(const SoftmaxRun& run);

/// bars, overflow, global-max, temperature.
std::vector<Figure> softmax_figures(const SoftmaxRun& run);

}  // namespace attnlab
