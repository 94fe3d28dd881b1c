// Formulas as one line: scripts, parentheses and spaces as a textbook would set them.
#include "core/formula.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

using attnlab::Formula;
using attnlab::to_markup;
using attnlab::to_terminal;
using namespace attnlab::formula;

namespace {

Formula attention() {
  const Formula scores = row({sym("Q"), sup(sym("K"), sym("T"))});
  return row({call("softmax", fraction(scores, root(sub(sym("d"), sym("k"))))), sym("V")});
}

Formula softmax() {
  const Formula upper = call("exp", sub(sym("x"), sym("i")));
  const Formula lower = row({sub(sym("Σ"), sym("j")), call("exp", sub(sym("x"), sym("j")))});
  return row({sub(sym("p"), sym("i")), sym("="), fraction(upper, lower)});
}

// What a reader sees of markup: the text without its tags.
std::string text_of(const std::string& markup) {
  std::string text;
  bool tag = false;
  for (const char character : markup) {
    if (character == '<') tag = true;
    if (!tag) text += character;
    if (character == '>') tag = false;
  }
  return text;
}

// The numbers of an attribute in points, in order.
std::vector<double> points_of(const std::string& markup, const std::string& attribute) {
  const std::string mark = attribute + "=\"";
  std::vector<double> points;
  for (std::size_t at = markup.find(mark); at != std::string::npos; at = markup.find(mark, at + 1))
    points.push_back(std::strtod(markup.c_str() + at + mark.size(), nullptr) / 1024.0);
  return points;
}

// How deep tags stand inside one another.
int depth_of(const std::string& markup) {
  int depth = 0;
  int deepest = 0;
  for (std::size_t at = markup.find('<'); at != std::string::npos; at = markup.find('<', at + 1)) {
    depth += markup[at + 1] == '/' ? -1 : 1;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

}  // namespace

TEST_CASE("the attention formula reads as in the paper") {
  CHECK(to_terminal(attention()) == "softmax(QKᵀ / √dₖ) V");
}

TEST_CASE("a product in a denominator takes parentheses") {
  CHECK(to_terminal(softmax()) == "pᵢ = exp(xᵢ) / (Σⱼ exp(xⱼ))");
}

TEST_CASE("sums and quotients in a fraction take parentheses and single terms do not") {
  CHECK(to_terminal(fraction(row({sym("a"), sym("+"), sym("b")}), sym("c"))) == "(a + b) / c");
  CHECK(to_terminal(fraction(sym("a"), row({sym("b"), sym("-"), sym("c")}))) == "a / (b - c)");
  CHECK(to_terminal(fraction(fraction(sym("a"), sym("b")), fraction(sym("c"), sym("d")))) ==
        "(a / b) / (c / d)");
  CHECK(to_terminal(fraction(row({sym("a"), sym("b")}), sym("c"))) == "ab / c");
  CHECK(to_terminal(fraction(sym("1"), row({sym("2"), call("f", sym("x"))}))) == "1 / (2f(x))");
  CHECK(to_terminal(fraction(call("f", row({sym("a"), sym("+"), sym("b")})), sym("c"))) == "f(a + b) / c");
  CHECK(to_terminal(fraction(sym("1"), sup(row({sym("a"), sym("b")}), sym("2")))) == "1 / (ab)²");
}

TEST_CASE("a fraction beside a factor takes parentheses and beside a sum it does not") {
  const Formula mean = fraction(sym("1"), sym("n"));
  CHECK(to_terminal(row({mean, sub(sym("Σ"), sym("i")), sub(sym("x"), sym("i"))})) == "(1 / n) Σᵢ xᵢ");
  CHECK(to_terminal(row({row({mean}), sym("x")})) == "(1 / n) x");
  CHECK(to_terminal(row({sym("x"), sym("+"), mean})) == "x + 1 / n");
  CHECK(to_terminal(row({mean, sym("("), sym("x"), sym("+"), sym("y"), sym(")")})) == "(1 / n)(x + y)");
  CHECK(to_terminal(call("exp", mean)) == "exp(1 / n)");
}

TEST_CASE("roots reach over one letter and take parentheses over more") {
  CHECK(to_terminal(root(sym("d"))) == "√d");
  CHECK(to_terminal(root(row({sym("a"), sym("+"), sym("b")}))) == "√(a + b)");
  CHECK(to_terminal(root(row({sym("a"), sym("b")}))) == "√(ab)");
  CHECK(to_terminal(root(fraction(sym("a"), sym("b")))) == "√(a / b)");
  CHECK(to_terminal(sup(root(sym("x")), sym("2"))) == "(√x)²");
  CHECK(to_terminal(fraction(sym("1"), root(sub(sym("d"), sym("k"))))) == "1 / √dₖ");
}

TEST_CASE("scripts become characters only where all of them exist") {
  CHECK(to_terminal(sub(sym("d"), sym("k"))) == "dₖ");
  CHECK(to_terminal(sub(sym("d"), sym("model"))) == "d_model");
  CHECK(to_terminal(sub(sym("W"), sym("Q"))) == "W_Q");
  CHECK(to_terminal(sub(sym("x"), row({sym("i"), sym("+"), sym("1")}))) == "xᵢ₊₁");
  CHECK(to_terminal(sub(sym("w"), row({sym("q"), sym(","), sym("k")}))) == "w_(q, k)");
  CHECK(to_terminal(sup(sym("10"), sym("−3"))) == "10⁻³");
  CHECK(to_terminal(sup(sym("W"), row({sym("("), sym("h"), sym(")")}))) == "W⁽ʰ⁾");
  CHECK(to_terminal(sup(sym("W"), row({sym("("), sym("Q"), sym(")")}))) == "W^(Q)");
  CHECK(to_terminal(sup(sym("W"), sym("Q"))) == "W^Q");
  CHECK(to_terminal(sup(sym("10000"), fraction(row({sym("2"), sym("i")}), sym("d")))) == "10000^(2i / d)");
}

TEST_CASE(
    "a script on more than a letter takes parentheses and a second script does not run into the first") {
  CHECK(to_terminal(sup(row({sym("Q"), sym("K")}), sym("T"))) == "(QK)ᵀ");
  CHECK(to_terminal(sup(call("f", sym("x")), sym("2"))) == "f(x)²");
  CHECK(to_terminal(sup(sup(sym("x"), sym("2")), sym("3"))) == "(x²)³");
  CHECK(to_terminal(sup(sub(sym("x"), sym("i")), sym("2"))) == "xᵢ²");
  CHECK(to_terminal(sup(fraction(sym("a"), sym("b")), sym("2"))) == "(a / b)²");
}

TEST_CASE("spaces stand around operators and after commas and between words") {
  CHECK(to_terminal(row({sym("y"), sym("="), sym("−"), sym("x"), sym("+"), sym("1")})) == "y = −x + 1");
  CHECK(to_terminal(row({sym(" y "), sym(" = "), sym("x")})) == "y = x");
  CHECK(to_terminal(row({sym("["), sym("a"), sym(","), sym("-"), sym("b"), sym("]")})) == "[a, -b]");
  CHECK(to_terminal(row({sym("max"), sym("x")})) == "max x");
  CHECK(to_terminal(row({sym("X"), sub(sym("W"), sym("Q")), sym("Y")})) == "XW_Q Y");
  CHECK(to_terminal(row({sym("q"), sym("·"), sym("k")})) == "q · k");
  CHECK(to_terminal(row({sym("注意度"), sym("="), call("softmax", sym("スコア"))})) ==
        "注意度 = softmax(スコア)");
}

TEST_CASE("an empty formula is an empty text") {
  CHECK(to_terminal(Formula{}).empty());
  CHECK(to_markup(Formula{}, 10.0).empty());
  CHECK(to_terminal(row({sym(""), sym("x")})) == "x");
}

TEST_CASE("markup sets scripts smaller and off the base line") {
  CHECK(to_markup(sup(sym("K"), sym("T")), 20.0) == "K<span size=\"14336\" rise=\"7782\">T</span>");
  CHECK(to_markup(sub(sym("d"), sym("k")), 20.0) == "d<span size=\"14336\" rise=\"-3277\">k</span>");
}

TEST_CASE("no script is smaller than 7 points and none larger than its base") {
  const Formula tower = sup(sym("a"), sup(sym("b"), sup(sym("c"), sym("d"))));
  for (const double size : {6.0, 7.0, 8.0, 10.0, 14.0, 40.0}) {
    const std::vector<double> sizes = points_of(to_markup(tower, size), "size");
    REQUIRE(sizes.size() == 3);
    double base = size;
    for (const double script : sizes) {
      CHECK(script >= std::min(size, 7.0));
      CHECK(script <= base);
      base = script;
    }
  }
}

TEST_CASE("a script of a script rises above it") {
  const std::vector<double> rises =
      points_of(to_markup(sup(sym("a"), sup(sym("b"), sym("c"))), 20.0), "rise");
  REQUIRE(rises.size() == 2);
  CHECK(rises[0] > 0.0);
  CHECK(rises[1] > rises[0]);
}

TEST_CASE("markup spans are never nested and its text is escaped") {
  const Formula formula =
      row({sub(sym("x"), sup(sym("i"), sym("2"))), sym("<"), sym("a&b"), sym(">"), sym("0")});
  const std::string markup = to_markup(formula, 12.0);
  CHECK(text_of(markup) == "xi2 &lt; a&amp;b &gt; 0");
  CHECK(depth_of(markup) == 1);
}

TEST_CASE("terminal and markup give the same formula apart from its scripts") {
  CHECK(text_of(to_markup(attention(), 12.0)) == "softmax(QKT / √dk) V");
  CHECK(text_of(to_markup(softmax(), 12.0)) == "pi = exp(xi) / (Σj exp(xj))");
}
