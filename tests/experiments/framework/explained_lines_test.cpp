// Every line of every explanation is written as a textbook writes numbers, in both languages.
#include <doctest/doctest.h>

#include <cctype>
#include <string>
#include <variant>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/worked_lines.hpp"
#include "experiments/mistakes/mistakes.hpp"
#include "reports.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

std::vector<Report> reports() {
  std::vector<Report> all;
  for (const Experiment& experiment : experiments()) all.push_back(run_with(experiment, {}));
  for (const Mistake& mistake : mistakes()) {
    all.push_back(run_with(mistakes_experiment(), {{"mistake", mistake.name}}));
  }
  return all;
}

Explanation explained(const Report& report, std::size_t row = 0) {
  return explain(report, Text::same("x"), row);
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_decimal_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool has_word(const std::string& line, const std::string& word) {
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const bool begins = at == 0 || (!is_letter(line[at - 1]) && line[at - 1] != '_');
    const std::size_t end = at + word.size();
    if (begins && (end == line.size() || (!is_letter(line[end]) && line[end] != '_'))) return true;
  }
  return false;
}

/// "1e+10", "2.5e-3"
bool has_computer_power(const std::string& line) {
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] != 'e' || !is_decimal_digit(line[i - 1])) continue;
    const bool sign = line[i + 1] == '+' || line[i + 1] == '-';
    const std::size_t power = sign ? i + 2 : i + 1;
    if (power < line.size() && is_decimal_digit(line[power])) return true;
  }
  return false;
}

bool has_hyphen_for_minus(const std::string& line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const std::size_t next = line[i + 1] == ' ' ? i + 2 : i + 1;
    if (line[i] == '-' && next < line.size() && (is_decimal_digit(line[next]) || line[next] == '.'))
      return true;
  }
  return false;
}

/// What is wrong with the line; "" for nothing.
std::string complaint(const std::string& line) {
  if (has_word(line, "inf")) return "inf instead of ∞";
  if (has_word(line, "nan")) return "nan instead of NaN";
  if (has_computer_power(line)) return "e instead of a power of ten";
  if (has_hyphen_for_minus(line)) return "a hyphen for a minus";
  if (contains(line, "...")) return "three points instead of ⋯";
  return "";
}

std::vector<std::string> formulas_of(const Chain& chain) {
  std::vector<std::string> lines{to_terminal(chain.left)};
  for (const Chain::Link& link : chain.links) lines.push_back(link.relation + " " + to_terminal(link.right));
  return lines;
}

std::vector<std::string> lines_of(const ExplanationStep& step) {
  std::vector<std::string> lines;
  for (const std::variant<Text, Chain>& line : step.lines) {
    if (const auto* chain = std::get_if<Chain>(&line)) {
      for (const std::string& formula : formulas_of(*chain)) lines.push_back(formula);
    } else {
      lines.push_back(std::get<Text>(line).ja());
      lines.push_back(std::get<Text>(line).en());
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("the complaints find what they are for") {
  for (const char* bad :
       {"x = -3", "a − -0.5", "1e+10", "2.5e-3", "3e5", "inf", "(−inf, 0)", "nan, 1", "1, ...", "|S - 2|"}) {
    INFO(bad);
    CHECK(complaint(bad) != "");
  }
  for (const char* good :
       {"x = −3", "1 × 10¹⁰", "∞", "NaN", "influence[0]", "layer_inf_0", "one2e", "⋯", "a-b"}) {
    INFO(good);
    CHECK(complaint(good) == "");
  }
}

TEST_CASE("explanations hold no computer's numbers") {
  for (const Report& report : reports()) {
    for (const ExplanationStep& step : explained(report).steps) {
      for (const std::string& line : lines_of(step)) {
        INFO(report.experiment, " ", step.title.en(), ": ", line);
        CHECK(complaint(line) == "");
      }
    }
  }
}

TEST_CASE("from the first rounded side on a line says about") {
  using worked::number;
  const Chain exact =
      worked::equation(formula::sym("x"), {worked::quotient(number(1), number(4)), number(0.25)});
  CHECK(exact.links[0].relation == "=");
  CHECK(exact.links[1].relation == "=");
  const Chain rounded = worked::equation(
      formula::sym("x"), {worked::quotient(number(1), number(3)), number(1.0 / 3.0), number(2)});
  CHECK(rounded.links[0].relation == "=");
  CHECK(rounded.links[1].relation == "≈");
  CHECK(rounded.links[2].relation == "≈");
}

TEST_CASE("each mistake explains the right and the wrong result from the same inputs") {
  for (const Mistake& mistake : mistakes()) {
    const Report report = run_with(mistakes_experiment(), {{"mistake", mistake.name}});
    INFO(mistake.name);
    std::size_t results = 0;
    for (const Stage& one : report.stages) {
      const bool result = contains(one.name, "_right") ||
                          (one.name.size() > 6 && one.name.rfind("_wrong") == one.name.size() - 6);
      if (!result) continue;
      ++results;
      INFO(one.name);
      CHECK(one.derivation.operation != Derivation::Operation::input);
      CHECK(!one.derivation.operands.empty());
    }
    CHECK(results == 2);
    const std::string text = explanation_text(explained(report, 1), Language::en, Colouring::plain);
    CHECK(contains(text, "right"));
    CHECK(contains(text, "≈"));
  }
}

}  // namespace attnlab
