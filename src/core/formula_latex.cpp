// A formula as LaTeX: the tree as it is, with fractions, roots, and letters that TeX knows.
#include <cctype>

#include "core/escape.hpp"
#include "core/formula_line.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

using Kind = Formula::Kind;

// --- Symbols -----------------------------------------------------------------------------------------------

struct Translation {
  std::string_view character;
  std::string_view latex;
};

constexpr std::array<Translation, 138> translations{{
    {"−", "-"},          {"·", "\\cdot"},       {"×", "\\times"},
    {"⋯", "\\cdots"},    {"…", "\\dots"},       {"±", "\\pm"},
    {"∓", "\\mp"},       {"√", "\\surd"},       {"∑", "\\sum"},
    {"∏", "\\prod"},     {"∞", "\\infty"},      {"≈", "\\approx"},
    {"≤", "\\le"},       {"≥", "\\ge"},         {"≠", "\\ne"},
    {"≡", "\\equiv"},    {"∝", "\\propto"},     {"∈", "\\in"},
    {"∉", "\\notin"},    {"→", "\\to"},         {"←", "\\gets"},
    {"↦", "\\mapsto"},   {"≪", "\\ll"},         {"≫", "\\gg"},
    {"⊙", "\\odot"},     {"∘", "\\circ"},       {"°", "^{\\circ}"},
    {"‖", "\\|"},        {"∥", "\\|"},          {"∂", "\\partial"},
    {"∇", "\\nabla"},    {"∫", "\\int"},        {"′", "'"},
    {"⊤", "\\top"},      {"ℝ", "\\mathbb{R}"},  {"ᵀ", "^{\\top}"},
    {"⁰", "^{0}"},       {"¹", "^{1}"},         {"²", "^{2}"},
    {"³", "^{3}"},       {"⁴", "^{4}"},         {"⁵", "^{5}"},
    {"⁶", "^{6}"},       {"⁷", "^{7}"},         {"⁸", "^{8}"},
    {"⁹", "^{9}"},       {"⁻", "^{-}"},         {"₀", "_{0}"},
    {"₁", "_{1}"},       {"₂", "_{2}"},         {"₃", "_{3}"},
    {"₄", "_{4}"},       {"₅", "_{5}"},         {"₆", "_{6}"},
    {"₇", "_{7}"},       {"₈", "_{8}"},         {"₉", "_{9}"},
    {"ᵢ", "_{i}"},       {"ⱼ", "_{j}"},         {"ₖ", "_{k}"},
    {"α", "\\alpha"},    {"β", "\\beta"},       {"γ", "\\gamma"},
    {"δ", "\\delta"},    {"ε", "\\varepsilon"}, {"ζ", "\\zeta"},
    {"η", "\\eta"},      {"θ", "\\theta"},      {"κ", "\\kappa"},
    {"λ", "\\lambda"},   {"μ", "\\mu"},         {"ν", "\\nu"},
    {"ξ", "\\xi"},       {"π", "\\pi"},         {"ρ", "\\rho"},
    {"σ", "\\sigma"},    {"τ", "\\tau"},        {"φ", "\\varphi"},
    {"χ", "\\chi"},      {"ψ", "\\psi"},        {"ω", "\\omega"},
    {"Γ", "\\Gamma"},    {"Δ", "\\Delta"},      {"Θ", "\\Theta"},
    {"Λ", "\\Lambda"},   {"Σ", "\\sum"},        {"Φ", "\\Phi"},
    {"Ψ", "\\Psi"},      {"Ω", "\\Omega"},      {"\\", "\\backslash"},
    {"⋮", "\\vdots"},    {"⋱", "\\ddots"},      {"⁽", "^{(}"},
    {"⁾", "^{)}"},       {"⁺", "^{+}"},         {"ⁱ", "^{i}"},
    {"ⁿ", "^{n}"},       {"₍", "_{(}"},         {"₎", "_{)}"},
    {"₊", "_{+}"},       {"{", "\\{"},          {"}", "\\}"},
    {"$", "\\$"},        {"&", "\\&"},          {"#", "\\#"},
    {"%", "\\%"},        {"∼", "\\sim"},        {"≃", "\\simeq"},
    {"≅", "\\cong"},     {"⊗", "\\otimes"},     {"⊕", "\\oplus"},
    {"∀", "\\forall"},   {"∃", "\\exists"},     {"ℓ", "\\ell"},
    {"∪", "\\cup"},      {"∩", "\\cap"},        {"⊂", "\\subset"},
    {"⊆", "\\subseteq"}, {"∖", "\\setminus"},   {"∅", "\\emptyset"},
    {"⌊", "\\lfloor"},   {"⌋", "\\rfloor"},     {"⌈", "\\lceil"},
    {"⌉", "\\rceil"},    {"⇒", "\\Rightarrow"}, {"⇔", "\\Leftrightarrow"},
    {"⊥", "\\perp"},     {"∧", "\\land"},       {"∨", "\\lor"},
    {"¬", "\\neg"},      {"⋆", "\\star"},       {"•", "\\bullet"},
    {"†", "\\dagger"},   {"ι", "\\iota"},       {"υ", "\\upsilon"},
    {"Ξ", "\\Xi"},       {"≜", "\\triangleq"},  {"≔", "\\coloneqq"},
}};
static_assert(!translations.back().character.empty());

