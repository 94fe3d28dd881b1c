// Exercise sheets: nothing of the answer is left, and everything that asks for it is.
#include "plotting/figure/numbers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plotting/layout/chart_frame.hpp"
#include "plotting/layout/layout.hpp"

using attnlab::Arrow;
using attnlab::Arrows;
using attnlab::Bars;
using attnlab::blank;
using attnlab::Callout;
using attnlab::Chart;
using attnlab::Figure;
using attnlab::HeatMap;
using attnlab::Language;
using attnlab::Layout;
using attnlab::Points;
using attnlab::Text;
using attnlab::Theme;
using attnlab::without_numbers;

namespace {

const Text question{"問い", "the question"};

Figure figure_of(attnlab::Panel panel) {
  return {"f",
          {"最大 0.80", "The largest is 0.80"},
          {"最大 0.80", "largest 0.80"},
          {"乱数の種 42。色は 0.1 から 0.9。", "Seed 42. Colours: 0.1 to 0.9."},
          {std::move(panel)},
          0,
          {},
          {},
          false};
}

attnlab::ColourScale colours() { return {attnlab::Palette::blues, 0.1, 0.9, Text::same("")}; }

HeatMap heat_map() {
  return {"weights",
          {2, 2, {0.1, 0.9, 0.7, 0.3}},
          {"Token 0", "Token 1"},
          {},
          Text::same(""),
          Text::same(""),
          colours(),
          3};
}

Chart chart() {
  Chart result{{Text::same(""), attnlab::Axis::Scale::linear, {}, {"a", "b"}},
               {Text::same(""), attnlab::Axis::Scale::linear, {}, {}},
               {}};
  result.layers = {Bars{"bars", {0.25, 0.75}, {}, {}, 3},
                   Points{"points", {0, 1}, {0.25, 0.75}, {}, question},
                   Callout{"best", 1, 0.75, {"0.75", "0.75"}},
                   Arrows{"arrows",
                          {Arrow{1, 0, {"v4 0.75", "v4 0.75"}, 0.75, {}, false},
                           Arrow{0.2, 0.1, {"出力", "output"}, {}, {}, false}},
                          {}}};
  return result;
}

Layout laid_out(const Figure& figure) { return lay_out(figure, {Language::en, Theme::light, figure.page}); }

std::string words_of(const Figure& figure) {
  std::string words;
  for (const attnlab::Item& item : laid_out(figure).list.items) {
    if (const auto* text = std::get_if<attnlab::Label>(&item.shape)) words += text->markup + "\n";
  }
  return words;
}

}  // namespace

TEST_CASE("results in words become gaps and other numbers stay") {
  CHECK(without_numbers("largest 0.80 of 20") == "largest ____ of 20");
  CHECK(without_numbers("takes 80 % and 5%") == "takes ____ % and ____%");
  CHECK(without_numbers("from -0.5 to .25") == "from ____ to ____");
  CHECK(without_numbers("1e-05 and 2.5e+10") == "____ and ____");
  CHECK(without_numbers("fig. 2.2.13, v4, Token 0") == "fig. 2.2.13, v4, Token 0");
  CHECK(without_numbers("最大は 0.80。") == "最大は ____。");
  CHECK(without_numbers("T=0.5 H=0.93") == "T=0.5 H=____");
  CHECK(without_numbers("float32") == "float32");
  CHECK(without_numbers("It is 42.") == "It is 42.");
  CHECK(without_numbers("256 × 64 + 64 = 16448. d = 8") == "256 × 64 + 64 = ____. d = 8");
  CHECK(without_numbers("6 × 4, d = 8") == "6 × 4, d = 8");
}

TEST_CASE("numbers that were given stay") {
  CHECK(without_numbers("α = 0.3, distance 0.21", {"0.3"}) == "α = 0.3, distance ____");
  CHECK(without_numbers("0.25 and 0.5", {"10.25,0.50,0.5"}) == "____ and 0.5");
}

