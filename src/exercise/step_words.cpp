#include "exercise/step_words.hpp"

#include <cctype>

#include "core/named.hpp"
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

/// Whether every function of the expression is NumPy's own: those of results/code/helpers.py are not at hand
/// where a sheet is solved.
bool is_plain_numpy(const std::string& code) {
  for (std::size_t open = code.find('('); open != std::string::npos; open = code.find('(', open + 1)) {
    std::size_t begin = open;
    const auto is_letter = [&](std::size_t place) {
      const auto letter = static_cast<unsigned char>(code[place]);
      return std::isalnum(letter) != 0 || letter == '_' || letter == '.';
    };
    while (begin > 0 && is_letter(begin - 1)) --begin;
    const std::string name = code.substr(begin, open - begin);
    if (!name.empty() && name.rfind("np.", 0) != 0 && name.rfind("math.", 0) != 0) return false;
  }
  return !code.empty();
}

Text worked_words(const Stage& stage) {
  if (is_plain_numpy(stage.derivation.code)) {
    return text("NumPy で書けば {}", "in NumPy {}", stage.derivation.code);
  }
  return text("{} から、上の式のとおり", "from {}, as the formula says",
              joined(stage.derivation.operands, ", "));
}

}  // namespace

bool can_be_recorded(const Stage& stage) {
  const Derivation& derivation = stage.derivation;
  if (derivation.operation == Derivation::Operation::worked) {
    return !derivation.operands.empty() && is_plain_numpy(derivation.code);
  }
  return derivation.is_computed();
}

Text words_of(const Stage& stage) {
  const Derivation& derivation = stage.derivation;
  const OperationKind* kind = kind_of(derivation.operation);
  if (kind == nullptr) return derivation.is_computed() ? worked_words(stage) : Text{"与えられた値", "given"};
  if (kind->words_of != nullptr) return kind->words_of(derivation);
  const std::string number = derivation.is_of_e() ? "e" : fmt::format("{:.8g}", derivation.number);
  return text(kind->ja, kind->en, derivation.operands.front(), derivation.operands.back(), number);
}

Text sentence_of(const Stage& step, std::size_t number) {
  const std::string formula = to_terminal(step.formula);
  const Text what = words_of(step);
  if (formula.empty()) return text("{}. {}\n{}。", "{}. {}\n{}.", number, headline_of(step), what);
  return text("{}. {}\n{} … {}。", "{}. {}\n{} ... {}.", number, headline_of(step), formula, what);
}

Text task_of(const Exercise& exercise) {
  const std::string names = joined(names_of(exercise.requested), ", ");
  if (exercise.provided.empty()) {
    return text("次の手順で {} を計算し、小数第 4 位まで求めなさい。",
                "Compute {} in these steps, to 4 decimals.", names);
  }
  return text("下の {} から、次の手順で {} を計算し、小数第 4 位まで求めなさい。",
              "From {} below, compute {} in these steps, to 4 decimals.",
              joined(names_of(exercise.provided), ", "), names);
}

}  // namespace attnlab