/// "" for a character that stands for itself or is unknown.
std::string_view translation_of(std::string_view character) {
  const auto* found = std::find_if(translations.begin(), translations.end(),
                                   [&](const Translation& known) { return known.character == character; });
  return found == translations.end() ? "" : found->latex;
}

// Commands for which TeX has another spelling above, or which mean something else as a lecturer types them.
constexpr std::array<Translation, 41> other_commands{{
    {"ε", "epsilon"},     {"φ", "phi"},           {"Π", "Pi"},
    {"Σ", "Sigma"},       {"…", "ldots"},         {"≤", "leq"},
    {"≥", "geq"},         {"≠", "neq"},           {"→", "rightarrow"},
    {"°", "circ"},        {"T", "top"},           {"⟨", "langle"},
    {"⟩", "rangle"},      {"′", "prime"},         {"∗", "ast"},
    {"|", "mid"},         {"|", "vert"},          {":", "colon"},
    {"_", "_"},           {"\u2003", "quad"},     {"\u2003\u2003", "qquad"},
    {"‖", "lVert"},       {"‖", "rVert"},         {"‖", "Vert"},
    {"|", "lvert"},       {"|", "rvert"},         {"∥", "parallel"},
    {"⇒", "implies"},     {"⇔", "iff"},           {"→", "longrightarrow"},
    {"⋯", "dotsb"},       {"…", "dotsc"},         {"θ", "vartheta"},
    {"ρ", "varrho"},      {"∅", "varnothing"},    {"↦", "longmapsto"},
    {"argmax", "argmax"}, {"argmin", "argmin"},   {"lim", "lim"},
    {"Pr", "Pr"},         {"softmax", "softmax"},
}};
static_assert(!other_commands.back().character.empty());

bool is_function_of_latex(std::string_view word) {
  return is_one_of(word, {"exp", "log", "ln", "max", "min", "sin", "cos", "tan", "tanh", "det", "dim", "arg",
                          "sup", "inf"});
}
bool is_other_function(std::string_view word) {
  return is_one_of(word,
                   {"softmax", "argmax", "relu", "ReLU", "LayerNorm", "concat", "Concat", "mean", "std"});
}

bool is_letter(char32_t character) {
  return character < 0x80 && std::isalpha(static_cast<int>(character)) != 0;
}
bool is_digit(char32_t character) { return character >= U'0' && character <= U'9'; }
bool is_part_of_word(char32_t character) {
  return is_letter(character) || is_digit(character) || character == U'_';
}

std::string word_in_latex(const std::string& word) {
  if (word.size() == 1) return word;
  if (is_function_of_latex(word)) return "\\" + word;
  return (is_other_function(word) ? "\\operatorname{" : "\\mathrm{") + with_backslashes(word, "_") + "}";
}

