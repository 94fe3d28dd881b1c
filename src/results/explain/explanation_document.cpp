// An explanation on a terminal of 80 columns, and as a document, its formulas cut where a textbook would:
// Markdown for a notebook or a web page, LaTeX for a sheet of paper.
#include <initializer_list>

#include "core/escape.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

using Kind = Formula::Kind;
using Parts = std::vector<Formula>;

bool is_one_of(const Formula& part, std::initializer_list<std::string_view> marks) {
  return part.kind == Kind::symbol && std::find(marks.begin(), marks.end(), part.symbol) != marks.end();
}
bool opens(const Formula& part) { return is_one_of(part, {"(", "["}); }
bool closes(const Formula& part) {
  const Formula& base = part.kind == Kind::sup || part.kind == Kind::sub ? part.parts.front() : part;
  return is_one_of(base, {")", "]"});
}
bool separates(const Formula& part) { return is_one_of(part, {",", ";"}); }
bool joins(const Formula& part) { return is_one_of(part, {"+", "−", "=", "≈", "<", "→"}); }

/// The formula with every fraction replaced by its wider side.
Formula unstacked(const Formula& formula) {
  if (formula.kind == Kind::fraction) {
    const bool above = columns_of(formula.parts[0]) >= columns_of(formula.parts[1]);
    return unstacked(formula.parts[above ? 0 : 1]);
  }
  Formula result = formula;
  for (Formula& part : result.parts) part = unstacked(part);
  return result;
}

/// Rows within rows as one.
Parts flat(const Formula& formula) {
  if (formula.kind != Kind::row) return {formula};
  Parts parts;
  for (const Formula& part : formula.parts) {
    const Parts inner = flat(part);
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  return parts;
}

/// Whether the first bracket closes at the end and nowhere before.
bool is_bracketed(const Parts& parts) {
  int depth = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (opens(parts[i])) ++depth;
    if (closes(parts[i])) --depth;
    if (depth == 0) return i > 0 && i + 1 == parts.size() && parts[i].kind == Kind::symbol;
  }
  return false;
}

/// The formula's parts; fractions wider than `columns` are written as 1/n (a + b).
Parts spread(const Formula& formula, std::size_t columns) {
  Parts parts;
  for (const Formula& part : flat(formula)) {
    if (part.kind != Kind::fraction || columns_of(part) <= columns) {
      parts.push_back(part);
      continue;
    }
    const Parts numerator = spread(part.parts[0], columns);
    const bool bracketed = is_bracketed(numerator);
    parts.push_back(formula::fraction(formula::sym("1"), part.parts[1]));
    if (!bracketed) parts.push_back(formula::sym("("));
    parts.insert(parts.end(), numerator.begin(), numerator.end());
    if (!bracketed) parts.push_back(formula::sym(")"));
  }
  return parts;
}

/// Cut where brackets are at most `deepest` deep.
std::vector<Parts> pieces_of(const Parts& parts, int deepest) {
  std::vector<Parts> pieces(1);
  int depth = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool sign = i == 0 || opens(parts[i - 1]) || separates(parts[i - 1]) || joins(parts[i - 1]);
    const bool cut = i > 0 && (separates(parts[i - 1]) || (joins(parts[i]) && !sign));
    if (cut && depth <= deepest) pieces.emplace_back();
    if (opens(parts[i])) ++depth;
    if (closes(parts[i])) --depth;
    pieces.back().push_back(parts[i]);
  }
  return pieces;
}

bool fits(const Parts& parts, std::size_t columns) { return columns_of(formula::row(parts)) <= columns; }

/// As many pieces on each line as it takes.
std::vector<Formula> filled(const std::vector<Parts>& pieces, std::size_t columns) {
  std::vector<Parts> lines(1);
  for (const Parts& piece : pieces) {
    Parts longer = lines.back();
    longer.insert(longer.end(), piece.begin(), piece.end());
    if (lines.back().empty() || fits(longer, columns)) {
      lines.back() = std::move(longer);
    } else {
      lines.push_back(piece);
    }
  }
  std::vector<Formula> rows;
  rows.reserve(lines.size());
  for (Parts& line : lines) rows.push_back(formula::row(std::move(line)));
  return rows;
}

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

// --- LaTeX -------------------------------------------------------------------------------------------------

constexpr std::array<std::pair<std::string_view, std::string_view>, 19> escapes{{
    {"\\", "\\textbackslash{}"},
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
    {"→", "$\\to$"},
}};

