// A formula that is typed gives the tree that the builders give.
#include <doctest/doctest.h>

#include <stdexcept>

#include "core/formula.hpp"

using attnlab::to_latex;
using attnlab::to_terminal;
using namespace attnlab::formula;

TEST_CASE("a typed formula reads like the one that is built") {
  const attnlab::Formula built =
      row({sym("softmax"), sym("("),
           fraction(row({sym("Q"), sup(sym("K"), sym("T"))}), root(sub(sym("d"), sym("k")))), sym(")"),
           sym("V")});
  const attnlab::Formula typed = read("softmax(\\frac{Q K^T}{\\sqrt{d_k}}) V");
  CHECK(to_terminal(typed) == "softmax(QKᵀ / √dₖ) V");
  CHECK(to_terminal(typed) == to_terminal(built));
  CHECK(to_latex(typed) == to_latex(built));
}

TEST_CASE("blanks part pieces and are not kept; letters, digits and points are one word") {
  CHECK(to_latex(read("x   y")) == to_latex(row({sym("x"), sym("y")})));
  CHECK(to_latex(read("xy")) == to_latex(sym("xy")));
  CHECK(to_terminal(read("0.5 · x")) == "0.5 · x");
  CHECK(read("x").kind == attnlab::Formula::Kind::symbol);
  CHECK(read("").parts.empty());
}

TEST_CASE("scripts hang on the piece before them, braces hold together") {
  CHECK(to_terminal(read("W_{QK}^T")) == to_terminal(sup(sub(sym("W"), sym("QK")), sym("T"))));
  CHECK(to_terminal(read("{Q K}^T")) == to_terminal(sup(row({sym("Q"), sym("K")}), sym("T"))));
  CHECK(to_terminal(read("x_i y")) == to_terminal(row({sub(sym("x"), sym("i")), sym("y")})));
}

TEST_CASE("braces that do not close are refused") {
  for (const char* typed : {"{x", "x}", "√x", "\\sqrt", "frac{a}", "\\frac{a}", "x_{i", "\\frac{a}{b}}"}) {
    INFO(typed);
    CHECK_THROWS_AS(read(typed), std::logic_error);
  }
}

TEST_CASE("the program's formulas are TeX, too, in which letters that stand together are a word") {
  const attnlab::Formula tex = read("softmax(\\frac{Q K^\\top}{\\sqrt{d_k}}) \\cdot V");
  CHECK(to_terminal(tex) == to_terminal(read("softmax(\\frac{Q K^T}{\\sqrt{d_k}}) · V")));
  CHECK(to_terminal(read("x^10")) == to_terminal(read("x^{10}")));
  CHECK_THROWS_WITH(read("\\input{x}"), doctest::Contains("not known"));
}