TEST_CASE("labels and legends lose their results") {
  HeatMap map = heat_map();
  map.row_labels = {"Σ 0.83", "T=0.5"};
  const Figure sums = blank(figure_of({{"", ""}, map}), question);
  CHECK(std::get<HeatMap>(sums.panels[0].content).row_labels[0].in(Language::en) == "Σ ____");
  CHECK(std::get<HeatMap>(sums.panels[0].content).row_labels[1].in(Language::en) == "T=0.5");
  Chart curves = chart();
  curves.layers = {attnlab::Curve{"c", {1, 2}, {1, 2}, {}, {"傾き 2.00", "slope 2.00"}, false}};
  const Figure slopes = blank(figure_of({{"", ""}, curves}), question);
  const auto& emptied = std::get<Chart>(slopes.panels[0].content);
  CHECK(std::get<attnlab::Curve>(emptied.layers[0]).name.ja() == "傾き ____");
  attnlab::Diagram diagram;
  diagram.nodes = {{"q", question, 0.2, 0.5, {}, true}, {"k", question, 0.8, 0.5, {}, true}};
  diagram.edges = {{0, 1, 1.0, {"1", "1"}}};
  const Figure arrows = blank(figure_of({{"", ""}, diagram}), question);
  CHECK(std::get<attnlab::Diagram>(arrows.panels[0].content).edges[0].label.en() == "____");
}

TEST_CASE("the title asks instead of answering and the caption keeps the seed") {
  const Figure sheet = blank(figure_of({{"", ""}, heat_map()}), question);
  CHECK(sheet.title.en().find("The question") == 0);
  CHECK(sheet.title.en().find("Name") != std::string::npos);
  CHECK(sheet.title.ja().find("氏名") != std::string::npos);
  CHECK(sheet.caption.en() == "Seed 42.");
  CHECK(sheet.caption.ja() == "乱数の種 42。");
  CHECK(sheet.description.en().find("0.80") == std::string::npos);
}

TEST_CASE("a blank heat map keeps its names and shows neither numbers nor colours") {
  const Figure full = figure_of({{"Head 0", "Head 0"}, heat_map()});
  const std::string words = words_of(blank(full, question));
  CHECK(words_of(full).find("0.900") != std::string::npos);
  CHECK(words.find("0.900") == std::string::npos);
  CHECK(words.find("Token 1") != std::string::npos);
  CHECK(words.find("Head 0") != std::string::npos);
  const Layout layout = laid_out(blank(full, question));
  const bool coloured = std::any_of(
      layout.list.items.begin(), layout.list.items.end(),
      [](const attnlab::Item& item) { return std::holds_alternative<attnlab::FilledBox>(item.shape); });
  CHECK(!coloured);
}

TEST_CASE("a blank chart keeps its axes and loses its marks and the output") {
  const Figure full = figure_of({{"", ""}, chart()});
  const Figure sheet = blank(full, question);
  const auto& emptied = std::get<Chart>(sheet.panels[0].content);
  CHECK(y_limits(emptied).low == y_limits(chart()).low);
  CHECK(y_limits(emptied).high == y_limits(chart()).high);
  CHECK(std::get<Bars>(emptied.layers[0]).values.empty());
  CHECK(std::get<Points>(emptied.layers[1]).x.empty());
  const auto& arrows = std::get<Arrows>(emptied.layers[2]);
  REQUIRE(arrows.arrows.size() == 1);
  CHECK(arrows.arrows[0].label.en() == "v4 ____");
  CHECK(!arrows.arrows[0].value);
  const std::string words = words_of(sheet);
  CHECK(words.find("the question") != std::string::npos);  // the legend
  CHECK(words.find("0.750") == std::string::npos);
}

TEST_CASE("a matrix keeps its name and its shape and a diagram its boxes") {
  const std::vector<double> cells{0.25, 0.75};
  attnlab::Matrix values{1, 2, cells};
  const attnlab::MatrixTerm term{attnlab::HeatMap{"a", values}.coloured(colours()).with_numbers(3),
                                 attnlab::formula::sym("A"), "(1, 2) ±0.8"};
  const Figure matrices = blank(figure_of({{"", ""}, attnlab::MatrixEquation{{term}}}), question);
  const std::string words = words_of(matrices);
  CHECK(words.find("(1, 2)") != std::string::npos);
  CHECK(words.find("0.8") == std::string::npos);
  attnlab::Diagram diagram;
  diagram.nodes = {{"q", question, 0.2, 0.5, 0.5, true}, {"k", {"0.25 犬", "0.25 dog"}, 0.8, 0.5, {}, true}};
  diagram.edges = {{0, 1, 0.9, {"0.9", "0.9"}}};
  const Figure boxes = blank(figure_of({{"", ""}, diagram}), question);
  const auto& emptied = std::get<attnlab::Diagram>(boxes.panels[0].content);
  CHECK(emptied.nodes[1].text.en() == "____ dog");
  CHECK(!emptied.nodes[0].value);
  CHECK(emptied.edges[0].weight != 0.9);
}
