// −Σ p ln p in nats along the last axis, which disappears.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

double entropy(const double* row, std::size_t length) {
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    if (row[i] != 0.0) sum -= row[i] * std::log(row[i]);  // p ln p goes to 0 with p
  }
  return sum;
}

Array computed_row_entropy(const Operands& of) {
  const std::size_t length = last_axis("row_entropy", of.a);
  if (length == 0) throw ShapeMismatch("row_entropy needs rows that are not empty");
  Array result;
  result.shape.assign(of.a.shape.begin(), of.a.shape.end() - 1);
  if (!of.a.axes.empty()) result.axes.assign(of.a.axes.begin(), of.a.axes.end() - 1);
  for (std::size_t start = 0; start < of.a.data.size(); start += length)
    result.data.push_back(entropy(of.a.data.data() + start, length));
  return result;
}

ExplanationLines explained_entropy(const Scene& scene) {
  const Array& result = scene.stage.array;
  const std::size_t place = result.shape.empty() ? 0 : std::min(scene.row, result.shape.back() - 1);
  Index index(result.shape.size(), 0);
  if (!index.empty()) index.back() = place;
  const double* shares = row_begin(scene.array(0), place);
  std::vector<double> terms(width_of(scene.array(0)));
  std::transform(shares, shares + terms.size(), terms.begin(),
                 [](double p) { return p > 0.0 ? p * std::log(p) : 0.0; });
  const Written sum = joined(shown_terms(terms), "+", [&](std::size_t k) {
    const Written p = written_in_brackets(shares[k]);
    return Written{row({p.formula, sym("·"), sym("ln"), p.formula}), p.exact};
  });
  return {Chain{element_name(scene.stage.name, index),
                {{relation(false), row({sym("−"), sym("("), sum.formula, sym(")")})},
                 result_link(result.data[place], false)}}};
}

}  // namespace

const OperationKind row_entropy_kind(Operation::row_entropy, 1, computed_row_entropy, explained_entropy,
                                     "row_entropy({0})", "{0} の行ごとのエントロピー −Σ p ln p",
                                     "the entropy −Σ p ln p of every row of {0}");

}  // namespace attnlab
