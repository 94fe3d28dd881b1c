// The trace of `variance`, written out with this run's numbers, and what must hold of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/variance_report.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::fraction;
using formula::row;
using formula::sub;
using formula::sym;
using worked::equation;
using worked::exactly;
using worked::indexed;
using worked::number;
using worked::quotient;
using worked::together;

Formula product_formula() {
  return row({sym("q"), sym("·"), sym("k")});
}

Formula deviation_of(const Formula& what) {
  return formula::call("std", what);
}

/// One line per d, written by `line_of(i)`.
template <class LineOf>
std::vector<Chain> line_per_dim(const VarianceRun& run, LineOf line_of) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < std::min(run.dims.size(), worked::most_lines); ++i) lines.push_back(line_of(i));
  return lines;
}

/// σ₁ ≈ std(0.4012, −1.2345, ...) ≈ 1.9899
std::vector<Chain> raw_lines(const VarianceRun& run) {
  return line_per_dim(run, [&run](std::size_t i) {
    return equation(indexed("σ", i),
                    {together({exactly("std"), worked::numbers(&run.products(i, 0), run.pairs)}),
                     number(run.std_raw(i))});
  });
}

/// q·k ≈ (0.4012, −1.2345, ...), d = 4
std::vector<Chain> product_lines(const VarianceRun& run) {
  return line_per_dim(run, [&run](std::size_t i) {
    const Written of_width = together({exactly(","), exactly("d"), exactly("="), number(run.dims(i))});
    return equation(product_formula(),
                    {together({worked::numbers(&run.products(i, 0), run.pairs), of_width})});
  });
}

std::vector<Chain> scaled_lines(const VarianceRun& run) {
  return line_per_dim(run, [&run](std::size_t i) {
    return equation(indexed("σ", i), {quotient(number(run.std_raw(i)), worked::root(number(run.dims(i)))),
                                      number(run.std_scaled(i))});
  });
}

std::vector<Chain> scaled_score_lines(const VarianceRun& run) {
  return line_per_dim(run, [&run](std::size_t i) {
    return equation(
        sub(sym("S"), row({sym(std::to_string(i)), sym(","), sym("0")})),
        {quotient(worked::numbers(&run.raw.scores(i, 0, 0), run.keys), worked::root(number(run.dims(i)))),
         worked::numbers(&run.scaled.scores(i, 0, 0), run.keys)});
  });
}

/// The numbers of all queries of one d, and their mean.
Derivation mean_of_queries(const VarianceRun& run, const std::string& operand, const char* letter,
                           const Measured& measured) {
  return derived::worked(
      {operand}, line_per_dim(run, [&](std::size_t i) {
        return equation(indexed(letter, i),
                        {together({exactly("mean"), worked::numbers(&measured.each(i, 0), run.queries)}),
                         number(measured.mean(i))});
      }));
}

void add_saturation(std::vector<Stage>& stages, const VarianceRun& run, const Saturation& one,
                    const std::string& suffix) {
  const std::string weights = "weights_" + suffix;
  const std::vector<std::string> dims{"dims"};
  const auto add = [&](const std::string& name, const Formula& what, const char* letter,
                       const Measured& measured) {
    stages.push_back({name + suffix, formula::call("mean", what), to_array(measured.mean, dims),
                      mean_of_queries(run, weights, letter, measured)});
  };
  const Formula p = sym("p");
  const Formula jacobian = row({formula::call("diag", p), sym("−"), p, formula::sup(p, sym("T"))});
  add("largest_", row({sym("max"), p}), "p", one.largest);
  add("entropy_", row({sym("−"), sym("Σ"), p, sym("ln"), p}), "H", one.entropy);
  add("gradient_", row({sym("‖"), jacobian, sym("‖")}), "J", one.gradient);
}

/// How far a rises above b somewhere, 0 when it nowhere does.
double excess(const Tensor<double>& a, const Tensor<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = worst(most, a.data()[i] - b.data()[i]);
  return most;
}

/// The gradient's norm never exceeds 1 − Σ p², the trace of diag(p) − p pᵀ, as no eigenvalue is negative.
double gradient_excess(const Saturation& one) {
  const std::size_t keys = one.weights.shape()[2];
  double most = 0.0;
  for (std::size_t query = 0; query < one.gradient.each.size(); ++query) {
    const double* p = one.weights.data() + query * keys;
    const double trace = 1.0 - std::inner_product(p, p + keys, p, 0.0);
    most = worst(most, one.gradient.each.data()[query] - trace);
  }
  return most;
}

