// Writes fractions and roots with operators, and decides on parentheses and spaces.
#include "core/formula_line.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

using Kind = Formula::Kind;

bool is_additive(const Formula& formula) {
  return formula.kind == Kind::symbol && is_one_of(formula.symbol, {"+", "-", "−", "±"});
}

bool is_relation(const Formula& formula) {
  return formula.kind == Kind::symbol && is_one_of(formula.symbol, {"=", "≠", "<", ">", "≤", "≥", "≈", "≡",
                                                                    "∝", "∈", "→", "←", "↦", "≪", "≫"});
}

bool is_operator(const Formula& formula) {
  return is_additive(formula) || is_relation(formula) ||
         (formula.kind == Kind::symbol && is_one_of(formula.symbol, {"·", "×", "/", "*", "⊙", "∘"}));
}

bool opens(const Formula& formula) {
  return formula.kind == Kind::symbol && is_one_of(formula.symbol, {"(", "[", "{"});
}

bool closes(const Formula& formula) {
  return formula.kind == Kind::symbol && is_one_of(formula.symbol, {")", "]", "}"});
}

bool separates(const Formula& formula) {
  return formula.kind == Kind::symbol && is_one_of(formula.symbol, {",", ";", ":"});
}

const Formula& base_of(const Formula& piece) {
  return piece.kind == Kind::symbol ? piece : base_of(piece.parts.front());
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_number(const Formula& piece) {
  return piece.kind == Kind::symbol && !piece.symbol.empty() && is_digit(piece.symbol.front());
}

// --- Fractions and roots as operators ----------------------------------------------------------------------

void append(FormulaLine& line, FormulaLine more) {
  for (Formula& part : more) line.push_back(std::move(part));
}

FormulaLine parenthesised(FormulaLine line) {
  FormulaLine result{formula::sym("(")};
  append(result, std::move(line));
  result.push_back(formula::sym(")"));
  return result;
}

// Where the bracket that opens at `open` closes; the line's size when it does not.
std::size_t closing_parenthesis(const FormulaLine& line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    if (is_symbol(line[i], "(")) ++depth;
    if (is_symbol(base_of(line[i]), ")") && --depth == 0) return i;
  }
  return line.size();
}

// Whether a sum, a relation or a quotient stands outside all brackets.
bool binds_loosely(const FormulaLine& line) {
  int depth = 0;
  for (const Formula& part : line) {
    if (opens(part)) ++depth;
    if (closes(base_of(part))) --depth;
    if (depth == 0 && (is_additive(part) || is_relation(part) || is_symbol(part, "/"))) return true;
  }
  return false;
}

FormulaLine as_term(FormulaLine line) { return is_term(line) ? line : parenthesised(std::move(line)); }

FormulaLine linear_fraction(const Formula& fraction) {
  FormulaLine line = one_line(fraction.parts[0]);
  if (binds_loosely(line)) line = parenthesised(std::move(line));
  line.push_back(formula::sym("/"));
  append(line, as_term(one_line(fraction.parts[1])));
  return line;
}

// √ reaches over one letter with its scripts; anything longer needs parentheses.
FormulaLine linear_root(const Formula& root) {
  FormulaLine radicand = one_line(root.parts[0]);
  const bool single = radicand.size() == 1 || (!radicand.empty() && is_symbol(radicand.front(), "("));
  FormulaLine line{formula::sym("√")};
  append(line, single ? as_term(std::move(radicand)) : parenthesised(std::move(radicand)));
  return line;
}

// A second script of the same kind would run into the first: x²³.
FormulaLine linear_base(const Formula& script) {
  FormulaLine base = one_line(script.parts[0]);
  const bool plain = base.size() == 1 && base[0].kind != script.kind && is_term(base);
  const bool call = base.size() > 1 && !is_symbol(base.front(), "√") && is_term(base);
  return plain || call ? base : parenthesised(std::move(base));
}

// The script hangs on the last piece of its base: on the closing parenthesis of (QK) and softmax(x).
FormulaLine linear_script(const Formula& script) {
  FormulaLine line = linear_base(script);
  Formula last = std::move(line.back());
  line.back() = {script.kind, {}, {std::move(last), formula::row(one_line(script.parts[1]))}};
  return line;
}

// Whether a neighbour multiplies what stands beside it: then a fraction takes parentheses, (1 / n) x.
bool multiplies(const Formula& neighbour) {
  return !is_additive(neighbour) && !is_relation(neighbour) && !separates(neighbour);
}

FormulaLine linear_row(const Formula& row) {
  const FormulaLine parts = flattened(row);
  FormulaLine line;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool left = i > 0 && multiplies(parts[i - 1]) && !opens(parts[i - 1]);
    const bool right = i + 1 < parts.size() && multiplies(parts[i + 1]) && !closes(parts[i + 1]);
    FormulaLine part = one_line(parts[i]);
    const bool product = parts[i].kind == Kind::fraction && (left || right);
    append(line, product ? parenthesised(std::move(part)) : std::move(part));
  }
  return line;
}

