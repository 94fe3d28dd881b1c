// Layer normalisation along the last axis, with the variance (ddof 0) and eps.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::fraction;
using formula::root;
using formula::row;
using formula::sup;
using formula::sym;

void normalise(double* row, std::size_t length, double eps) {
  const auto count = static_cast<double>(length);
  const double mean = std::accumulate(row, row + length, 0.0) / count;
  double variance = 0.0;
  for (std::size_t i = 0; i < length; ++i) variance += (row[i] - mean) * (row[i] - mean);
  variance /= count;
  for (std::size_t i = 0; i < length; ++i) row[i] = (row[i] - mean) / std::sqrt(variance + eps);
}

ExplanationLines explained_layer_norm(const Scene& scene) {
  const double* x = row_begin(scene.array(0), scene.row);
  const std::size_t count = width_of(scene.array(0));
  const auto length = static_cast<double>(count);
  const double mean = std::accumulate(x, x + count, 0.0) / length;
  std::vector<double> terms;
  for (std::size_t k = 0; k < count; ++k) terms.push_back((x[k] - mean) * (x[k] - mean) / length);
  const double variance = std::accumulate(terms.begin(), terms.end(), 0.0);

  const Formula n = sym(std::to_string(count));
  const Written mu = written_in_brackets(mean);
  const Written squares = joined(shown_terms(terms), "+", [&](std::size_t k) {
    const Formula value = written(x[k]).formula;
    return Written{sup(row({sym("("), value, sym("−"), mu.formula, sym(")")}), sym("2")), false};
  });
  ExplanationLines lines;
  lines.push_back(Chain{
      sym("μ"), {{relation(false), fraction(written_sum(x, count).formula, n)}, result_link(mean, false)}});
  lines.push_back(Chain{sup(sym("σ"), sym("2")),
                        {{relation(false), fraction(squares.formula, n)}, result_link(variance, false)}});
  const Written eps = written(scene.stage.derivation.number);
  const Formula divisor = root(row({written(variance).formula, sym("+"), eps.formula}));
  return with_entries(std::move(lines), scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Formula symbolic = fraction(row({source.name, sym("−"), sym("μ")}),
                                      root(row({sup(sym("σ"), sym("2")), sym("+"), sym("ε")})));
    const Formula numbers = fraction(row({written(source.value).formula, sym("−"), mu.formula}), divisor);
    return {{{"=", symbolic}, {relation(false), numbers}}};
  });
}

Array computed_layer_norm(const Operands& of) {
  return each_row("layer_norm", of.a,
                  [&](double* row, std::size_t length) { normalise(row, length, of.number); });
}

}  // namespace

const OperationKind layer_norm_kind(
    Operation::layer_norm, 1, computed_layer_norm, explained_layer_norm, "layer_norm({0}, eps={2})",
    "{0} の行ごとに、平均を引き √(分散 + {2}) で割る（分散は個数で割ったもの）",
    "every row of {0} minus its mean, over √(variance + {2}); the variance is a mean, too");

}  // namespace attnlab
