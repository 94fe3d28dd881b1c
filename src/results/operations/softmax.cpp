// softmax along the last axis, with the maximum subtracted.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::fraction;
using formula::row;
using formula::sym;

void softmax_of_row(double* row, std::size_t length) {
  const double shift = maximum_of(row, length);
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    row[i] = std::exp(row[i] - shift);
    sum += row[i];
  }
  for (std::size_t i = 0; i < length; ++i) row[i] /= sum;
}

/// max(1.2, 0.3, ⋯, 0.7) = 1.2
Chain maximum_line(const Formula& name, const double* values, std::size_t count, double largest) {
  std::vector<double> is_largest(count);
  std::transform(values, values + count, is_largest.begin(),
                 [&](double value) { return value == largest ? 1.0 : 0.0; });
  const Written list =
      joined(shown_terms(is_largest), ",", [values](std::size_t i) { return written(values[i]); });
  return {name, {{relation(list.exact), call("max", list.formula)}, result_link(largest, list.exact)}};
}

/// "masked[0, k]".
Formula entry_k(const Scene& scene) {
  std::vector<std::string> places = texts_of(row_index_of(scene.array(0), scene.row));
  places.emplace_back("k");
  return element_name(scene.name(0), places);
}

ExplanationLines explained_softmax(const Scene& scene) {
  const double* scores = row_begin(scene.array(0), scene.row);
  const std::size_t count = width_of(scene.array(0));
  const double largest = maximum_of(scores, count);
  std::vector<double> exponentials(count);
  for (std::size_t k = 0; k < count; ++k) exponentials[k] = std::exp(scores[k] - largest);
  const double sum = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);

  ExplanationLines lines{maximum_line(sym("m"), scores, count, largest)};
  const Written m = written_in_brackets(largest);
  const auto shifted = [&](std::size_t k) {
    const Written x = written(scores[k]);
    return Written{call("exp", row({x.formula, sym("−"), m.formula})), x.exact && m.exact};
  };
  const Written exponents = joined(shown_terms(exponentials), "+", shifted);
  const Written terms = written_sum(exponentials.data(), count);
  lines.push_back(Chain{
      sym("Z"),
      {{"=", row({formula::sub(sym("Σ"), sym("k")), call("exp", row({entry_k(scene), sym("−"), sym("m")}))})},
       {relation(false), exponents.formula},
       {relation(false), terms.formula},
       result_link(sum, false)}});
  return with_entries(std::move(lines), scene, [&](std::size_t column) -> Working {
    const Written upper = shifted(column);
    return {{{relation(upper.exact), fraction(upper.formula, sym("Z"))},
             {relation(false), fraction(written(exponentials[column]).formula, written(sum).formula)}}};
  });
}

Array computed_softmax(const Operands& of) { return each_row("softmax", of.a, softmax_of_row); }

}  // namespace

const OperationKind softmax_kind(Operation::softmax, 1, computed_softmax, explained_softmax, "softmax({0})",
                                 "{0} の行（最後の軸）ごとの softmax。どの行の和も 1",
                                 "the softmax of {0} along its rows (the last axis); every row sums to 1",
                                 "softmax");

}  // namespace attnlab
