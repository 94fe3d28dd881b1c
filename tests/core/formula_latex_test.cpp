// Formulas as LaTeX: the structure of the tree, TeX's own letters, and nothing that TeX would execute.
#include <doctest/doctest.h>

#include <string>

#include "core/formula.hpp"

using attnlab::Formula;
using attnlab::to_latex;
using namespace attnlab::formula;

TEST_CASE("the attention formula is set with a fraction and a root with its bar") {
  const Formula scores = row({sym("Q"), sup(sym("K"), sym("T"))});
  const Formula attention = row({call("softmax", fraction(scores, root(sub(sym("d"), sym("k"))))), sym("V")});
  CHECK(to_latex(attention) ==
        "\\operatorname{softmax} \\left( \\frac{Q K^{\\top}}{\\sqrt{d_{k}}} \\right) V");
}

TEST_CASE("scripts hang on one letter and longer bases take parentheses") {
  CHECK(to_latex(sub(sym("W"), sym("Q"))) == "W_{Q}");
  CHECK(to_latex(sup(sub(sym("x"), sym("i")), sym("2"))) == "x_{i}^{2}");
  CHECK(to_latex(sup(sup(sym("x"), sym("2")), sym("3"))) == "\\left(x^{2}\\right)^{3}");
  CHECK(to_latex(sup(row({sym("Q"), sym("K")}), sym("T"))) == "\\left(Q K\\right)^{\\top}");
  CHECK(to_latex(sup(fraction(sym("a"), sym("b")), sym("2"))) == "\\left(\\frac{a}{b}\\right)^{2}");
  CHECK(to_latex(sup(call("f", sym("x")), sym("2"))) == "f ( x )^{2}");
  CHECK(to_latex(sup(row({sym("("), sym("a"), sym("+"), sym("b"), sym(")")}), sym("2"))) == "( a + b )^{2}");
}

TEST_CASE("words are upright and functions keep their spaces") {
  CHECK(to_latex(call("exp", sym("x"))) == "\\exp ( x )");
  CHECK(to_latex(sym("raw_scores")) == "\\mathrm{raw\\_scores}");
  CHECK(to_latex(row({sym("raw"), sym("scores")})) == "\\mathrm{raw}\\, \\mathrm{scores}");
  CHECK(to_latex(sub(sym("d"), sym("model"))) == "d_{\\mathrm{model}}");
  CHECK(to_latex(row({sym("weights"), sym("["), sym("0"), sym(","), sym("2"), sym("]")})) ==
        "\\mathrm{weights} [ 0 , 2 ]");
}

TEST_CASE("signs and Greek letters become TeX's own") {
  CHECK(to_latex(row({sym("1.2"), sym("·"), sym("("), sym("−"), sym("0.5"), sym(")"), sym("+"), sym("⋯")})) ==
        "1.2 \\cdot ( - 0.5 ) + \\cdots");
  CHECK(to_latex(row({sym("a"), sym("×"), sym("b"), sym("≈"), sym("∞")})) == "a \\times b \\approx \\infty");
  CHECK(to_latex(sup(sym("σ"), sym("2"))) == "\\sigma^{2}");
  CHECK(to_latex(row({sym("−"), sym("∞")})) == "- \\infty");
  CHECK(to_latex(sym("QKᵀ")) == "\\mathrm{QK}^{\\top}");
}

TEST_CASE("numbers keep their digits and their powers of ten") {
  CHECK(to_latex(sym("0.353553")) == "0.353553");
  CHECK(to_latex(sym("1e-05")) == "1 \\times 10^{-5}");
  CHECK(to_latex(sym("2.5e+10")) == "2.5 \\times 10^{10}");
  CHECK(to_latex(sym("2e")) == "2 e");
}

TEST_CASE("Japanese stands in text and mixes with letters") {
  CHECK(to_latex(row({sym("注意度"), sym("="), call("softmax", sym("スコア"))})) ==
        "\\text{注意度} = \\operatorname{softmax} ( \\text{スコア} )");
  CHECK(to_latex(sym("森=2")) == "\\text{森} = 2");
}

TEST_CASE("TeX's own characters are escaped and cannot run anything") {
  CHECK(to_latex(sym("\\input{x}")) == "\\backslash \\mathrm{input} \\{ x \\}");
  CHECK(to_latex(sym("a$b")) == "a \\$ b");
  CHECK(to_latex(sym("50%")) == "50 \\%");
  CHECK(to_latex(sym("#&~^_")) == "\\# \\& \\sim \\hat{} \\_");
  CHECK(to_latex(sym(std::string("a\0b\n", 4))) == "a b");
  CHECK(to_latex(sym("\xff")) == "?");
}

TEST_CASE("an empty formula is an empty text in LaTeX too") {
  CHECK(to_latex(Formula{}).empty());
  CHECK(to_latex(row({sym(""), sym("x"), sym(" ")})) == "x");
  CHECK(to_latex(sym(" x ")) == "x");
}
