// Formulas typed in TeX, and as MathML.
#include "core/formula_document.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

namespace attnlab {
namespace {

std::string read_and_set(const std::string& tex) { return to_terminal(formula::read_tex(tex)); }

std::string mathml(const std::string& tex) {
  return to_mathml(formula::read_tex(tex), MathPlace::inline_text);
}

}  // namespace

TEST_CASE("TeX is read as it is set on paper") {
  CHECK(read_and_set("\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right) V") ==
        to_terminal(formula::read("softmax(\\frac{Q K^T}{\\sqrt{d_k}}) V")));
  CHECK(read_and_set("a_1 v_1 + \\cdots + a_n v_n") == to_terminal(formula::read("a_1 v_1 + ⋯ + a_n v_n")));
  CHECK(read_and_set("10000^{2i/D}") == to_terminal(formula::read("10000^{2 i / D}")));
  CHECK(read_and_set("\\frac12") == "1 / 2");
  CHECK(read_and_set("x^2_i") == read_and_set("x_i^2"));
}

TEST_CASE("What TeX could not be read is named") {
  const auto reported_of = [](const char* tex) -> std::string {
    try {
      formula::read_tex(tex);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return error.message(Language::en);
    }
    return "";
  };
  CHECK(reported_of("\\input{/etc/passwd}").find("'\\input'") != std::string::npos);
  CHECK(reported_of("{a").find("not closed") != std::string::npos);
  CHECK(reported_of("a}").find("too many") != std::string::npos);
  CHECK(reported_of("a^").find("too early") != std::string::npos);
  CHECK(reported_of("{a_}").find("too early") != std::string::npos);
  CHECK(reported_of("\\frac{a}").find("too early") != std::string::npos);
  CHECK(reported_of("\\mathrm a").find("needs {") != std::string::npos);
  CHECK(reported_of("a $ b").find("cannot have a $") != std::string::npos);
  CHECK(reported_of("\\").find("'\\'") != std::string::npos);
  CHECK(reported_of(std::string(5000, '{').c_str()).find("too deep") != std::string::npos);
}

TEST_CASE("No formula is nested deeper than it is written, whatever nests in it") {
  const auto many = [](int count, const std::string& words) {
    std::string all;
    for (int i = 0; i < count; ++i) all += words;
    return all;
  };
  for (const char* nesting :
       {"(", "[", "\\{", "\\langle ", "(]", "{", "\\frac{1}{", "\\sqrt{", "a^{", "'", "^a", "_a"}) {
    CAPTURE(nesting);
    CHECK_THROWS_AS(formula::read_tex("x" + many(20000, nesting)), Error);
  }
  CHECK_THROWS_AS(formula::read_tex(many(20000, "(") + "y" + many(20000, ")")), Error);
  CHECK_THROWS_AS(formula::read_tex(many(90, "{x") + many(90, "}" + std::string(11, '\''))), Error);
  const std::string deep = mathml(many(100, "(") + "y" + many(100, ")"));
  CHECK(deep.find("<mi>y</mi>") != std::string::npos);
  CHECK(mathml(many(20000, "(a)") + "x''").find("<mi>x</mi>") != std::string::npos);  // beside each other
}

TEST_CASE("Words in a formula hold signs and no command") {
  CHECK(read_and_set("\\mathrm{d\\_model}") == "d_model");
  CHECK(read_and_set("\\text{50\\% \\& more}") == "50% & more");
  for (const char* command :
       {"\\mathrm{\\input x}", "\\text{a \\directlua b}", "\\mathrm{^^5cinput}", "\\text{\\\\}"}) {
    CAPTURE(command);
    CHECK_THROWS_AS(formula::read_tex(command), Error);
  }
}

TEST_CASE("MathML has the tree of the formula") {
  CHECK(mathml("\\frac{a}{2}") ==
        "<math><mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac></math>");
  CHECK(mathml("K^\\top") ==
        "<math><msup><mrow><mi class=\"K\">K</mi></mrow><mi mathvariant=\"normal\">T</mi></msup></math>");
  CHECK(mathml("a < b") == "<math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>");
  CHECK(mathml("\\exp(-\\infty)").find("(</mo><mo form=\"prefix\">−</mo><mi>∞</mi>") != std::string::npos);
  const std::string low = "<mo stretchy=\"false\">(</mo>";
  CHECK(mathml("f(x) g_{(a)} \\frac{1}{2}").find("<mi>f</mi><mrow>" + low + "<mi>x</mi>") !=
        std::string::npos);  // as high as x, not as the fraction
  CHECK(mathml("f(\\frac{a}{b})").find("<mi>f</mi><mrow><mo>(</mo><mfrac>") != std::string::npos);
  CHECK(mathml("f(x)_m").find(low + "<mi>x</mi>") != std::string::npos);
  CHECK(mathml("((a) + (b))").find(")</mo></mrow><mo>+</mo><mrow>" + low) != std::string::npos);
  CHECK(mathml("a - b").find("<mo>−</mo>") != std::string::npos);
  CHECK(mathml("a, \\quad b").find("<mo>,</mo><mspace width=\"1em\">") != std::string::npos);
  CHECK(mathml("\\sum_{i=1}^{n} x_i").find("<munderover>") != std::string::npos);
  CHECK(mathml("\\mathrm{注意度}").find("<mtext>注意度</mtext>") != std::string::npos);
  CHECK(to_mathml(formula::read_tex("a"), MathPlace::displayed).find("<math display=\"block\">") == 0);
}

}  // namespace attnlab
