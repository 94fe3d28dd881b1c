// The pieces of which `derived::worked` lines are made. They are written as every explanation writes numbers,
// and remember whether a number was rounded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/formula.hpp"
#include "results/explain/chain.hpp"
#include "results/explain/written_numbers.hpp"

namespace attnlab::worked {

/// A stage is written out for its first entries only.
constexpr std::size_t most_lines = 12;

/// What holds no number that could be rounded: a letter, an index, a name.
Written exactly(Formula formula);
Written exactly(std::string symbol);

/// "2.1325", "−0.6", "3.403 × 10³⁸", "∞".
Written number(double value);

/// The same as it stands behind a · or √: a negative number in parentheses.
Written factor(double value);

/// "(1.2, 0.9)"; of more than seven numbers the first five and the last two.
Written numbers(const double* begin, std::size_t count);

/// Side by side: together({number(2), exactly("·"), factor(-3)}).
Written together(const std::vector<Written>& pieces);

/// a + b + ⋯ + z of `count` terms, written by `term(k)`.
template <class Term>
Written sum(std::size_t count, Term term) {
  const Shown places = shown_terms(count);
  std::vector<Written> terms;
  for (const std::size_t k : places.places) terms.push_back(term(k));
  return joined(terms, places, "+");
}

Written quotient(const Written& numerator, const Written& denominator);
Written root(const Written& radicand);
Written square(const Written& base);
Written call(const std::string& name, const Written& argument);

/// "S₀": the letter with its index.
Formula indexed(const std::string& letter, std::size_t index);

/// "weights[0, 2]".
Formula entry(const std::string& name, const std::vector<std::size_t>& index);

/// r₃ ≈ (sin(3 / 1), cos(3 / 1), sin(3 / 1.3335), ⋯) ≈ (0.1411, −0.99, ⋯): a row of the sinusoidal encoding.
Chain sinusoids(std::size_t position, const double* row, std::size_t width, double base);

/// left = a ≈ b ...: from the first rounded side on every relation is ≈.
Chain equation(Formula left, const std::vector<Written>& sides);

}  // namespace attnlab::worked
