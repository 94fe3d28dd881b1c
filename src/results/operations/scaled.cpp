// number · A.
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

ExplanationLines explained_scaling(const Scene& scene) {
  const double factor = scene.stage.derivation.number;
  if (factor == 1.0) return {text("{} と同じです。", "The same as {}.", scene.name(0))};
  const Written scale = written_in_brackets(factor);
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Written number = written_in_brackets(source.value);
    const bool exact = scale.exact && number.exact;
    return {{{relation(scale.exact), row({scale.formula, sym("·"), source.name})},
             {relation(exact), row({scale.formula, sym("·"), number.formula})}},
            exact};
  });
}

std::string scaled_in_numpy(const Stage& stage, const std::vector<Stage>&) {
  const Derivation& how = stage.derivation;
  if (how.number == 1.0) return how.operands[0];
  if (!how.code.empty()) return how.operands[0] + how.code;
  return fmt::format("{} * {}", python_repr(how.number), how.operands[0]);
}

Text scaled_in_words(const Derivation& how) {
  if (how.number == 1.0) return text("{} と同じ", "the same as {}", how.operands[0]);
  return text("{} を {} 倍する", "{} times {}", how.operands[0], fmt::format("{:.8g}", how.number));
}

Array computed_scaled(const Operands& of) {
  return each(of.a, [by = of.number](double x) { return by * x; });
}

}  // namespace

const OperationKind scaled_kind(Operation::scaled, 1, computed_scaled, explained_scaling, "", "", "",
                                "scaled", scaled_in_numpy, scaled_in_words);

}  // namespace attnlab
