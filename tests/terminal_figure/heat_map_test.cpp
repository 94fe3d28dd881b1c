// Heat maps: what can be read off with colours and without.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "drawn.hpp"

using namespace attnlab;

namespace {

const Text no_labels = Text::same("");

HeatMap small_map() {
  const ColourScale scale{Palette::blues, 0.0, 1.0, Text::same("Weight")};
  return {"w",
          {2, 2, {0.1, 0.9, 0.5, std::nan("")}},
          {"a", "b"},
          {"x", "y"},
          Text::same("Query"),
          Text::same("Key"),
          scale,
          1};
}

HeatMap unnumbered(std::size_t rows, std::size_t columns, std::vector<double> values, double low,
                   double high) {
  return {"m",       {rows, columns, std::move(values)},    {}, {}, no_labels,
          no_labels, {Palette::blues, low, high, no_labels}};
}

}  // namespace

TEST_CASE("numbers are aligned below the names of their columns, and the range is printed") {
  CHECK(drawn(small_map()) == Lines{"Query ↓  Key →",   //
                                    "    x    y",       //
                                    "a  0.1  0.9",      //
                                    "b  0.5  nan", "",  //
                                    "Weight  0 … 1"});
}

TEST_CASE("rows with Japanese names begin their cells in one column") {
  HeatMap map = small_map();
  map.row_labels = {"吾輩", "b"};
  const Lines lines = drawn(map);
  CHECK(lines[2] == "吾輩  0.1  0.9");
  CHECK(lines[3] == "   b  0.5  nan");
}

TEST_CASE("hidden cells are struck out, a value where none may be is bracketed, and both are explained") {
  HeatMap map = small_map();
  map.values.values = {0.1, 0.0, 0.5, 0.5};
  map.hidden = {false, true, true, false};
  const Lines lines = drawn(map);
  CHECK(lines[2] == "a   0.1     ╱");
  CHECK(lines[3] == "b  [0.5]   0.5");
  CHECK(lines[4] == "╱ hidden by the mask  [ ] a value that should be hidden");
}

TEST_CASE("without colours and numbers, five shades tell the order") {
  const Lines lines = drawn(unnumbered(1, 5, {0.0, 0.25, 0.5, 0.75, 1.0}, 0.0, 1.0));
  CHECK(contains(lines[1], "      ░░░░░░▒▒▒▒▒▒▓▓▓▓▓▓██████"));
  CHECK(contains(lines.back(), "░░"));
  CHECK(lines.back().substr(0, 1) == "0");
  CHECK(lines.back().substr(lines.back().size() - 1) == "1");
}

TEST_CASE("of a scale with two signs, sign and tenths tell the order") {
  const Lines lines = drawn(unnumbered(13, 3, std::vector<double>(39, -0.5), -0.5, 0.5));
  CHECK(lines[1] == " 0 −9−9−9");
  HeatMap map = unnumbered(13, 3, std::vector<double>(39, 0.0), -0.5, 0.5);
  map.values.values[1] = 0.25;  // 4.5 tenths of 9, rounded away from zero
  map.values.values[2] = 0.5;
  CHECK(drawn(map)[1] == " 0  0+5+9");
}

TEST_CASE("NaN is marked where no number stands") {
  const Lines lines = drawn(unnumbered(13, 1, std::vector<double>(13, std::nan("")), 0.0, 1.0));
  CHECK(contains(lines[1], "×"));
  CHECK(contains(lines[14], "× nan"));
}

TEST_CASE("a number in a coloured cell is black or white, whichever reads better") {
  const std::string text = text_of(figure_of({no_labels, small_map()}), 80, TerminalColours::direct);
  // Blues at 0.9 is between 08519c and 08306b: dark, so white; at 0.1 between f7fbff and deebf7: light.
  CHECK(contains(text, "38;2;255;255;255;48;2;8;74;146m"));
  CHECK(contains(text, "38;2;0;0;0;48;2;227;238;249m"));
}