// A single symbol takes the accent as a character; longer ones stay as they are.
FormulaLine linear_accent(const Formula& accent) {
  FormulaLine line = one_line(accent.parts[0]);
  const Accent* const known = accent_of_command(accent.symbol);
  if (known != nullptr && line.size() == 1 && line[0].kind == Kind::symbol)
    line[0].symbol += known->combining;
  return line;
}

// [1, 2; 3, 4]
FormulaLine linear_table(const Formula& table) {
  FormulaLine line{formula::sym("[")};
  for (std::size_t row = 0; row < table.parts.size(); ++row) {
    if (row > 0) line.push_back(formula::sym(";"));
    const std::vector<Formula>& cells = table.parts[row].parts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line.push_back(formula::sym(","));
      append(line, one_line(cells[i]));
    }
  }
  line.push_back(formula::sym("]"));
  return line;
}

// Spaces are decided by the neighbours alone, so a symbol loses its own.
FormulaLine linear_symbol(const Formula& formula) {
  const std::string symbol(trimmed(formula.symbol));
  return symbol.empty() ? FormulaLine{} : FormulaLine{formula::sym(symbol)};
}

// --- Spaces between the pieces -----------------------------------------------------------------------------

// "softmax", "max", "d_model": more than one letter, so that a neighbour would run into it. A sum stands
// apart too.
bool is_word(const Formula& piece) {
  const std::string& text = base_of(piece).symbol;
  if (is_one_of(text, {"Σ", "∑", "∏"})) return true;
  return !text.empty() && !is_digit(text.front()) && decode_utf8(text).value_or(U"").size() > 1;
}

// A sign at the beginning, after a bracket, a comma or another operator belongs to what follows.
bool is_sign(const FormulaLine& line, std::size_t index) {
  if (!is_additive(line[index])) return false;
  if (index == 0) return true;
  const Formula& before = line[index - 1];
  return is_operator(before) || opens(before) || separates(before);
}

}  // namespace

bool is_tall(const FormulaLine& line, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_higher = line[i].kind == Kind::fraction || line[i].kind == Kind::table;
    if (is_higher || is_tall(line[i].parts, 0, line[i].parts.size())) return true;
  }
  return false;
}

std::string closing_of(const Formula& part) {
  for (const auto& [open, close] : {std::pair{"(", ")"}, {"[", "]"}, {"{", "}"}, {"⟨", "⟩"}}) {
    if (is_symbol(part, open)) return close;
  }
  return "";
}

std::size_t closing_place(const FormulaLine& parts, std::size_t open, std::size_t end) {
  const std::string close = closing_of(parts[open]);
  std::size_t depth = 0;
  for (std::size_t i = open; i < end; ++i) {
    if (is_symbol(parts[i], parts[open].symbol)) ++depth;
    if (is_symbol(parts[i], close) && --depth == 0) return i;
  }
  return end;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

FormulaLine flattened(const Formula& formula) {
  if (formula.kind != Kind::row) return {formula};
  FormulaLine pieces;
  for (const Formula& part : formula.parts) append(pieces, flattened(part));
  return pieces;
}

FormulaLine one_line(const Formula& formula) {
  switch (formula.kind) {
    case Kind::symbol: return linear_symbol(formula);
    case Kind::row: return linear_row(formula);
    case Kind::sub:
    case Kind::sup: return linear_script(formula);
    case Kind::root: return linear_root(formula);
    case Kind::fraction: return linear_fraction(formula);
    case Kind::accent: return linear_accent(formula);
    case Kind::table: return linear_table(formula);
  }
  return {};
}

bool is_symbol(const Formula& formula, std::string_view text) {
  return formula.kind == Kind::symbol && formula.symbol == text;
}

bool is_term(const FormulaLine& line, std::size_t begin) {
  const std::size_t size = line.size() - begin;
  if (size == 0) return false;
  const Formula& first = line[begin];
  if (size == 1) return first.kind != Kind::symbol || first.symbol.find(' ') == std::string::npos;
  if (is_symbol(first, "√")) return is_term(line, begin + 1);
  const std::size_t open = is_symbol(first, "(") ? begin : begin + 1;
  return size >= 3 && is_symbol(line[open], "(") && !is_operator(first) && !is_number(first) &&
         closing_parenthesis(line, open) == line.size() - 1;
}

bool space_before(const FormulaLine& line, std::size_t index) {
  if (index == 0) return false;
  const Formula& left = line[index - 1];
  const Formula& right = line[index];
  const Formula& left_base = base_of(left);
  if (closes(base_of(right)) || separates(right)) return false;
  if (separates(left)) return true;
  if (opens(left) || is_symbol(left, "√") || is_sign(line, index - 1)) return false;
  if (is_operator(left) || is_operator(right)) return true;
  if (opens(right)) return false;
  if (closes(left_base) || is_symbol(right, "√")) return true;
  return is_word(left) || is_word(right) || is_number(right);
}

}  // namespace attnlab
