// A over its sums along the last axis.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::fraction;
using formula::row;
using formula::sym;

void share(double* row, std::size_t length) {
  const double sum = std::accumulate(row, row + length, 0.0);
  for (std::size_t i = 0; i < length; ++i) row[i] /= sum;
}

/// a / (a + b + c)
ExplanationLines explained_share(const Scene& scene) {
  const double* terms = row_begin(scene.array(0), scene.row);
  const Written sum = written_sum(terms, width_of(scene.array(0)));
  const Formula whole = row({sym("Σ"), element_name(scene.name(0), row_index_of(scene.array(0), scene.row))});
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Written part = written(source.value);
    const bool exact = part.exact && sum.exact;
    return {{{"=", fraction(source.name, whole)}, {relation(exact), fraction(part.formula, sum.formula)}},
            exact};
  });
}

Array computed_row_share(const Operands& of) { return each_row("row_share", of.a, share); }

}  // namespace

const OperationKind row_share_kind(Operation::row_share, 1, computed_row_share, explained_share,
                                   "{0} / {0}.sum(axis=-1, keepdims=True)",
                                   "{0} の各要素を、その行の和で割る",
                                   "every element of {0} over the sum of its row", "row share");

}  // namespace attnlab