/// |std / √d − 1| in standard errors. The product of two normals summed over d has the kurtosis 3 + 6/d, so
/// the standard deviation of n such sums has the relative standard error √((2 + 6/d) / (4 n)).
double standard_errors(const VarianceRun& run, std::size_t i) {
  const double d = run.dims(i);
  const double error = std::sqrt((2.0 + 6.0 / d) / (4.0 * static_cast<double>(run.pairs)));
  return std::abs(run.std_raw(i) / std::sqrt(d) - 1.0) / error;
}

}  // namespace

std::vector<Stage> variance_stages(const VarianceRun& run) {
  const std::vector<std::string> dims{"dims"};
  const std::vector<std::string> rows{"dims", "queries", "keys"};
  const Formula product = product_formula();
  const Formula scaled = fraction(product, formula::root(sym("d")));
  std::vector<Stage> stages{
      {"dims", row({}), to_array(run.dims, dims)},
      {"products", product, to_array(run.products, {"dims", "pairs"}),
       derived::worked({"dims"}, product_lines(run))},
      {"std_raw", deviation_of(product), to_array(run.std_raw, dims),
       derived::worked({"products"}, raw_lines(run))},
      {"std_scaled", deviation_of(scaled), to_array(run.std_scaled, dims),
       derived::worked({"std_raw", "dims"}, scaled_lines(run))},
      {"scores_raw", row({}), to_array(run.raw.scores, rows)},
      {"scores_scaled", scaled, to_array(run.scaled.scores, rows),
       derived::worked({"scores_raw", "dims"}, scaled_score_lines(run))},
      {"weights_raw", formula::call("softmax", product), to_array(run.raw.weights, rows),
       derived::softmax("scores_raw")},
      {"weights_scaled", formula::call("softmax", scaled), to_array(run.scaled.weights, rows),
       derived::softmax("scores_scaled")},
  };
  add_saturation(stages, run, run.raw, "raw");
  add_saturation(stages, run, run.scaled, "scaled");
  return stages;
}

std::vector<Invariant> variance_invariants(const VarianceRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double rounding = epsilon * static_cast<double>(run.keys + 8);  // a sum over the keys
  double off = 0.0;
  double scaled_error = 0.0;
  for (std::size_t i = 0; i < run.dims.size(); ++i) {
    off = std::max(off, standard_errors(run, i));
    scaled_error =
        std::max(scaled_error, std::abs(run.std_scaled(i) - run.std_raw(i) / std::sqrt(run.dims(i))));
  }
  return {
      {"std_is_root_of_d",
       {"q·k の標準偏差と √d の差は標準誤差の 5 倍以内", "the std of q·k is √d, within 5 standard errors"},
       off,
       5.0},  // beyond 5 standard errors lies less than one run in a million
      {"std_scaled_is_std_over_root_of_d",
       {"割ったあとの標準偏差は、割る前の 1/√d", "the scaled std is the unscaled one over √d"},
       scaled_error,
       epsilon * static_cast<double>(run.pairs)},  // two sums over the pairs
      {"weights_sum_to_one",
       {"注意度の和は 1", "the weights sum to 1"},
       std::max(row_sum_error(run.raw.weights), row_sum_error(run.scaled.weights)),
       rounding},
      {"scaling_lowers_largest_weight",
       {"割ると、最大の注意度はどのクエリでも増えない", "scaling raises no query's largest weight"},
       excess(run.scaled.largest.each, run.raw.largest.each),
       rounding},
      {"scaling_raises_entropy",
       {"割ると、エントロピーはどのクエリでも減らない", "scaling lowers no query's entropy"},
       excess(run.raw.entropy.each, run.scaled.entropy.each),
       8.0 * rounding},  // each term p ln p is rounded, and ln p is up to 745 times p
      {"gradient_within_one_minus_squares",
       {"‖diag(p) − ppᵀ‖ は 1 − Σp² 以下", "‖diag(p) − ppᵀ‖ never exceeds 1 − Σp²"},
       std::max(gradient_excess(run.raw), gradient_excess(run.scaled)),
       rounding},
  };
}

}  // namespace attnlab