/// Reads one symbol's characters in runs: words, numbers, signs, and what is none of them.
class SymbolReader {
 public:
  explicit SymbolReader(const std::string& symbol) : characters_(decode_utf8(symbol).value_or(U"?")) {}

  std::vector<std::string> pieces() {
    while (at_ < characters_.size()) read_piece();
    return pieces_;
  }

 private:
  void read_piece() {
    const char32_t character = characters_[at_];
    if (character == U' ') {
      ++at_;
      if (!pieces_.empty() && at_ < characters_.size()) pieces_.emplace_back("\\ ");
    } else if (is_letter(character)) {
      pieces_.push_back(word_in_latex(run(is_part_of_word)));
    } else if (is_digit(character)) {
      pieces_.push_back(number());
    } else if (is_control(character)) {
      ++at_;
    } else {
      read_sign();
    }
  }

  template <class Belongs>
  std::string run(Belongs belongs) {
    std::string text;
    while (at_ < characters_.size() && belongs(characters_[at_])) text += encode_utf8(characters_[at_++]);
    return text;
  }

  /// "1e-05" is 1 × 10^-5.
  std::string number() {
    std::string text = run([](char32_t c) { return is_digit(c) || c == U'.'; });
    const auto at = [&](std::size_t offset) {
      return at_ + offset < characters_.size() ? characters_[at_ + offset] : U' ';
    };
    if (at(0) != U'e') return text;
    const bool sign = at(1) == U'-' || at(1) == U'+';
    if (!is_digit(at(sign ? 2 : 1))) return text;
    const std::string minus = at(1) == U'-' ? "-" : "";
    at_ += sign ? 2 : 1;
    std::string exponent = run(is_digit);
    exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
    return text + " \\times 10^{" + minus + exponent + "}";
  }

  void read_sign() {
    const std::string sign = encode_utf8(characters_[at_]);
    const std::string_view known = translation_of(sign);
    if (!known.empty()) {
      ++at_;
      pieces_.emplace_back(known);
    } else if (sign == "^" || sign == "~" || sign == "_") {
      ++at_;
      pieces_.emplace_back(sign == "_" ? "\\_" : sign == "~" ? "\\sim" : "\\hat{}");
    } else if (characters_[at_] < 0x80) {
      ++at_;
      pieces_.push_back(sign);
    } else {
      read_foreign_text();
    }
  }

  /// 注意度 and whatever else TeX's mathematics has no letters for.
  void read_foreign_text() {
    const std::string words =
        run([](char32_t c) { return c >= 0x80 && !is_control(c) && translation_of(encode_utf8(c)).empty(); });
    pieces_.push_back("\\text{" + words + "}");
  }

  std::u32string characters_;
  std::size_t at_ = 0;
  std::vector<std::string> pieces_;
};

// --- Accents, and braces above and below

constexpr std::array<Accent, 12> accents{{
    {"hat", "^", "\u0302"},
    {"bar", "‾", "\u0304"},
    {"tilde", "~", "\u0303"},
    {"vec", "→", "\u20d7"},
    {"dot", "˙", "\u0307"},
    {"ddot", "¨", "\u0308"},
    {"widehat", "^", "\u0302"},
    {"overline", "‾", "\u0304"},
    {"widetilde", "~", "\u0303"},
    {"underline", "_", "\u0332"},
    {"underbrace", "⏟", ""},
    {"overbrace", "⏞", ""},
}};
static_assert(!accents.back().command.empty());

// --- The tree ----------------------------------------------------------------------------------------------

bool is_upright(const std::string& piece) {
  return piece.rfind("\\mathrm", 0) == 0 || piece.rfind("\\text", 0) == 0;
}

bool is_number(const std::string& piece) {
  return !piece.empty() && std::isdigit(static_cast<unsigned char>(piece.front())) != 0;
}

