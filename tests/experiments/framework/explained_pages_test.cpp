// The LaTeX of every explanation keeps to the page: no row of a formula holds more digits and letters than
// stand side by side on A4 (a line of lualatex's output that is too wide is longer than that).
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/utf8.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/mistakes/mistakes.hpp"
#include "reports.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

constexpr std::size_t page = 92;  // digits of \small in 17 cm, less the spaces around signs

std::size_t letters_in(const std::string& text) { return decode_utf8(text).value_or(U"").size(); }

/// The row as if it were typed on one line: of a fraction the longer side, a sign or a letter for a command.
std::string typed(std::string row) {
  static const std::regex words(R"(\\(?:mathrm|operatorname|text)\{([^{}]*)\})");
  static const std::regex scripts(R"([_^]\{[^{}]*\}|\\[, ]|\\left|\\right|&|\\\\)");
  static const std::regex roots(R"(\\sqrt\{([^{}]*)\})");
  static const std::regex fractions(R"(\\frac\{([^{}]*)\}\{([^{}]*)\})");
  static const std::regex commands(R"(\\[A-Za-z]+ ?)");
  row = std::regex_replace(row, std::regex(R"(\\_)"), "_");
  row = std::regex_replace(row, words, "$1");
  row = std::regex_replace(row, scripts, "");
  std::smatch found;
  while (std::regex_search(row, found, roots))
    row = found.prefix().str() + "r" + found[1].str() + found.suffix().str();
  while (std::regex_search(row, found, fractions)) {
    const std::string side = found[1].length() > found[2].length() ? found[1] : found[2];
    row = found.prefix().str() + side + found.suffix().str();
  }
  row = std::regex_replace(row, std::regex(R"(\\qquad)"), "    ");
  row = std::regex_replace(row, commands, "x");
  row.erase(std::remove(row.begin(), row.end(), ' '), row.end());
  return row;
}

/// How many letters each row of the formulas takes, what it is indented by included.
std::vector<std::size_t> widths_of(const std::string& latex) {
  std::istringstream lines(latex);
  std::vector<std::size_t> widths;
  bool inside = false;
  std::size_t indent = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == "\\[" || line == "\\]") {
      inside = line == "\\[";
      indent = 0;
    } else if (inside && line.find("{aligned}") == std::string::npos) {
      const std::size_t mark = line.find('&');
      const std::size_t left = mark == std::string::npos ? 0 : letters_in(typed(line.substr(0, mark)));
      indent = std::max(indent, left);
      widths.push_back(indent - left + letters_in(typed(line)));
    }
  }
  return widths;
}

void check_rows(const Report& report) {
  const Explanation explanation = explain(report, Text::same("x"), 0);
  const std::vector<std::size_t> widths = widths_of(explanation_latex(explanation, Language::en));
  INFO(report.experiment);
  CHECK(widths.size() > 3);
  CHECK(*std::max_element(widths.begin(), widths.end()) <= page);
}

}  // namespace

TEST_CASE("a row is measured as it is read") {
  CHECK(typed(R"(\mathrm{raw\_scores} [ 0 , 1 ] &\approx \frac{1.25 + x}{\sqrt{4}} \\)") ==
        "raw_scores[0,1]x1.25+x");
  CHECK(typed(R"(W_{Q}^{2})") == "W");
}

TEST_CASE("no row of a LaTeX explanation is wider than the page") {
  for (const Experiment& experiment : experiments()) check_rows(run_with(experiment, {}));
  for (const Mistake& mistake : mistakes())
    check_rows(run_with(mistakes_experiment(), {{"mistake", mistake.name}}));
}

}  // namespace attnlab