TEST_CASE("two rows share a line where colours alone tell the values of a tall map") {
  const HeatMap map = unnumbered(40, 2, std::vector<double>(80, 0.5), 0.0, 1.0);
  const Lines lines =
      lines_of(without_escapes(text_of(figure_of({no_labels, map}), 80, TerminalColours::direct)));
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const std::string& line) { return contains(line, "▀▀"); }) == 20);
}

TEST_CASE("names of columns that do not fit are staggered, and last become numbers with a key") {
  HeatMap map = unnumbered(1, 4, {0.0, 0.0, 0.0, 0.0}, 0.0, 1.0);
  map.decimals = 2;
  map.column_labels = {"tired animals", "b", "wide streets", "d"};
  const Lines wide = drawn(map, 80);
  CHECK(contains(wide[0], "tired animals"));
  const Lines narrow = drawn(map, 44);
  CHECK(contains(narrow[0], "tired animals"));
  CHECK_FALSE(contains(narrow[0], "wide"));
  map.column_labels = {"the first of four long names", "the second of four long names", "c", "d"};
  CHECK(contains(on_one_line(drawn(map, 40)),
                 "0 the first of four long names 1 the second of four long names 2 c 3 d"));
}

TEST_CASE("a map with more cells than columns is pooled, and says so") {
  std::vector<double> values(200, 0.0);
  values[130] = 1.0;
  const Lines lines = drawn(unnumbered(1, 200, values, 0.0, 1.0));
  CHECK(contains(lines[1], "█"));
  CHECK(contains(on_one_line(lines), "each cell: the largest of 6 × 3"));
}

TEST_CASE("numbers that do not fit are left out, and the note says which width they need") {
  HeatMap map = unnumbered(2, 20, std::vector<double>(40, 0.25), 0.0, 1.0);
  map.decimals = 3;
  // The number of a row and a space, then 20 numbers of 5 characters with a space each.
  CHECK(contains(on_one_line(drawn(map)), "numbers left out: they need 122 columns"));
  CHECK(contains(on_one_line(drawn(map, 120)), "they need 122"));
}

TEST_CASE("a map to be filled in has empty cells and no range") {
  HeatMap map = small_map();
  map.fill = CellFill::outline;
  const Lines lines = drawn(map);
  CHECK(contains(lines[2], "a ____"));
  CHECK_FALSE(contains(on_one_line(lines), "Weight"));
}

TEST_CASE("where greys are dark at both ends, strokes tell the sign, in the bar, too") {
  HeatMap map = unnumbered(13, 2, std::vector<double>(26, 0.5), -1.0, 1.0);
  map.scale.palette = Palette::signed_greys;
  map.values.values[0] = -0.5;
  const Lines lines =
      lines_of(without_escapes(text_of(figure_of({no_labels, map}), 80, TerminalColours::direct)));
  CHECK(contains(lines[3], " 0 ╲╲"));
  CHECK_FALSE(contains(lines[4], "╲"));
  CHECK(contains(lines.back(), "−1 ╲╲"));
}

TEST_CASE("the bands of a stepped palette are named between the numbers where they change") {
  HeatMap map = small_map();
  map.scale.palette = Palette::bands;
  const Lines lines =
      lines_of(without_escapes(text_of(figure_of({no_labels, map}), 80, TerminalColours::direct)));
  CHECK(contains(lines.back(), " | 0.5 | "));  // the middle of six
  CHECK(contains(lines.back(), "yellow"));
}

TEST_CASE("logarithmic colours put a value where its decade stands") {
  HeatMap map = unnumbered(13, 1, std::vector<double>(13, 1e-3), 1e-4, 1.0);
  map.scale.spacing = ColourScale::Spacing::logarithmic;
  map.values.values[0] = 0.1;
  const Lines lines = drawn(map);
  CHECK(contains(lines[1], "▓"));  // three quarters of the way: the fourth of five shades
  CHECK(contains(lines[2], "░"));  // a quarter
  CHECK(contains(lines.back(), "0.0001 "));
}
