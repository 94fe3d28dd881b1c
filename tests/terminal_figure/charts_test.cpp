// Bars, points, curves and arrows, read off the characters.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/terminal_width.hpp"
#include "drawn.hpp"

using namespace attnlab;

namespace {

const Text none = Text::same("");

Chart chart_of(std::vector<Layer> layers) {
  return {{Text::same("time"), Axis::Scale::linear, Interval{0.0, 10.0}, {}},
          {Text::same("value"), Axis::Scale::linear, Interval{0.0, 1.0}, {}},
          std::move(layers)};
}

Chart bars_of(std::vector<double> values, std::vector<ShortText> names, int decimals = 2) {
  return {{Text::same("Key"), Axis::Scale::linear, {}, std::move(names)},
          {Text::same("Weight"), Axis::Scale::linear, {}, {}},
          {Bars{"bars", std::move(values), series_ink(0), {}, decimals}}};
}

std::size_t columns_of(const std::string& line, const std::string& part) {
  const std::size_t at = line.find(part);
  REQUIRE(at != std::string::npos);
  return display_width(line.substr(0, at));
}

/// The line that holds a text.
std::size_t line_of(const Lines& lines, const std::string& part) {
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return contains(line, part); });
  REQUIRE(found != lines.end());
  return static_cast<std::size_t>(found - lines.begin());
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("bars are as long as their values, to an eighth of a column") {
  const Lines lines = drawn(bars_of({1.0, 0.5, 0.0, std::nan("")}, {"猫", "bc", "d", "e"}));
  CHECK(lines[0] == "Key ↓  Weight →");
  CHECK(count_of(lines[1], "█") == 48);  // the longest that a bar becomes
  CHECK(count_of(lines[3], "█") == 24);
  CHECK(contains(lines[1], " 1.00"));
  CHECK(contains(lines[3], " 0.50"));
  CHECK(lines[5] == " d │0.00");
  CHECK(lines[7] == " e │nan");
  CHECK(columns_of(lines[1], "│") == columns_of(lines[3], "│"));
}

TEST_CASE("negative bars lie left of the axis, with their numbers still further left") {
  const Lines lines = drawn(bars_of({-1.0, 1.0}, {"a", "b"}, 1));
  CHECK(columns_of(lines[1], "−1.0") < columns_of(lines[1], "█"));
  CHECK(columns_of(lines[1], "█") < columns_of(lines[1], "│"));
  CHECK(columns_of(lines[3], "│") < columns_of(lines[3], "█"));
  CHECK(columns_of(lines[1], "│") == columns_of(lines[3], "│"));
  CHECK(count_of(lines[1], "█") == count_of(lines[3], "█"));
}

TEST_CASE("bars without numbers say the ends of their axis") {
  CHECK(drawn(bars_of({0.5, 0.25}, {}, no_numbers)).back() == "0 … 0.5");
}

TEST_CASE("bars to be filled in keep their names") {
  Chart chart = bars_of({}, {"a", "b"});
  chart.layers.clear();
  const Lines lines = drawn(chart);
  CHECK(lines[1] == "a │");
  CHECK(lines[3] == "b │");
}

TEST_CASE("series differ in the shape of their marks, and the legend names them") {
  const Lines lines =
      drawn(chart_of({Points{"p", {2.0, 4.0}, {0.5, 0.5}, series_ink(0), Text::same("one")},
                      Points{"q", {6.0, 8.0}, {0.5, 0.5}, series_ink(1), Text::same("two")}}));
  CHECK(lines[0] == " ●  one    ▲  two");
  const std::string text = on_one_line({lines.begin() + 1, lines.end()});
  CHECK(count_of(text, "●") == 2);
  CHECK(count_of(text, "▲") == 2);
}

TEST_CASE("higher values stand higher, larger x further right") {
  const Lines lines = drawn(chart_of({Points{"p", {1.0, 9.0}, {0.9, 0.9}, series_ink(0), none},
                                      Points{"q", {5.0}, {0.1}, series_ink(1), none}}));
  const std::string& upper = lines[line_of(lines, "●")];
  CHECK(line_of(lines, "●") < line_of(lines, "▲"));
  const std::size_t first = upper.find("●");
  CHECK(upper.find("●", first + 1) != std::string::npos);
  const std::size_t middle = columns_of(lines[line_of(lines, "▲")], "▲");
  CHECK(columns_of(upper, "●") < middle);
}

TEST_CASE("a point beyond the axis is an arrow at the edge with its value") {
  const Lines lines = drawn(chart_of({Points{"p", {5.0}, {3.25}, series_ink(0), none}}));
  const std::string& top = lines[line_of(lines, "↑ value") + 1];
  CHECK(contains(top, "↑"));
  CHECK(contains(on_one_line(lines), "3.250"));
}

