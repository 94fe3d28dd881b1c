// A + B and A − B, element by element, with NumPy's broadcasting.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

/// Of a sum or a difference.
ExplanationLines explained_pairs(const Scene& scene) {
  const char* sign = scene.stage.derivation.operation == Operation::sum ? "+" : "−";
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source left = source_of(scene, 0, column);
    const Source right = source_of(scene, 1, column);
    const Written a = written(left.value);
    const Written b = written_in_brackets(right.value);
    const bool exact = a.exact && b.exact;
    return {{{"=", row({left.name, sym(sign), right.name})},
             {relation(exact), row({a.formula, sym(sign), b.formula})}},
            exact};
  });
}

Array computed_sum(const Operands& of) { return each_pair("sum", of.a, of.b, std::plus<>()); }

Array computed_difference(const Operands& of) { return each_pair("difference", of.a, of.b, std::minus<>()); }

}  // namespace

const OperationKind sum_kind(Operation::sum, 2, computed_sum, explained_pairs, "{0} + {1}", "和 {0} + {1}",
                             "the sum {0} + {1}", "sum");
const OperationKind difference_kind(Operation::difference, 2, computed_difference, explained_pairs,
                                    "{0} - {1}", "差 {0} − {1}", "the difference {0} − {1}", "difference");

}  // namespace attnlab
