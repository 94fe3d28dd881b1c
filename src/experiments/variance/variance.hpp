// The variance experiment in parts: what it computes, and the figures that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/tensor.hpp"
#include "core/text.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// One number for every query, and their mean for every d.
struct Measured {
  Tensor<double> each;  // (dims, queries)
  Tensor<double> mean;  // (dims)
};
struct Saturation {
  Tensor<double> scores;   // (dims, queries, keys)
  Tensor<double> weights;  // (dims, queries, keys)  softmax(scores)
  Measured largest;        // largest weight
  Measured entropy;        // nats
  Measured gradient;       // Frobenius norm of diag(p) − p pᵀ
};

struct VarianceRun {
  Tensor<double> dims;        // (dims)
  Tensor<double> products;    // (dims, pairs)  q · k
  Tensor<double> std_raw;     // (dims)
  Tensor<double> std_scaled;  // (dims)
  Saturation raw;
  Saturation scaled;
  double slope = 0.0;  // of log std_raw against log d; NaN for a single d
  std::size_t pairs = 0;
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::uint32_t seed = 0;             // of the standard deviations
  std::uint32_t saturation_seed = 0;  // the next one
  bool torch = false;
};

/// "0.964", "31.7", "1.2e−06": three significant digits.
std::string three_digits(double value);

/// The standard deviations against d, on logarithmic axes, with √d.
Figure spread_figure(const VarianceRun& run);

/// Largest weight, entropy and gradient against d, unscaled and scaled.
Figure saturation_figure(const VarianceRun& run);

}  // namespace attnlab
