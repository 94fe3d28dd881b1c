// Blocks of cells as one: no peak is lost.
#include "terminal_figure/cells.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace attnlab;
using namespace attnlab::terminal_figure;

namespace {

const Text not_labelled = Text::same("");

HeatMap map_of(std::size_t rows, std::size_t columns, std::vector<double> values, double low = 0.0) {
  return {"m",          {rows, columns, std::move(values)},      {}, {}, not_labelled,
          not_labelled, {Palette::blues, low, 1.0, not_labelled}};
}

}  // namespace

TEST_CASE("each block is its largest value, and the last may be smaller") {
  const HeatMap result = pooled(map_of(2, 3, {0.1, 0.4, 0.2, 0.3, 0.0, 0.9}), {2, 2});
  CHECK(result.values.rows == 1);
  CHECK(result.values.columns == 2);
  CHECK(result.values.values == std::vector<double>{0.4, 0.9});
  REQUIRE(result.column_numbers);
  CHECK(result.column_numbers->end == 3);
}

TEST_CASE("where a scale has two signs, the value farthest from 0 counts") {
  const HeatMap result = pooled(map_of(1, 4, {0.1, -0.4, 0.2, 0.3}, -1.0), {1, 2});
  CHECK(result.values.values == std::vector<double>{-0.4, 0.3});
}

TEST_CASE("NaN and hidden cells count only where a block holds nothing else") {
  HeatMap map = map_of(1, 6, {std::nan(""), 0.2, 0.0, 0.1, 0.0, 0.0});
  map.hidden = {false, false, true, false, true, true};
  const HeatMap result = pooled(map, {1, 2});
  CHECK(result.values.values == std::vector<double>{0.2, 0.1, 0.0});
  CHECK(result.hidden == std::vector<bool>{false, false, true});
  CHECK(std::isnan(pooled(map_of(1, 2, {std::nan(""), std::nan("")}), {1, 2}).values.values[0]));
}

TEST_CASE("a block bears its first name") {
  HeatMap map = map_of(1, 3, {0.0, 0.0, 0.0});
  map.column_labels = {"a", "b", "c"};
  const HeatMap result = pooled(map, {1, 2});
  REQUIRE(result.column_labels.size() == 2);
  CHECK(result.column_labels[1].in(Language::en) == "c");
}
