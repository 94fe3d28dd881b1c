// What must hold of a soft lookup at any temperature.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "experiments/framework/entropy.hpp"
#include "experiments/lookup/lookup.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// How far the score of the best key lies above that of the best that was not found; infinite if all were.
double gap_of(const LookupRun& run) {
  const double best = run.scores(run.found.front());
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < entries; ++j) {
    if (run.hard_weights(j) == 0.0) gap = std::min(gap, best - run.scores(j));
  }
  return gap;
}

}  // namespace

std::vector<Invariant> lookup_invariants(const LookupRun& run) {
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon();  // some sums of numbers up to 1
  // A score within 1e-12 of the largest counts as equal (see find); T down to 1e-3 makes 1e-9 of it.
  const double ties = run.found.size() > 1 ? 1e-8 : rounding;
  const Tensor<double> spread = entropy(run.weights);
  const double gap = gap_of(run);
  double outside = 0.0;
  double not_hard = 0.0;
  double not_mean = 0.0;
  double sharpened = 0.0;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    for (std::size_t j = 0; j < entries; ++j) {
      const double weight = run.weights(i, j);
      // All scores lie in −1..1: no weight differs from 1/4 by more than (exp(2/T) − 1) / 4.
      not_mean = std::max(not_mean, std::abs(weight - 0.25) - std::expm1(2.0 / run.temperature(i)) / 4.0);
      // The three others together have at most 3 exp(−gap/T).
      not_hard = std::max(not_hard,
                          std::abs(weight - run.hard_weights(j)) - 3.0 * std::exp(-gap / run.temperature(i)));
    }
    outside = std::max(outside, std::abs(run.output(i, 0)) + std::abs(run.output(i, 1)) - 1.0);
    if (i > 0) sharpened = std::max(sharpened, spread(i - 1) - spread(i));
  }
  return {
      {"weights_sum_to_one",
       {"各行の和は 1", "every row of the weights sums to 1"},
       row_sum_error(run.weights),
       rounding},
      {"output_within_hull",
       {"出力はバリューの凸包の中", "the output lies in the convex hull of the values"},
       std::max(0.0, outside),
       rounding},
      {"cold_limit_is_one_hot",
       {"注意度と one-hot の差は 3 exp(−差/T) 以下",
        "the weights differ from one-hot by at most 3 exp(−gap/T)"},
       std::max(0.0, not_hard),
       ties},
      {"hot_limit_is_mean",
       {"注意度と 1/4 の差は (exp(2/T) − 1)/4 以下",
        "the weights differ from 1/4 by at most (exp(2/T) − 1)/4"},
       std::max(0.0, not_mean),
       rounding},
      {"entropy_rises_with_temperature",
       {"温度が上がるとエントロピーは減らない", "the entropy never falls as the temperature rises"},
       std::max(0.0, sharpened),
       rounding},
  };
}

}  // namespace attnlab
