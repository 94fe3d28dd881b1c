// --annotate: numbers and shapes in the picture, each said once.
#include "plotting/figure/numbers.hpp"

#include <doctest/doctest.h>

namespace attnlab {
namespace {

const Text nothing = Text::same("");

Figure figure_of(Panel panel) {
  Figure figure{"f", nothing, nothing, nothing, {}, 0, {}, {}};
  figure.panels.push_back(std::move(panel));
  return figure;
}

// Filled number by number: GCC 12 takes a temporary matrix of literals for uninitialised.
HeatMap map_of(int decimals, CellFill fill) {
  HeatMap map{"m", {1, 2, {}}, {}, {}, nothing, nothing, {Palette::blues, 0, 1, nothing}, decimals};
  for (const double value : {0.25, 0.75}) map.values.values.push_back(value);
  map.fill = fill;
  return map;
}

std::vector<Callout> callouts_of(const Figure& figure) {
  std::vector<Callout> found;
  for (const Layer& layer : std::get<Chart>(figure.panels[0].content).layers) {
    if (const auto* callout = std::get_if<Callout>(&layer)) found.push_back(*callout);
  }
  return found;
}

Chart chart_of(std::vector<Layer> layers) {
  const Axis axis{nothing, Axis::Scale::linear, {}, {}};
  return {axis, axis, std::move(layers)};
}

}  // namespace

TEST_CASE("A heat map gets its numbers and its shape") {
  const Figure figure =
      annotated(figure_of({{"ヘッド 0", "Head 0"}, map_of(no_numbers, CellFill::coloured)}));
  CHECK(std::get<HeatMap>(figure.panels[0].content).decimals == 2);
  CHECK(figure.panels[0].title.en() == "Head 0 (1, 2)");
  CHECK(figure.panels[0].title.ja() == "ヘッド 0 (1, 2)");
  CHECK(annotated(figure).panels[0].title.en() == "Head 0 (1, 2)");
}

TEST_CASE("Numbers that are there keep their digits, and empty cells stay empty") {
  const auto decimals_after = [](int decimals, CellFill fill) {
    const Figure figure = annotated(figure_of({nothing, map_of(decimals, fill)}));
    return std::get<HeatMap>(figure.panels[0].content).decimals;
  };
  CHECK(decimals_after(3, CellFill::coloured) == 3);
  CHECK(decimals_after(no_numbers, CellFill::outline) == no_numbers);
}

TEST_CASE("Points and the ends of named curves say where they are, each place once") {
  const Points points{"p", {1, 2}, {0.5, 31.7}, series_ink(0), nothing};
  const Curve named{"c", {1, 2}, {0.5, 31.7}, series_ink(0), Text::same("q·k")};
  const Curve guide{"g", {1, 2}, {0.0, 32.0}, muted_ink, nothing, true};
  const Figure figure = annotated(figure_of({nothing, chart_of({points, named, guide})}));
  const std::vector<Callout> callouts = callouts_of(figure);
  REQUIRE(callouts.size() == 2);
  CHECK(callouts[0].text.en() == "0.5");
  CHECK(callouts[1].text.en() == "31.7");
  const Callout own{"own", 2.0, 31.7, Text::same("31.7")};
  CHECK(callouts_of(annotated(figure_of({nothing, chart_of({named, own})}))).size() == 1);
}

TEST_CASE("A cloud of points is left as it is") {
  Points cloud{"p", {}, {}, series_ink(0), nothing};
  for (int i = 0; i < 13; ++i) {
    cloud.x.push_back(i);
    cloud.y.push_back(i);
  }
  CHECK(callouts_of(annotated(figure_of({nothing, chart_of({cloud})}))).empty());
}

}  // namespace attnlab
