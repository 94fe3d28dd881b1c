// An explanation as a document: Markdown for a notebook or a web page, LaTeX for a sheet of paper.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.hpp"
#include "results/explain/broken_lines.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

// How many digits stand side by side on a page, and what a relation and an indented line take of them.
constexpr std::size_t page_columns = 104;
constexpr std::size_t relation_columns = 3;
constexpr std::size_t indent_columns = 4;
constexpr std::size_t widest_left = page_columns / 3;  // that relations stand behind

/// The relation with the beginning of what stands behind it, and the rest in further rows, indented.
std::vector<std::string> rows_of(const Chain::Link& link, std::size_t columns) {
  std::vector<std::string> rows;
  for (const Formula& piece : broken(link.right, columns)) {
    const std::string before = rows.empty() ? to_latex(formula::sym(link.relation)) + " " : "\\qquad ";
    rows.push_back(before + to_latex(piece));
  }
  return rows;
}

/// For display mode. Several links stand under each other, behind the left side or, if it is long, below it.
std::string chain_in_latex(const Chain& chain) {
  std::string left = to_latex(chain.left);
  if (chain.links.empty()) return left;
  const std::size_t left_columns = columns_of(chain.left) + relation_columns;
  const Chain::Link& first = chain.links.front();
  if (chain.links.size() == 1 && left_columns + columns_of(first.right) <= page_columns) {
    return left + " " + rows_of(first, page_columns).front();
  }
  const bool beside = left_columns <= widest_left;
  const std::size_t taken = (beside ? left_columns : relation_columns + indent_columns) + indent_columns;
  const std::string row_end = " \\\\\n";
  std::vector<std::string> rows;
  for (const Chain::Link& link : chain.links) {
    for (const std::string& row : rows_of(link, page_columns - taken)) rows.push_back(row);
  }
  std::string latex = "\\begin{aligned}\n" + (beside ? left : "&" + left + row_end);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    latex += (i == 0 ? " &" : row_end + " &") + (beside ? "" : "\\quad ") + rows[i];
  }
  return latex + "\n\\end{aligned}";
}

// --- Markdown ----------------------------------------------------------------------------------------------

std::string markdown_escaped(const std::string& text) {
  constexpr std::string_view marks = "\\`*_{}[]<>#|$~";
  std::string escaped;
  for (const char letter : text) {
    if (marks.find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

// --- LaTeX -------------------------------------------------------------------------------------------------

struct Escape {
  std::string_view character;
  std::string_view latex;
};
constexpr std::array<Escape, 19> escapes{{{"\\", "\\textbackslash{}"},
                                          {"{", "\\{"},
                                          {"}", "\\}"},
                                          {"$", "\\$"},
                                          {"&", "\\&"},
                                          {"#", "\\#"},
                                          {"%", "\\%"},
                                          {"_", "\\_"},
                                          {"^", "\\textasciicircum{}"},
                                          {"~", "\\textasciitilde{}"},
                                          {"<", "$<$"},
                                          {">", "$>$"},
                                          {"|", "$|$"},
                                          {"≈", "$\\approx$"},
                                          {"×", "$\\times$"},
                                          {"·", "$\\cdot$"},
                                          {"√", "$\\surd$"},
                                          {"−", "$-$"},
                                          {"→", "$\\to$"}}};

std::string latex_escaped(const std::string& text) {
  std::string escaped;
  for (const char32_t character : decode_utf8(text).value_or(U"?")) {
    const std::string letter = encode_utf8(character);
    const auto* found = std::find_if(escapes.begin(), escapes.end(),
                                     [&](const Escape& escape) { return escape.character == letter; });
    escaped += found == escapes.end() ? letter : std::string(found->latex);
  }
  return escaped;
}

/// Han, kana and full-width characters, for which TeX needs other fonts.
bool has_japanese(const std::string& text) {
  const std::u32string characters = decode_utf8(text).value_or(U"");
  return std::any_of(characters.begin(), characters.end(),
                     [](char32_t character) { return character >= 0x2E80 && character <= 0xFFEF; });
}

std::string preamble(Language language, const std::string& body) {
  // luatexja's own class sets Japanese; an English text may still hold Japanese labels.
  std::string text = language == Language::ja ? "\\documentclass[a4paper]{ltjsarticle}\n"
                                              : "\\documentclass[a4paper]{article}\n";
  if (language == Language::en && has_japanese(body)) text += "\\usepackage{luatexja}\n";
  return "% lualatex " + std::string(language == Language::ja ? "で組版してください" : "compiles this file") +
         "\n" + text + "\\usepackage{amsmath,amssymb}\n\\usepackage[margin=2cm]{geometry}\n" +
         "\\allowdisplaybreaks\n";
}

}  // namespace

std::string explanation_markdown(const Explanation& explanation, Language language) {
  std::string text = "# " + markdown_escaped(explanation.title.in(language)) + "\n\n" +
                     markdown_escaped(explanation.introduction.in(language)) + "\n";
  std::size_t number = 0;
  for (const ExplanationStep& step : explanation.steps) {
    text += "\n## " + std::to_string(++number) + ". " + markdown_escaped(step.title.in(language)) + "\n";
    for (const std::variant<Text, Chain>& line : step.lines) {
      const Text* words = std::get_if<Text>(&line);
      text += words != nullptr ? "\n" + markdown_escaped(words->in(language)) + "\n"
                               : "\n$$\n" + chain_in_latex(std::get<Chain>(line)) + "\n$$\n";
    }
  }
  return text;
}

std::string explanation_latex(const Explanation& explanation, Language language) {
  std::string body = "\\section*{" + latex_escaped(explanation.title.in(language)) + "}\n" +
                     latex_escaped(explanation.introduction.in(language)) + "\n";
  std::size_t number = 0;
  for (const ExplanationStep& step : explanation.steps) {
    body +=
        "\n\\subsection*{" + std::to_string(++number) + ". " + latex_escaped(step.title.in(language)) + "}\n";
    for (const std::variant<Text, Chain>& line : step.lines) {
      const Text* words = std::get_if<Text>(&line);
      body += words != nullptr ? latex_escaped(words->in(language)) + "\n"
                               : "\\[\n" + chain_in_latex(std::get<Chain>(line)) + "\n\\]\n";
    }
  }
  return preamble(language, body) +
         "\\begin{document}\n\\small  % so that a sum of four products fits a line\n" + body +
         "\\end{document}\n";
}

}  // namespace attnlab
