// What marks say under the pointer.
#include "lecture/built_lecture.hpp"

#include <doctest/doctest.h>

namespace attnlab {
namespace {

const Text nothing = Text::same("");

Figure figure_of(Panel panel) {
  Figure figure{"f", nothing, nothing, nothing, {}, 0, {}, {}};
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace

TEST_CASE("A cell names its row and its column, in the page's language") {
  Matrix values{1, 2, {}};
  for (const double value : {0.25, 0.123456}) values.values.push_back(value);
  const HeatMap map{"weights",
                    std::move(values),
                    {"猫"},
                    {},
                    {"クエリ", "Query"},
                    {"キー", "Key"},
                    {Palette::blues, 0, 1, nothing}};
  const Figure figure = figure_of({nothing, map});
  CHECK(hover_texts(figure, Language::ja).at("weights[0,0]") == "クエリ 猫, キー 0: 0.25");
  CHECK(hover_texts(figure, Language::en).at("weights[0,1]") == "Query 猫, Key 1: 0.1235");
}

TEST_CASE("Bars, points and arrows say their values") {
  Chart chart{{{"角度", "Angle"}, Axis::Scale::linear, {}, {"0°", "36°"}},
              {nothing, Axis::Scale::linear, {}, {}},
              {}};
  chart.layers.emplace_back(Bars{"b", {0.16, 0.212}, series_ink(0), {}, 3});
  chart.layers.emplace_back(Points{"p", {1.0}, {31.7}, series_ink(0), nothing});
  chart.layers.emplace_back(Arrows{"a", {{1.0, 0.5, nothing, 0.2, series_ink(0)}}, {}});
  const auto hovers = hover_texts(figure_of({nothing, chart}), Language::en);
  CHECK(hovers.at("b[1]") == "Angle 36°: 0.212");
  CHECK(hovers.at("p[0]") == "(1, 31.7)");
  CHECK(hovers.at("a[0]") == "(1, 0.5): 0.2");
}

}  // namespace attnlab
