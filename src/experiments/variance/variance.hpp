// Why √d: the standard deviation of q·k is √d, and without scaling the gradient of softmax goes to zero.
#pragma once

#include <cstdint>

#include "core/tensor.hpp"
#include "results/report/report.hpp"

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
  std::string rng;                    // "numpy" or "torch"
};

std::vector<Stage> variance_stages(const VarianceRun& run);
std::vector<Invariant> variance_invariants(const VarianceRun& run);
std::vector<Block> variance_body(const VarianceRun& run);

/// The standard deviations against d, on logarithmic axes, with √d.
Figure spread_figure(const VarianceRun& run);

/// Largest weight, entropy and gradient against d, unscaled and scaled.
Figure saturation_figure(const VarianceRun& run);

}  // namespace attnlab