std::string latex_escaped(const std::string& text) {
  std::string escaped;
  for (const char32_t character : decode_utf8(text).value_or(U"?")) {
    const std::string letter = encode_utf8(character);
    const auto* found = std::find_if(escapes.begin(), escapes.end(),
                                     [&](const auto& escape) { return escape.first == letter; });
    escaped += found == escapes.end() ? letter : found->second;
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

constexpr std::size_t line_indent = 3;
constexpr std::size_t link_indent = 6;

std::string link_text(const Chain::Link& link) { return link.relation + ' ' + to_terminal(link.right); }

/// On one line where it fits, else every relation on a line of its own.
std::string chain_text(const Chain& chain) {
  std::string line = to_terminal(chain.left);
  for (const Chain::Link& link : chain.links) line += ' ' + link_text(link);
  if (display_width(line) + line_indent <= report_width) return std::string(line_indent, ' ') + line + '\n';
  if (chain.links.empty()) return indented(line, line_indent, link_indent);
  std::string text =
      indented(to_terminal(chain.left) + ' ' + link_text(chain.links.front()), line_indent, link_indent);
  for (std::size_t i = 1; i < chain.links.size(); ++i)
    text += indented(link_text(chain.links[i]), link_indent, link_indent + 2);
  return text;
}

/// Step by step: `heading(numbered title)`, then `words` and `chain` of its lines.
template <class Heading, class Words, class Line>
std::string written_out(const Explanation& explanation, Language language, Heading heading, Words words,
                        Line chain) {
  std::string text;
  std::size_t number = 0;
  for (const ExplanationStep& step : explanation.steps) {
    text += heading(std::to_string(++number) + ". " + step.title.in(language));
    for (const std::variant<Text, Chain>& line : step.lines) {
      const Text* sentence = std::get_if<Text>(&line);
      text += sentence != nullptr ? words(sentence->in(language)) : chain(std::get<Chain>(line));
    }
  }
  return text;
}

}  // namespace

std::size_t columns_of(const Formula& formula) { return display_width(to_terminal(unstacked(formula))); }

std::vector<Formula> broken(const Formula& formula, std::size_t columns) {
  if (columns_of(formula) <= columns) return {formula};
  constexpr int deepest = 2;
  const Parts parts = spread(formula, columns);
  std::vector<Parts> pieces = pieces_of(parts, 0);
  for (int depth = 1; depth <= deepest; ++depth) {
    const bool all_fit = std::all_of(pieces.begin(), pieces.end(),
                                     [columns](const Parts& piece) { return fits(piece, columns); });
    if (!all_fit) pieces = pieces_of(parts, depth);
  }
  return filled(pieces, columns);
}

std::string explanation_markdown(const Explanation& explanation, Language language) {
  return "# " + markdown_text(explanation.title.in(language)) + "\n\n" +
         markdown_text(explanation.introduction.in(language)) + "\n" +
         written_out(
             explanation, language,
             [](const std::string& title) { return "\n## " + markdown_text(title) + "\n"; },
             [](const std::string& words) { return "\n" + markdown_text(words) + "\n"; },
             [](const Chain& chain) { return "\n$$\n" + chain_in_latex(chain) + "\n$$\n"; });
}

std::string explanation_latex(const Explanation& explanation, Language language) {
  const std::string body =
      "\\section*{" + latex_escaped(explanation.title.in(language)) + "}\n" +
      latex_escaped(explanation.introduction.in(language)) + "\n" +
      written_out(
          explanation, language,
          [](const std::string& title) { return "\n\\subsection*{" + latex_escaped(title) + "}\n"; },
          [](const std::string& words) { return latex_escaped(words) + "\n"; },
          [](const Chain& chain) { return "\\[\n" + chain_in_latex(chain) + "\n\\]\n"; });
  return preamble(language, body) +
         "\\begin{document}\n\\small  % so that a sum of four products fits a line\n" + body +
         "\\end{document}\n";
}

std::string explanation_text(const Explanation& explanation, Language language, Colouring colouring) {
  return bold_lines(explanation.title.in(language), colouring) + '\n' +
         indented(explanation.introduction.in(language), 0, 0) +
         written_out(
             explanation, language,
             [colouring](const std::string& title) { return '\n' + bold_lines(title, colouring); },
             [](const std::string& words) { return indented(words, line_indent, line_indent); }, chain_text);
}

}  // namespace attnlab
