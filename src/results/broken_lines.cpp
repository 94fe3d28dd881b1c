// Cuts a formula where a textbook would.
#include "results/broken_lines.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "results/terminal_width.hpp"

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

/// (a + b) / n as 1/n (a + b); brackets that stand already are kept.
Parts spread(const Formula& fraction) {
  Parts parts{formula::fraction(formula::sym("1"), fraction.parts[1])};
  const Formula& numerator = fraction.parts[0];
  const bool bracketed = !numerator.parts.empty() && opens(numerator.parts.front());
  if (!bracketed) parts.push_back(formula::sym("("));
  parts.push_back(numerator);
  if (!bracketed) parts.push_back(formula::sym(")"));
  return parts;
}

void flatten(const Formula& formula, std::size_t columns, Parts& parts) {
  if (formula.kind == Kind::fraction && columns_of(formula) > columns) {
    for (const Formula& part : spread(formula)) flatten(part, columns, parts);
  } else if (formula.kind == Kind::row) {
    for (const Formula& part : formula.parts) flatten(part, columns, parts);
  } else {
    parts.push_back(formula);
  }
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

}  // namespace

std::size_t columns_of(const Formula& formula) {
  return display_width(to_terminal(unstacked(formula)));
}

std::vector<Formula> broken(const Formula& formula, std::size_t columns) {
  if (columns_of(formula) <= columns) return {formula};
  Parts parts;
  flatten(formula, columns, parts);
  constexpr int deepest = 2;
  std::vector<Parts> pieces;
  for (int depth = 0; depth <= deepest; ++depth) {
    pieces = pieces_of(parts, depth);
    if (std::all_of(pieces.begin(), pieces.end(), [&](const Parts& piece) { return fits(piece, columns); }))
      break;
  }
  std::vector<Formula> lines;
  for (const Parts& piece : pieces) {
    if (!lines.empty()) {
      Parts longer = lines.back().parts;
      longer.insert(longer.end(), piece.begin(), piece.end());
      if (fits(longer, columns)) {
        lines.back() = formula::row(std::move(longer));
        continue;
      }
    }
    lines.push_back(formula::row(piece));
  }
  return lines;
}

}  // namespace attnlab
