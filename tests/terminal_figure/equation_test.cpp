// Matrices side by side, and broken where the page ends.
#include <doctest/doctest.h>

#include "drawn.hpp"

using namespace attnlab;

namespace {

MatrixTerm matrix(const std::string& name, std::size_t rows, std::size_t columns, int decimals) {
  const ColourScale scale{Palette::rdbu, -1.0, 1.0, Text::same("")};
  const std::string shape = "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
  return {name,
          {rows, columns, std::vector<double>(rows * columns, 0.5)},
          formula::sym(name),
          shape,
          scale,
          decimals,
          {},
          {}};
}

OperatorTerm sign(const std::string& symbol) {
  return {formula::sym(symbol)};
}

MatrixEquation product(std::size_t inner, int decimals) {
  return {{matrix("a", 1, inner, decimals), sign("×"), matrix("V", inner, 2, decimals), sign("="),
           matrix("o", 1, 2, decimals)}};
}

}  // namespace

TEST_CASE("operators stand at the middle of the matrices, names above and shapes below") {
  const Lines lines = drawn(product(3, 1));
  CHECK(lines == Lines{"                      V",                   //
                       "       a           0.5  0.5        o",      //
                       " 0.5  0.5  0.5  ×  0.5  0.5  =  0.5  0.5",  //
                       "    (1, 3)         0.5  0.5      (1, 2)",   //
                       "                    (3, 2)"});
}

TEST_CASE("an equation too wide for the page is broken before its result") {
  const Lines lines = drawn(product(8, 2), 60);
  const std::string text = on_one_line(lines);
  CHECK(contains(text, "×"));
  bool begins = false;
  for (const std::string& line : lines) begins = begins || line.substr(0, 1) == "=";
  CHECK(begins);
}

TEST_CASE("matrices without numbers show signs and tenths, and the range once for all") {
  const Lines lines = drawn(product(3, no_numbers));
  CHECK(contains(on_one_line(lines), "+5+5+5"));
  CHECK(contains(lines.back(), "a, V, o  −1 "));
}

TEST_CASE("a matrix wider than the page is pooled") {
  MatrixEquation equation;
  equation.terms.emplace_back(matrix("a", 1, 500, 2));
  const Lines lines = drawn(equation, 60);
  CHECK(contains(on_one_line(lines), "(1, 500)"));
  CHECK(contains(on_one_line(lines), "a each cell: the most extreme of 1 × 9"));
}

TEST_CASE("a matrix of many rows is pooled, and its rows bear the first names of their blocks") {
  MatrixEquation equation;
  MatrixTerm term = matrix("V", 130, 1, 2);
  for (int i = 0; i < 130; ++i) term.row_labels.emplace_back("n" + std::to_string(i));
  equation.terms.emplace_back(term);
  const Lines lines = drawn(equation);
  CHECK(contains(lines[1], "  n0  0.50"));
  CHECK(contains(lines[2], "  n3  0.50"));
  CHECK(contains(on_one_line(lines), "n129 0.50 (130, 1)"));
}