TEST_CASE("curves are lines of dots with their marks; a dashed one has gaps in the legend's line") {
  const Lines lines =
      drawn(chart_of({Curve{"c", {0.0, 10.0}, {0.2, 0.2}, series_ink(0), Text::same("even"), false},
                      Curve{"d", {0.0, 10.0}, {0.8, 0.8}, series_ink(1), Text::same("broken"), true}}));
  CHECK(lines[0] == " ─●─  even    ╌▲╌  broken");
  const std::string text = on_one_line({lines.begin() + 1, lines.end()});
  CHECK(count_of(text, "●") == 5);
  CHECK(count_of(text, "▲") == 5);
}

TEST_CASE("NaN interrupts a curve") {
  const double nan = std::nan("");
  const auto dots_in = [](const Lines& lines) {
    std::size_t dots = 0;
    for (const std::string& line : lines)
      dots += count_of(line, "\xe2\xa0") + count_of(line, "\xe2\xa1") + count_of(line, "\xe2\xa2") +
              count_of(line, "\xe2\xa3");
    return dots;
  };
  const std::size_t whole = dots_in(
      drawn(chart_of({Curve{"c", {0.0, 4.0, 6.0, 10.0}, {0.5, 0.5, 0.5, 0.5}, series_ink(0), none}})));
  const std::size_t broken = dots_in(drawn(
      chart_of({Curve{"c", {0.0, 4.0, 5.0, 6.0, 10.0}, {0.5, 0.5, nan, 0.5, 0.5}, series_ink(0), none}})));
  CHECK(broken < whole);
  CHECK(broken > whole / 2);
}

TEST_CASE("powers of ten stand at a logarithmic axis") {
  Chart chart = chart_of({});
  chart.y.scale = Axis::Scale::log10;
  chart.y.limits = Interval{1e-4, 1e4};
  const std::string text = on_one_line(drawn(chart));
  CHECK(contains(text, "10⁴ ┤"));
  CHECK(contains(text, "10⁻⁴ ┤"));
}

TEST_CASE("arrows point where they go and bear their labels") {
  const auto arrow = [](double x, double y, const char* label) {
    return Arrow{x, y, Text::same(label), {}, series_ink(0), false};
  };
  const ColourScale scale{Palette::blues, 0.0, 0.5, Text::same("Weight")};
  Chart chart{
      {Text::same("x"), Axis::Scale::linear, Interval{-1.5, 1.5}, {}},
      {Text::same("y"), Axis::Scale::linear, Interval{-1.5, 1.5}, {}},
      {Arrows{
          "a", {arrow(1.0, 0.0, "east"), arrow(0.0, 1.0, "north"), arrow(-0.7, -0.7, "southwest")}, scale}},
      true};
  const Lines lines = drawn(chart);
  for (const std::string head : {"→", "↑", "↙", "east", "north", "southwest"})
    CHECK(contains(on_one_line(lines), head));
  CHECK(lines.back() == "Weight  0 … 0.5");
  CHECK(line_of(lines, "north") < line_of(lines, "east"));
  CHECK(line_of(lines, "east") < line_of(lines, "southwest"));
}

TEST_CASE("one unit is as long upwards as to the right: a character counts twice as high as wide") {
  Chart chart{{none, Axis::Scale::linear, Interval{0.0, 1.0}, {}},
              {none, Axis::Scale::linear, Interval{0.0, 1.0}, {}},
              {Points{"corner", {1.0}, {1.0}, series_ink(0), none},
               Points{"origin", {0.0}, {0.0}, series_ink(1), none}},
              true};
  const Lines lines = drawn(chart);
  const auto across =
      columns_of(lines[line_of(lines, "●")], "●") - columns_of(lines[line_of(lines, "▲")], "▲");
  const auto down = line_of(lines, "▲") - line_of(lines, "●");
  CHECK(across + 1 == 2 * (down + 1));
}

TEST_CASE("guides and callouts bear their words") {
  const Lines lines =
      drawn(chart_of({Rule{"r", Rule::Direction::horizontal, 0.5, Text::same("equal"), muted_ink},
                      Rule{"s", Rule::Direction::vertical, 5.0, Text::same("limit"), muted_ink},
                      Callout{"c", 2.0, 0.2, Text::same("here")}}));
  const std::string text = on_one_line(lines);
  for (const std::string part : {"┄┄┄", "┊", "equal", "limit", "here"}) CHECK(contains(text, part));
}

TEST_CASE("words without a place are listed below") {
  std::vector<Layer> layers;
  layers.reserve(200);
  for (int i = 0; i < 200; ++i)
    layers.emplace_back(Callout{"c", 5.0, 0.5, Text::same("crowd" + std::to_string(i))});
  const std::string text = on_one_line(drawn(chart_of(std::move(layers))));
  CHECK(contains(text, "labels without a place"));
  for (int i = 0; i < 200; ++i) CHECK(contains(text, "crowd" + std::to_string(i)));
}
