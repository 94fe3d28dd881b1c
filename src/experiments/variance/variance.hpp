// Why √d: the standard deviation of q·k is √d, and without scaling the gradient of softmax goes to zero.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

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
  Tape tape;
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

  static VarianceRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Invariant> invariants(const VarianceRun& run);
std::vector<Block> body(const VarianceRun& run, const std::vector<Stage>& stages);
/// spread: the standard deviations against d, on logarithmic axes, with √d; saturation: largest weight,
/// entropy and gradient against d, unscaled and scaled.
std::vector<Figure> figures(const VarianceRun& run);

}  // namespace attnlab
