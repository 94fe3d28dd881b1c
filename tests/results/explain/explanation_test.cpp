// Explanations: every number that is written out is the one that a reader would get, and every form holds
// the same steps.
#include "results/explain/explanation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/terminal_width.hpp"
#include "evaluated_formula.hpp"
#include "results/derivation/recompute.hpp"
#include "results/explain/written_numbers.hpp"

using attnlab::Array;
using attnlab::Colouring;
using attnlab::Derivation;
using attnlab::Explanation;
using attnlab::Language;
using attnlab::Report;
using attnlab::Stage;
using attnlab::Text;
using attnlab::to_terminal;
using attnlab::written;
using attnlab::written_in_brackets;
using attnlab::formula::sym;
using derived = attnlab::derived;

namespace {

using Shape = std::vector<std::size_t>;
using Numbers = std::vector<double>;

const Text title{"例", "an example"};

Stage provided(const std::string& name, Shape shape, Numbers data) {
  return {name, {}, {std::move(shape), {}, std::move(data)}};
}

/// The stage that the derivation gives, computed.
void add(Report& report, const std::string& name, const Derivation& derivation) {
  Stage stage{name, sym("S"), {}, derivation};
  stage.array = attnlab::computed(derivation, attnlab::operands_of(stage, report.stages));
  report.stages.push_back(stage);
}

Report attention() {
  Report report;
  report.experiment = "vectors";
  report.stages = {provided("query", {2, 2}, {1.2, 0.9, 1, -2}),
                   provided("key", {3, 2}, {1.4, 0.5, -0.6, 1.3, 1, 0}),
                   provided("value", {3, 1}, {2, 4, 8})};
  add(report, "raw_scores", derived::product_with_transpose("query", "key"));
  add(report, "scores", derived::scaled("raw_scores", 0.5));
  add(report, "weights", derived::softmax("scores"));
  add(report, "output", derived::product("weights", "value"));
  return report;
}

std::string text_of(const Report& report, std::size_t row = 0) {
  return explanation_text(attnlab::explain(report, title, row), Language::en, Colouring::plain);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string explained(const std::string& name, const Derivation& derivation, std::vector<Stage> operands,
                      std::size_t row = 0) {
  Report report;
  report.stages = std::move(operands);
  add(report, name, derivation);
  return text_of(report, row);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a sum shows the terms that matter") {
  const Numbers one_hot{0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  Numbers column{1.76, -0.1, 3, 4, 5, 2.25, 7, 8, 9, 10};
  const std::string product =
      explained("output", derived::product("weights", "value"),
                {provided("weights", {1, 10}, one_hot), provided("value", {10, 1}, column)});
  CHECK(contains(product, "0 · 1.76 + ⋯ + 1 · 2.25 + ⋯ + 0 · 10"));
  const std::string equal = explained(
      "output", derived::product("weights", "value"),
      {provided("weights", {1, 6}, Numbers(6, 0.5)), provided("value", {6, 1}, {1, 2, 3, 4, 5, 6})});
  CHECK(contains(equal, "0.5 · 1 + 0.5 · 2 + 0.5 · 3 + ⋯ + 0.5 · 6"));
  const std::string largest = explained("weights", derived::softmax("scores"),
                                        {provided("scores", {1, 9}, {0, 1, 0, 2, 0, 40, 0, 1, 0})});
  CHECK(contains(largest, "max(0, ⋯, 40, ⋯, 0) = 40"));
}

TEST_CASE("a number is exact while four decimals hold it") {
  CHECK(to_terminal(written(0.35).formula) == "0.35");
  CHECK(written(0.35).exact);
  CHECK(to_terminal(written(2.0).formula) == "2");
  CHECK(to_terminal(written(0.123456).formula) == "0.1235");
  CHECK(!written(0.123456).exact);
  CHECK(to_terminal(written(0.12000001).formula) == "0.1200");
  CHECK(to_terminal(written(-2.5).formula) == "−2.5");
  CHECK(to_terminal(written(1.25e-7).formula) == "1.25 × 10⁻⁷");
  CHECK(to_terminal(written(-5.184705528587072e21).formula) == "−5.185 × 10²¹");
  CHECK(to_terminal(written(0.0).formula) == "0");
  CHECK(to_terminal(written(std::nan("")).formula) == "NaN");
  CHECK(to_terminal(written(-HUGE_VAL).formula) == "−∞");
}

TEST_CASE("a negative factor and a power of ten stand in parentheses") {
  CHECK(to_terminal(written_in_brackets(-0.4).formula) == "(−0.4)");
  CHECK(to_terminal(written_in_brackets(1e-9).formula) == "(1 × 10⁻⁹)");
  CHECK(to_terminal(written_in_brackets(0.4).formula) == "0.4");
  CHECK(to_terminal(written_in_brackets(0.0).formula) == "0");
}

TEST_CASE("a dot product is written with its numbers and its result") {
  const std::string text = text_of(attention());
  // a·b of the textbook: 1.2 · 1.4 + 0.9 · 0.5 = 2.13
  CHECK(contains(text, "raw_scores[0, 0] = query[0] · key[0] = 1.2 · 1.4 + 0.9 · 0.5 = 2.13"));
  CHECK(contains(text, "= 1.2 · (−0.6) + 0.9 · 1.3 = 0.45"));
  CHECK(contains(text, "scores[0, 1] = 0.5 · raw_scores[0, 1] = 0.5 · 0.45 = 0.225"));
  CHECK(contains(text, "x (") == false);
}

TEST_CASE("another row is written out when it is asked for") {
  const std::string text = text_of(attention(), 1);
  CHECK(contains(text, "raw_scores[1, 0] = query[1] · key[0] = 1 · 1.4 + (−2) · 0.5 = 0.4"));
  CHECK(!contains(text, "raw_scores[0, 0]"));
}

TEST_CASE("softmax shows its maximum and its exponentials and their sum") {
  const std::string text =
      explained("weights", derived::softmax("scores"), {provided("scores", {1, 2}, {1, 3})});
  CHECK(contains(text, "m = max(1, 3) = 3"));
  CHECK(contains(text, "Z = Σₖ exp(scores[0, k] − m) ≈ exp(1 − 3) + exp(3 − 3) ≈ 0.1353 + 1 ≈ 1.1353"));
  CHECK(contains(text, "weights[0, 0] = exp(1 − 3) / Z ≈ 0.1353 / 1.1353 ≈ 0.1192"));
}

TEST_CASE("long sums and rows are elided in the middle") {
  const Numbers ones(40, 1.0);
  const std::string text =
      explained("scores", derived::product_with_transpose("query", "key"),
                {provided("query", {1, 40}, ones), provided("key", {9, 40}, Numbers(360, 2.0))});
  CHECK(contains(text, "= 1 · 2 + 1 · 2 + 1 · 2 + ⋯ + 1 · 2"));
  CHECK(contains(text, "= 80"));
  CHECK(contains(text, "scores[0, 8]"));
  CHECK(!contains(text, "scores[0, 4]"));
  CHECK(contains(text, "scores[0] = [80, 80, 80, 80, 80, ⋯, 80, 80]"));
}

TEST_CASE("every operation shows formula and numbers and result") {
  const Stage x = provided("x", {1, 2}, {-1, 2});
  const Stage y = provided("y", {2}, {3, 0.5});
  CHECK(contains(explained("z", derived::sum("x", "y"), {x, y}), "z[0, 0] = x[0, 0] + y[0] = −1 + 3 = 2"));
  CHECK(contains(explained("z", derived::difference("y", "x"), {x, y}), "= 3 − (−1) = 4"));
  CHECK(contains(explained("z", derived::relu("x"), {x}), "z[0, 0] = max(0, x[0, 0]) = max(0, −1) = 0"));
  CHECK(contains(explained("z", derived::tanh("x"), {x}), "= tanh(2) ≈ 0.9640"));
  CHECK(contains(explained("z", derived::power("x", 3.0), {x}), "= 3^(x[0, 1]) = 3² = 9"));
  CHECK(contains(explained("z", derived::exponential("x"), {x}), "= exp(2) ≈ 7.3891"));
  CHECK(contains(explained("z", derived::scaled("x", 1.0), {x}), "The same as x."));
  CHECK(
      contains(explained("z", derived::row_entropy("y"), {provided("y", {2}, {0.5, 0.5})}), "0.5 · ln 0.5"));
  CHECK(contains(explained("z", derived::product("x", "y"), {x, y}), "= (−1) · 3 + 2 · 0.5 = −2"));
  const std::string norm =
      explained("z", derived::layer_norm("x", 1e-5), {provided("x", {1, 4}, {1, 2, 3, 4})});
  CHECK(contains(norm, "μ ≈ (1 + 2 + 3 + 4) / 4 ≈ 2.5"));
  CHECK(contains(norm, "1.25"));
  CHECK(contains(norm, "≈ −1.3416"));
  const std::string joined = explained("z", derived::join_heads("h"), {provided("h", {2, 1, 1}, {3, 4})});
  CHECK(contains(joined, "z[0] = [h[0, 0], h[1, 0]]"));
  CHECK(contains(joined, "z[0] = [3, 4]"));
  const std::string split =
      explained("z", derived::split_heads("p", 2), {provided("p", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}, 1);
  CHECK(contains(split, "z[0, 1] = p[1, 0:2]"));
  CHECK(contains(split, "z[1, 1] = p[1, 2:4]"));
  CHECK(contains(split, "z[0, 1] = [5, 6]"));
}

TEST_CASE("a formula of numbers has the value that a pocket calculator gives") {
  using attnlab::evaluated;
  using attnlab::formula::read;
  CHECK(evaluated(read("1.5 + 2 · ( −3 )")).value() == doctest::Approx(-4.5));
  CHECK(evaluated(read("\\frac{1 − 3}{\\sqrt{3 + 1}} · 2")).value() == doctest::Approx(-2.0));
  CHECK(evaluated(read("2 · cos(0) − 3 · sin(0)")).value() == doctest::Approx(2.0));
  CHECK(evaluated(read("1.25 × 10^{−2}")).value() == doctest::Approx(0.0125));
  CHECK(evaluated(written_in_brackets(-0.4).formula).value() == doctest::Approx(-0.4));
  CHECK(evaluated(written(1.25e-7).formula).value() == doctest::Approx(1.25e-7));
  CHECK_FALSE(evaluated(read("x + 1")).has_value());
  CHECK_FALSE(evaluated(read("1 + ⋯ + 2")).has_value());
}

TEST_CASE("what is written of norms and rotations gives the result that stands behind it") {
  const Stage x = provided("x", {3, 4}, {0.3, -1.2, 2.1, 0.7, -0.4, 0.9, 1.6, -2.2, 1.1, 0.2, -0.8, 0.5});
  const Stage gain = provided("gain", {4}, {1.5, 0.5, -0.7, 2});
  const Stage angles = provided("angles", {3, 2}, {0, 0, 1, 0.1, 2, 0.2});
  const std::vector<std::pair<Derivation, std::size_t>> operations{
      {derived::rms_norm("x", "gain", 0.01), 1},  // one line for m
      {derived::layer_norm("x", 0.01), 2},        // one each for μ and σ²
      {derived::rotary_pairs("x", "angles"), 0},
      {derived::rotary_halves("x", "angles"), 0},
      {derived::softmax("x"), 0}};
  for (const auto& [derivation, of_the_row] : operations) {
    Report report;
    report.stages = {x, gain, angles};
    add(report, "z", derivation);
    const Explanation explanation = attnlab::explain(report, title, 2);
    std::size_t compared = 0;
    for (const auto& line : explanation.steps.back().lines) {
      const auto* chain = std::get_if<attnlab::Chain>(&line);
      if (chain == nullptr || chain->links.size() < 2) continue;
      const auto worked = attnlab::evaluated(chain->links[chain->links.size() - 2].right);
      const auto result = attnlab::evaluated(chain->links.back().right);
      if (!worked || !result) continue;
      INFO(to_terminal(chain->left), " = ", to_terminal(chain->links[chain->links.size() - 2].right));
      CHECK(*worked == doctest::Approx(*result).epsilon(1e-3));
      ++compared;
    }
    CHECK(compared >= 3 + of_the_row);  // of four columns the first two and the last are written out
  }
}

TEST_CASE("of batches the first is shown and the text says so") {
  const std::string text = explained("s", derived::product("a", "b"),
                                     {provided("a", {2, 1, 1}, {2, 5}), provided("b", {2, 1, 1}, {3, 7})});
  CHECK(contains(text, "index 0 is shown"));
  CHECK(contains(text, "s[0, 0, 0] = a[0, 0] · b[0, :, 0] = 2 · 3 = 6"));
}

TEST_CASE("an entropy per batch and row keeps to the first batch") {
  const std::string text = explained("h", derived::row_entropy("p"),
                                     {provided("p", {2, 2, 2}, {0.5, 0.5, 1, 0, 0.25, 0.75, 0, 1})}, 1);
  CHECK(contains(text, "h[0, 1] ≈ −(1 · ln 1 + 0 · ln 0)"));
  CHECK(contains(text, "h[0] ≈ [0.6931, 0]"));
}

TEST_CASE("worked lines are shown for their row and their end is admitted") {
  Report report;
  report.stages = {provided("x", {3, 1}, {1, 2, 3}),
                   {"s",
                    sym("S"),
                    {{3, 1}, {}, {1, 4, 9}},
                    derived::worked({"x"}, {{sym("first"), {}}, {sym("second"), {}}})}};
  CHECK(contains(text_of(report, 1), "second"));
  CHECK(!contains(text_of(report, 1), "first"));
  CHECK(contains(text_of(report, 2), "Only rows up to 1"));
}

TEST_CASE("a stage without a derivation shows its formula and its result") {
  Report report;
  report.stages = {{"s", sym("QK"), {{1, 2}, {}, {1, 0.25}}}};
  const std::string text = text_of(report);
  CHECK(contains(text, "s = QK"));
  CHECK(contains(text, "s[0] = [1, 0.25]"));
}

TEST_CASE("empty arrays and single numbers and NaN are explained without a crash") {
  CHECK(contains(explained("s", derived::softmax("x"), {provided("x", {0, 3}, {})}), "s[0] = []"));
  CHECK(
      contains(explained("s", derived::scaled("x", 2.0), {provided("x", {}, {3})}), "s = 2 · x = 2 · 3 = 6"));
  const double infinity = HUGE_VAL;
  CHECK(contains(explained("s", derived::softmax("x"), {provided("x", {1, 2}, {-infinity, -infinity})}),
                 "NaN"));
  CHECK(contains(text_of(Report{}), "computation"));
}

TEST_CASE("a row that no stage has is refused with the rows there are") {
  CHECK_THROWS_WITH_AS(text_of(attention(), 2), doctest::Contains("rows 0 to 1"), attnlab::Error);
  CHECK_THROWS_WITH_AS(explained("s", derived::softmax("x"), {provided("x", {2}, {1, 2})}, 1),
                       doctest::Contains("only one row"), attnlab::Error);
}

TEST_CASE("the terminal's lines keep to 80 columns in both languages") {
  for (const Language language : {Language::ja, Language::en}) {
    const std::string text =
        explanation_text(attnlab::explain(attention(), title, 0), language, Colouring::plain);
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      CHECK(attnlab::display_width(text.substr(begin, end - begin)) <= 80);
      begin = end + 1;
    }
  }
}

TEST_CASE("Markdown pairs its dollar signs and escapes its own marks") {
  const std::string text = explanation_markdown(attnlab::explain(attention(), title, 0), Language::en);
  CHECK(count(text, "\n$$\n") % 2 == 0);
  CHECK(count(text, "\n$$\n") > 10);
  CHECK(contains(text, "raw\\_scores (2, 3)"));
  CHECK(contains(text, "\\begin{aligned}"));
  CHECK(contains(text, "1.2 \\cdot 1.4 + 0.9 \\cdot 0.5"));
}

TEST_CASE("LaTeX is a complete document with balanced environments") {
  for (const Language language : {Language::ja, Language::en}) {
    const std::string text = explanation_latex(attnlab::explain(attention(), title, 0), language);
    CHECK(contains(text, "\\documentclass"));
    CHECK(contains(text, "\\usepackage{amsmath,amssymb}"));
    CHECK(count(text, "\\begin{") == count(text, "\\end{"));
    CHECK(count(text, "\\[") == count(text, "\\]"));
    CHECK(count(text, "{") == count(text, "}"));
    CHECK(contains(text, "raw\\_scores"));
    CHECK(contains(text, "ltjsarticle") == (language == Language::ja));
  }
}
