// The pieces of which `derived::worked` lines are made. They are written as every explanation writes numbers,
// and remember whether a number was rounded.
#pragma once

#include <initializer_list>

#include "core/tensor.hpp"
#include "results/derivation/derivation.hpp"
#include "results/explain/written_numbers.hpp"

namespace attnlab::worked {

/// A stage is written out for its first entries only.
constexpr std::size_t most_lines = 12;

/// One line per entry of the first axis, written by `line(i)`.
template <class Line>
std::vector<Chain> lines(std::size_t entries, Line line) {
  std::vector<Chain> written;
  for (std::size_t i = 0; i < std::min(entries, most_lines); ++i) written.push_back(line(i));
  return written;
}

/// What holds no number that could be rounded: a letter, an index, a name.
Written exactly(Formula formula);
Written exactly(std::string symbol);

/// "2.1325", "−0.6", "3.403 × 10³⁸", "∞".
Written number(double value);

/// The same as it stands behind a · or √: a negative number in parentheses.
Written factor(double value);

/// "(1.2, 0.9)"; of more than seven numbers the first five and the last two.
Written numbers(const double* begin, std::size_t count);

/// A piece of a line as it is typed: a number stands for number(...), anything else is exact.
struct Piece : Written {
  Piece(Written written) : Written(std::move(written)) {}  // NOLINT(google-explicit-constructor)
  Piece(Formula exact_formula)
      : Written(exactly(std::move(exact_formula))) {}                   // NOLINT(google-explicit-constructor)
  Piece(const char* symbol) : Written(exactly(std::string(symbol))) {}  // NOLINT(google-explicit-constructor)
  Piece(double value) : Written(number(value)) {}                       // NOLINT(google-explicit-constructor)
};

/// Side by side: together({2.0, "·", factor(-3.0)}).
Written together(std::initializer_list<Piece> pieces);
Written together(const std::vector<Written>& pieces);

/// a + b + ⋯ + z of `count` terms, written by `term(k)`.
template <class Term>
Written sum(std::size_t count, Term term) {
  return joined(shown_terms(count), "+", term);
}

Written quotient(const Piece& numerator, const Piece& denominator);
Written root(const Written& radicand);
Written square(const Written& base);
Written call(const std::string& name, const Piece& argument);

/// "S₀": the letter with its index.
Formula indexed(const std::string& letter, std::size_t index);

/// "weights[0, 2]".
Formula entry(const std::string& name, const std::vector<std::size_t>& index);

/// r₃ ≈ (sin(3 / 1), cos(3 / 1), sin(3 / 1.3335), ⋯) ≈ (0.1411, −0.99, ⋯): a row of the sinusoidal encoding.
Chain sinusoids(std::size_t position, const double* row, std::size_t width, double base);

/// q₀ = (1.2, 0.7, ⋯), one line for each row of a matrix; s₀ = 2, for each number of a vector.
std::vector<Chain> rows(const std::string& letter, const Tensor<double>& values);

/// left = a ≈ b ...: from the first rounded side on every relation is ≈.
Chain equation(Formula left, std::initializer_list<Piece> sides);

}  // namespace attnlab::worked
