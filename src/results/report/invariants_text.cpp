// What must hold of a run, in one line or in one line each.
#include "results/report/terminal.hpp"

namespace attnlab {
namespace {

/// libstdc++ would print -nan.
std::string small_number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.2g}", value); }

Text evidence_of(const Invariant& invariant) {
  return text("{}：{}（誤差 {}、許容 {}）", "{}: {} (error {}, allowed {})", invariant.name,
              invariant.statement, small_number(invariant.error), small_number(invariant.tolerance));
}

std::string line_of(const Invariant& invariant, InvariantLines wanted, Language language,
                    Colouring colouring) {
  const bool good = holds(invariant);
  const Text mark = good ? Text{"成立", "holds"} : Text{"不成立", "VIOLATED"};
  const Text reported =
      good && wanted == InvariantLines::stated ? invariant.statement : evidence_of(invariant);
  const std::string marked = styled(mark.in(language), good ? ansi::bold_green : ansi::bold_red, colouring);
  return indented(reported.in(language), 0, 4).insert(0, marked + " ");
}

}  // namespace

std::vector<Text> violations(const std::vector<Invariant>& invariants) {
  std::vector<Text> found;
  for (const Invariant& invariant : invariants) {
    if (holds(invariant)) continue;
    found.push_back(
        text("不変量が成り立っていません。{}", "an invariant does not hold: {}", evidence_of(invariant)));
  }
  return found;
}

bool all_hold(const std::vector<Invariant>& invariants) {
  return std::all_of(invariants.begin(), invariants.end(), holds);
}

std::string invariants_text(const std::vector<Invariant>& invariants, InvariantLines wanted,
                            Language language, Colouring colouring) {
  std::string lines;
  for (const Invariant& invariant : invariants) {
    if (wanted != InvariantLines::one || !holds(invariant))
      lines += line_of(invariant, wanted, language, colouring);
  }
  if (invariants.empty() || !all_hold(invariants) || wanted != InvariantLines::one) return lines;
  return text("不変量（{} 個）はすべて成り立っています（--verbose で 1 つずつ表示）。\n",
              "Invariants: all {} hold (--verbose shows each).\n", invariants.size())
      .in(language);
}

}  // namespace attnlab
