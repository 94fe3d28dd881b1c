// Functions of single elements: number^A (exp where the number is e), tanh A, max(0, A).
#include "results/operations/operation.hpp"

#include "results/operations/loops.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sup;
using formula::sym;

/// 2^x, exp(x), tanh(x), max(0, x): of a name or of a number.
Formula applied(const Derivation& function, const Formula& x) {
  if (function.operation == Operation::relu) return call("max", row({sym("0"), sym(","), x}));
  if (function.operation == Operation::tanh) return call("tanh", x);
  if (function.is_of_e()) return call("exp", x);
  return sup(written(function.number).formula, x);
}

ExplanationLines explained_elements(const Scene& scene) {
  const Derivation& function = scene.stage.derivation;
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Written number = written(source.value);
    return {
        {{"=", applied(function, source.name)}, {relation(number.exact), applied(function, number.formula)}},
        number.exact};
  });
}

std::string power_in_numpy(const Stage& stage, const std::vector<Stage>&) {
  const Derivation& how = stage.derivation;
  return how.is_of_e() ? fmt::format("np.exp({})", how.operands[0])
                       : fmt::format("{} ** {}", python_repr(how.number), how.operands[0]);
}

Array computed_power(const Operands& of) {
  return each(of.a, [base = of.number](double x) { return std::pow(base, x); });
}

Array computed_tanh(const Operands& of) {
  return each(of.a, [](double x) { return std::tanh(x); });
}

Array computed_relu(const Operands& of) {
  return each(of.a, [](double x) { return x < 0.0 ? 0.0 : x; });  // NaN stays NaN
}

}  // namespace

const OperationKind power_kind(Operation::power, 1, computed_power, explained_elements, "",
                               "{0} の要素ごとの {2} の累乗（{2} を底とし、要素を指数とする）",
                               "{2} to the power of every element of {0}", "power", power_in_numpy);
const OperationKind tanh_kind(Operation::tanh, 1, computed_tanh, explained_elements, "np.tanh({0})",
                              "{0} の要素ごとの tanh", "tanh of every element of {0}", "tanh");
const OperationKind relu_kind(Operation::relu, 1, computed_relu, explained_elements, "relu({0})",
                              "{0} の要素ごとの max(0, x)", "max(0, x) of every element of {0}", "relu");

}  // namespace attnlab
