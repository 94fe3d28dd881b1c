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

/// How `code` multiplies by the number, as the formula has it: 1 / √8 is a division by math.sqrt(8), 1 / n
/// one by n; 0.5 may be either, or a factor.
std::string scaled_code(const std::string& code, double number, const std::string& formula) {
  if (number == 1.0) return code;
  const double square = std::round(1.0 / (number * number));
  const double whole = std::round(1.0 / number);
  const bool is_small = number > 0.0 && number < 1.0 && square < 1e6;
  if (is_small && formula.find("√") != std::string::npos && 1.0 / std::sqrt(square) == number)
    return fmt::format("{} / math.sqrt({:.0f})", code, square);
  if (is_small && formula.find('/') != std::string::npos && 1.0 / whole == number)
    return fmt::format("{} / {:.0f}", code, whole);
  return fmt::format("{} * {}", python_repr(number), code);
}

std::string scaled_in_numpy(const Stage& stage, const std::vector<Stage>&) {
  return scaled_code(stage.derivation.operands[0], stage.derivation.number, to_terminal(stage.formula));
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
