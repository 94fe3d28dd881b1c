// Cuts a formula where a textbook would.
#include "results/explain/broken_lines.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/terminal_width.hpp"

namespace attnlab {
namespace {

using Kind = Formula::Kind;
using Parts = std::vector<Formula>;

bool is_one_of(const Formula& part, std::initializer_list<std::string_view> marks) {
  return part.kind == Kind::symbol && std::find(marks.begin(), marks.end(), part.symbol) != marks.end();
}
bool opens(const Formula& part) {
  return is_one_of(part, {"(", "["});
}
bool closes(const Formula& part) {
  const Formula& base = part.kind == Kind::sup || part.kind == Kind::sub ? part.parts.front() : part;
  return is_one_of(base, {")", "]"});
}
bool separates(const Formula& part) {
  return is_one_of(part, {",", ";"});
}
bool joins(const Formula& part) {
  return is_one_of(part, {"+", "−", "=", "≈", "<", "→"});
}

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

bool fits(const Parts& parts, std::size_t columns) {
  return columns_of(formula::row(parts)) <= columns;
}

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

}  // namespace

std::size_t columns_of(const Formula& formula) {
  return display_width(to_terminal(unstacked(formula)));
}

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

}  // namespace attnlab