/// TeX leaves no space between words, nor between a word and a number.
std::string spaced(const std::vector<std::string>& pieces) {
  std::string latex;
  std::string previous;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    const bool script = piece.front() == '^' || piece.front() == '_';
    const bool distance =
        (is_upright(previous) || is_number(previous)) && (is_upright(piece) || is_number(piece));
    if (!latex.empty() && !script) latex += distance ? "\\, " : " ";
    latex += piece;
    previous = piece;
  }
  return latex;
}

std::string row_in_latex(const std::vector<Formula>& parts) {
  std::vector<std::string> pieces;
  std::vector<std::size_t> tall_ends;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_symbol(parts[i], "(")) {
      const std::size_t end = closing_place(parts, i, parts.size());
      const bool tall = end < parts.size() && is_tall(parts, i, end);
      if (tall) tall_ends.push_back(end);
      pieces.emplace_back(tall ? "\\left(" : "(");
    } else if (std::find(tall_ends.begin(), tall_ends.end(), i) != tall_ends.end()) {
      pieces.emplace_back("\\right)");
    } else if (parts[i].kind == Kind::symbol) {
      const std::vector<std::string> more = SymbolReader(parts[i].symbol).pieces();
      pieces.insert(pieces.end(), more.begin(), more.end());
    } else {
      pieces.push_back(to_latex(parts[i]));
    }
  }
  return spaced(pieces);
}

/// A script hangs on one letter, one word or one bracketed whole; all else takes parentheses, as does a
/// second script of the same kind.
std::string base_in_latex(const Formula& script) {
  const FormulaLine parts = flattened(script.parts[0]);
  const std::string latex = row_in_latex(parts);
  const bool single = parts.size() == 1 && parts[0].kind != Kind::fraction && parts[0].kind != script.kind;
  const std::size_t open = parts.size() > 1 && is_symbol(parts[0], "(") ? 0 : 1;
  const bool call = parts.size() > 2 && is_symbol(parts[open], "(") &&
                    closing_place(parts, open, parts.size()) == parts.size() - 1;
  return single || call ? latex : "\\left(" + latex + "\\right)";
}

std::string script_in_latex(const Formula& script) {
  const bool transpose = script.kind == Kind::sup && is_symbol(script.parts[1], "T");
  const std::string mark = script.kind == Kind::sup ? "^{" : "_{";
  return base_in_latex(script) + mark + (transpose ? "\\top" : to_latex(script.parts[1])) + "}";
}

std::string table_in_latex(const Formula& table) {
  std::vector<std::string> rows;
  for (const Formula& row : table.parts) {
    std::vector<std::string> cells;
    for (const Formula& cell : row.parts) cells.push_back(to_latex(cell));
    rows.push_back(joined(cells, " & "));
  }
  return fmt::format("\\begin{{{0}}} {1} \\end{{{0}}}", table.symbol, joined(rows, " \\\\ "));
}

}  // namespace

std::string symbol_of_command(std::string_view command) {
  if (is_function_of_latex(command)) return std::string(command);
  for (const Translation& known : other_commands) {
    if (known.latex == command) return std::string(known.character);
  }
  for (const Translation& known : translations) {
    if (known.latex.front() == '\\' && known.latex.substr(1) == command) return std::string(known.character);
  }
  return "";
}

const Accent* accent_of_command(std::string_view command) {
  const auto* found = std::find_if(accents.begin(), accents.end(),
                                   [&](const Accent& accent) { return accent.command == command; });
  return found == accents.end() ? nullptr : found;
}

std::string to_latex(const Formula& formula) {
  switch (formula.kind) {
    case Kind::symbol:
    case Kind::row: return row_in_latex(flattened(formula));
    case Kind::sub:
    case Kind::sup: return script_in_latex(formula);
    case Kind::root: return "\\sqrt{" + to_latex(formula.parts[0]) + "}";
    case Kind::fraction:
      return "\\frac{" + to_latex(formula.parts[0]) + "}{" + to_latex(formula.parts[1]) + "}";
    case Kind::accent: return "\\" + formula.symbol + "{" + to_latex(formula.parts[0]) + "}";
    case Kind::table: return table_in_latex(formula);
  }
  return {};
}

}  // namespace attnlab
