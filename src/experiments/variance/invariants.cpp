// What must hold of every run of `variance`.
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

/// How far a rises above b somewhere, 0 when it nowhere does.
double excess(const Tensor<double>& a, const Tensor<double>& b) {
  return worst_of(a.size(), [&](std::size_t i) { return a.flat(i) - b.flat(i); });
}

/// The gradient's norm never exceeds 1 − Σ p², the trace of diag(p) − p pᵀ, as no eigenvalue is negative.
double gradient_excess(const Saturation& one) {
  const std::size_t keys = one.weights.shape()[2];
  return worst_of(one.gradient.each.size(), [&](std::size_t query) {
    const double* p = one.weights.data() + query * keys;
    return one.gradient.each.flat(query) - (1.0 - std::inner_product(p, p + keys, p, 0.0));
  });
}

/// |std / √d − 1| in standard errors. The product of two normals summed over d has the kurtosis 3 + 6/d, so
/// the standard deviation of n such sums has the relative standard error √((2 + 6/d) / (4 n)).
double standard_errors(const VarianceRun& run, std::size_t i) {
  const double d = run.dims(i);
  const double error = std::sqrt((2.0 + 6.0 / d) / (4.0 * static_cast<double>(run.pairs)));
  return std::abs(run.std_raw(i) / std::sqrt(d) - 1.0) / error;
}

}  // namespace

std::vector<Invariant> invariants(const VarianceRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double over_pairs = epsilon * static_cast<double>(run.pairs);    // two sums over the pairs
  const double over_keys = epsilon * static_cast<double>(run.keys + 8);  // a sum over the keys
  const double off = worst_of(run.dims.size(), [&](std::size_t i) { return standard_errors(run, i); });
  const double scaled_error = largest_difference(run.std_scaled, run.std_raw / xt::sqrt(run.dims));
  return {
      // beyond 5 standard errors lies less than one run in a million
      invariant("std_is_root_of_d", off, 5.0, "q·k の標準偏差と √d の差は標準誤差の 5 倍以内",
                "the std of q·k is √d, within 5 standard errors"),
      invariant("std_scaled_is_std_over_root_of_d", scaled_error, over_pairs,
                "割ったあとの標準偏差は、割る前の 1/√d", "the scaled std is the unscaled one over √d"),
      invariant("weights_sum_to_one",
                std::max(row_sum_error(run.raw.weights), row_sum_error(run.scaled.weights)), over_keys,
                "注意度の和は 1", "the weights sum to 1"),
      invariant("scaling_lowers_largest_weight", excess(run.scaled.largest.each, run.raw.largest.each),
                over_keys, "割ると、最大の注意度はどのクエリでも増えない",
                "scaling raises no query's largest weight"),
      // each term p ln p is rounded, and ln p is up to 745 times p
      invariant("scaling_raises_entropy", excess(run.raw.entropy.each, run.scaled.entropy.each),
                8.0 * over_keys, "割ると、エントロピーはどのクエリでも減らない",
                "scaling lowers no query's entropy"),
      invariant("gradient_within_one_minus_squares",
                std::max(gradient_excess(run.raw), gradient_excess(run.scaled)), over_keys,
                "‖diag(p) − ppᵀ‖ は 1 − Σp² 以下", "‖diag(p) − ppᵀ‖ never exceeds 1 − Σp²"),
  };
}

}  // namespace attnlab
