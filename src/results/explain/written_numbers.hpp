// Numbers as one writes them by hand: few digits, a minus sign in parentheses behind an operator, and a note
// whether anything was rounded away.
#pragma once

#include "core/formula.hpp"

namespace attnlab {

/// A piece of a computation with its numbers substituted; `exact` while no number in it was rounded.
struct Written {
  Formula formula;
  bool exact = true;
};

/// Four decimals, or the exact number if it has no more; very large and very small ones as 1.235 × 10⁻⁵.
Written written(double number);

/// The same as a factor or a later summand: negative numbers and powers of ten in parentheses.
Written written_in_brackets(double number);

/// "=" when both sides are exact, else "≈".
const char* relation(bool exact);

/// Which of the places 0 .. count - 1 are written out, in order; dots stand for the others.
struct Shown {
  std::vector<std::size_t> places;
  std::size_t count = 0;

  bool dots_before(std::size_t i) const { return places[i] != (i == 0 ? 0 : places[i - 1] + 1); }
  bool dots_behind() const { return count > 0 && (places.empty() || places.back() + 1 != count); }
};

/// The first and the last of them.
Shown shown(std::size_t count, std::size_t first, std::size_t last);

/// Of a sum: the first three terms and the last.
Shown shown_terms(std::size_t count);

/// The same of terms of these sizes; the first, the two largest and the last where these are half of all and
/// the usual ones are not.
Shown shown_terms(const std::vector<double>& sizes);

/// a + b + ⋯ + z: what `piece` makes of the shown places, with `sign` between them.
Written joined(const Shown& places, const char* sign, const std::function<Written(std::size_t place)>& piece);

/// a₀ · b₀ + a₁ · b₁ + ⋯ + y · z.
Written written_products(const double* left, const double* right, std::size_t count);

/// "0.4967, −0.1383, ⋯, 0.7674".
Written written_list(const double* values, std::size_t count);

/// "[0.4967, −0.1383, ⋯, 0.7674]".
Written written_row(const double* values, std::size_t count);

}  // namespace attnlab
