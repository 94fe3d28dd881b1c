// The trace of `variance`, written out with this run's numbers, and what must hold of every run.
#include "core/named.hpp"
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

using namespace worked;
using formula::read;

/// q·k ≈ (0.4012, −1.2345, ...), d = 4
std::vector<Chain> product_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(read("q · k"),
                    {together({numbers(&run.products(i, 0), run.pairs), ",", "d", "=", run.dims(i)})});
  });
}

/// σ₁ ≈ std(0.4012, −1.2345, ...) ≈ 1.9899
std::vector<Chain> raw_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(indexed("σ", i),
                    {together({"std", numbers(&run.products(i, 0), run.pairs)}), run.std_raw(i)});
  });
}

/// σ₁ ≈ 1.9899 / √4 ≈ 0.995
std::vector<Chain> scaled_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(indexed("σ", i),
                    {quotient(run.std_raw(i), root(number(run.dims(i)))), run.std_scaled(i)});
  });
}

/// The scores of the first query of every d.
std::vector<Chain> scaled_score_lines(const VarianceRun& run) {
  return lines(run.dims.size(), [&run](std::size_t i) {
    return equation(formula::sub(formula::sym("S"), read(std::to_string(i) + ",0")),
                    {quotient(numbers(&run.raw.scores(i, 0, 0), run.keys), root(number(run.dims(i)))),
                     numbers(&run.scaled.scores(i, 0, 0), run.keys)});
  });
}

/// The means over all queries: H₁ ≈ mean(1.7, 1.9, ...) ≈ 1.8385
std::vector<Stage> mean_stages(const VarianceRun& run, const Saturation& one, const std::string& suffix) {
  const auto mean = [&](const std::string& name, const char* what, const char* letter,
                        const Measured& measured, const char* each) {
    const auto line = [&](std::size_t i) {
      return equation(indexed(letter, i),
                      {together({"mean", numbers(&measured.each(i, 0), run.queries)}), measured.mean(i)});
    };
    return step(name + suffix, what, measured.mean, {"dims"},
                derived::worked({"weights_" + suffix}, lines(run.dims.size(), line),
                                fmt::format("np.mean({}, axis=-1)", fmt::format(each, "weights_" + suffix))));
  };
  return {mean("largest_", "mean(max p)", "p", one.largest, "np.amax({}, axis=-1)"),
          mean("entropy_", "mean(− Σ p ln p)", "H", one.entropy, "row_entropy({})"),
          mean("gradient_", "mean(‖ diag(p) − p p^T ‖)", "J", one.gradient,
               "np.stack([softmax_gradient_norm(p) for p in {}])")};
}

// --- What must hold of every run

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

std::vector<Stage> stages(const VarianceRun& run) {
  const std::vector<std::string> rows{"dims", "queries", "keys"};
  std::vector<Stage> trace{
      input("dims", run.dims, {"dims"}),
      step("products", "q · k", run.products, {"dims", "pairs"},
           derived::worked({"dims"}, product_lines(run), find_named(run.inputs.origins(), "products")->code)),
      step("std_raw", "std(q · k)", run.std_raw, {"dims"},
           derived::worked({"products"}, raw_lines(run), "standard_deviation(products)")),
      step("std_scaled", "std(\\frac{q · k}{\\sqrt{d}})", run.std_scaled, {"dims"},
           derived::worked({"std_raw", "dims"}, scaled_lines(run), "std_raw / np.sqrt(dims)")),
      input("scores_raw", run.raw.scores, rows),
      step("scores_scaled", "\\frac{q · k}{\\sqrt{d}}", run.scaled.scores, rows,
           derived::worked({"scores_raw", "dims"}, scaled_score_lines(run),
                           "scores_raw / np.sqrt(dims)[:, np.newaxis, np.newaxis]")),
      step("weights_raw", "softmax(q · k)", run.raw.weights, rows, derived::softmax("scores_raw")),
      step("weights_scaled", "softmax(\\frac{q · k}{\\sqrt{d}})", run.scaled.weights, rows,
           derived::softmax("scores_scaled")),
  };
  append(trace, mean_stages(run, run.raw, "raw"));
  append(trace, mean_stages(run, run.scaled, "scaled"));
  return trace;
}

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
