// Why scores are divided by √d: without it, softmax in many dimensions gives nearly everything to one key.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// One query against all keys in one dimension d, with and without scaling.
struct ScalingCase {
  std::string name;  // "low" or "high": the suffix of its arrays
  std::size_t dim = 0;
  Tensor<double> scores;          // (keys)  q · k
  Tensor<double> weights;         // (keys)  softmax(q · k)
  Tensor<double> scaled_weights;  // (keys)  softmax(q · k / √d)
};

/// The vertical limits of the 2 x 2 scatter: the same for all four panels, or as in the textbook's
/// code 2.2.7, where the unscaled panel of the high dimension chooses its own.
enum class ScatterLimits { shared, book };

struct ScalingRun {
  Tape tape;
  ScalingCase low;
  ScalingCase high;
  std::size_t keys = 0;
  std::string rng;  // "numpy" or "torch"
  ScatterLimits limits = ScatterLimits::shared;
  double clip = 0.0;  // where the vertical axis of `clipped` ends

  std::array<const ScalingCase*, 2> cases() const { return {&low, &high}; }
  static ScalingRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Invariant> invariants(const ScalingRun& run);
std::vector<Figure> figures(const ScalingRun& run);

/// How many keys get less than a fifth of an equal share, 1 / (5 keys).
std::size_t faint_keys(const Tensor<double>& weights);
/// That share in percent: 1 for 20 keys.
double faint_percent(std::size_t keys);

/// A weight in percent, "80%"; a weight below 1 is never written as 100% but as "almost 100%".
Text percent(double weight);

}  // namespace attnlab
