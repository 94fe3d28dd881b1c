// From data to ink: where each kind of mark stands on the page, and in which colour, computed by hand from
// its values. The data area is found from items that do not depend on the mark: the axis and the grid.
#include <doctest/doctest.h>

#include <cmath>

#include "plotting/layout/display_list.hpp"
#include "plotting/layout/laid_out.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

constexpr double tenth = 0.1;  // of a point

void check_near(double found, double expected, const std::string& what) {
  CHECK_MESSAGE(std::abs(found - expected) <= tenth, what << ": " << found << " for " << expected);
}

void check_at(const Position& found, const Position& expected, const std::string& what) {
  check_near(found.x, expected.x, what + " across");
  check_near(found.y, expected.y, what + " down");
}

void check_colour(const Colour& found, unsigned int rgb) {
  CHECK(found.red == static_cast<double>((rgb >> 16U) & 0xffU) / 255.0);
  CHECK(found.green == static_cast<double>((rgb >> 8U) & 0xffU) / 255.0);
  CHECK(found.blue == static_cast<double>(rgb & 0xffU) / 255.0);
}

constexpr unsigned int first_series = 0x0072b2;  // Okabe and Ito's blue
constexpr unsigned int palest_blue = 0xf7fbff;   // the ends and the middle of ColorBrewer's Blues
constexpr unsigned int middle_blue = 0x6baed6;
constexpr unsigned int darkest_blue = 0x08306b;

Axis axis(double low, double high) { return Axis{Text::none()}.within(low, high); }
Axis decades(double low, double high) { return Axis{Text::none(), Axis::Scale::log10}.within(low, high); }

DisplayList laid_out(decltype(Panel::content) content) {
  return list_of(Figure{"test", {"題", "Title"}}.panel(std::move(content)).on_page(8.0, 6.0));
}

/// The sizes of that page: lines, letters, and the gap between a mark and its label.
Style style_of_page() { return style_for(Theme::light, measures_of({8.0, 6.0})); }

/// The axis line gives the sides and the bottom of the data area, the grid its top.
Box data_area(const DisplayList& list) {
  const std::vector<Position>& bottom = shape_of<Path>(list, "panel[0].axis").points;
  const std::vector<Position>& upright = shape_of<Path>(list, "panel[0].grid.x[0]").points;
  return {bottom[0].x, upright[0].y, bottom[1].x - bottom[0].x, bottom[0].y - upright[0].y};
}

/// Of a level label: the middle of its line, left end, middle and right end.
struct Stand {
  Position left;
  Position middle;
  Position right;
  double top = 0.0;
};
Stand stand_of(const DisplayList& list, const std::string& id) {
  const Label& label = shape_of<Label>(list, id);
  REQUIRE(label.angle == 0.0);
  const TextExtent extent = measure(label.markup, label.size, label.weight);
  const auto [x, y] = label.position;
  const double down = y + extent.height / 2.0;
  return {{x, down}, {x + extent.width / 2.0, down}, {x + extent.width, down}, y};
}

/// The number that a tick says; a power of ten is told by its exponent, which the markup raises.
double value_of(const std::string& markup) {
  std::string plain;
  bool inside = false;
  for (const char c : markup) {
    if (c == '<') inside = true;
    if (!inside) plain += c;
    if (c == '>') inside = false;
  }
  for (std::size_t at = plain.find("−"); at != std::string::npos; at = plain.find("−"))
    plain.replace(at, std::string("−").size(), "-");
  if (markup.find('<') == std::string::npos) return std::stod(plain);
  return std::pow(10.0, std::stod(plain.substr(2)));
}

/// Across and up as shares of the area, 0 at the lower left corner.
Position in_area(const Box& area, double right, double up) {
  return {area.x + area.width * right, area.y + area.height * (1.0 - up)};
}

}  // namespace

TEST_CASE("Ticks of linear axes stand where their numbers lie between the limits") {
  const DisplayList list = laid_out(Chart{axis(-2.0, 6.0), axis(0.0, 4.0), {Curve{"c", {0, 1}, {0, 1}}}});
  const Box area = data_area(list);
  const double gap = style_of_page().gap;
  REQUIRE(items_like(list, "panel[0].x[").size() >= 3);
  for (const Item* item : items_like(list, "panel[0].x[")) {
    const Stand tick = stand_of(list, item->id);
    const double value = value_of(std::get<Label>(item->shape).markup);
    check_near(tick.middle.x, area.x + area.width * (value + 2.0) / 8.0, item->id);
    check_near(tick.top, area.y + area.height + gap, item->id);
  }
  REQUIRE(items_like(list, "panel[0].y[").size() >= 3);
  for (const Item* item : items_like(list, "panel[0].y[")) {
    const Stand tick = stand_of(list, item->id);
    const double value = value_of(std::get<Label>(item->shape).markup);
    check_at(tick.right, {area.x - gap, area.y + area.height * (1.0 - value / 4.0)}, item->id);
  }
}

TEST_CASE("No tick stands between two layers, and some do between places that are no whole numbers") {
  const auto between = [](const std::vector<double>& places) {
    const DisplayList list =
        laid_out(Chart{{Text::none()}, {Text::none()}, {Curve{"c", places, {0.1, 0.5, 0.2}}}});
    std::size_t count = 0;
    REQUIRE(items_like(list, "panel[0].x[").size() >= 2);
    for (const Item* item : items_like(list, "panel[0].x[")) {
      const double value = value_of(std::get<Label>(item->shape).markup);
      count += value == std::round(value) ? 0 : 1;
    }
    return count;
  };
  CHECK(between({0.0, 1.0, 2.0}) == 0);
  CHECK(between({0.0, 0.5, 2.0}) > 0);
}

TEST_CASE("Ticks of logarithmic axes stand at equal distances for equal factors, as do points and curves") {
  const DisplayList list =
      laid_out(Chart{decades(1.0, 1e4),
                     decades(1e-2, 1e2),
                     {Points{"p", {10.0, 1e3}, {1.0, 10.0}}, Curve{"c", {1, 1e4}, {0.1, 1}}}});
  const Box area = data_area(list);
  for (const Item* item : items_like(list, "panel[0].x[")) {
    const double value = value_of(std::get<Label>(item->shape).markup);
    check_near(stand_of(list, item->id).middle.x, area.x + area.width * std::log10(value) / 4.0, item->id);
  }
  for (const Item* item : items_like(list, "panel[0].y[")) {
    const double value = value_of(std::get<Label>(item->shape).markup);
    check_near(stand_of(list, item->id).middle.y, area.y + area.height * (2.0 - std::log10(value)) / 4.0,
               item->id);
  }
  CHECK(items_like(list, "panel[0].x[").size() == 5);
  CHECK(items_like(list, "panel[0].y[").size() == 5);
  check_at(shape_of<Disc>(list, "p[0]").centre, in_area(area, 0.25, 0.5), "p[0]");
  check_at(shape_of<Disc>(list, "p[1]").centre, in_area(area, 0.75, 0.75), "p[1]");
  check_at(shape_of<Path>(list, "c[2]").points[0], in_area(area, 0.0, 0.25), "begin");
  check_at(shape_of<Path>(list, "c[2]").points[1], in_area(area, 1.0, 0.5), "end");
}

TEST_CASE("The grid runs through the ticks") {
  const DisplayList list = laid_out(Chart{axis(0.0, 10.0), axis(0.0, 1.0), {Curve{"c", {0, 1}, {0, 1}}}});
  const auto count = items_like(list, "panel[0].grid.x[").size();
  REQUIRE(count == items_like(list, "panel[0].x[").size());
  for (std::size_t i = 0; i < count; ++i)
    check_near(shape_of<Path>(list, indexed("panel[0].grid.x", i)).points[0].x,
               stand_of(list, indexed("panel[0].x", i)).middle.x, "grid across");
  for (std::size_t i = 0; i < items_like(list, "panel[0].grid.y[").size(); ++i)
    check_near(shape_of<Path>(list, indexed("panel[0].grid.y", i)).points[0].y,
               stand_of(list, indexed("panel[0].y", i)).middle.y, "grid up");
}

TEST_CASE("Points and curves go through their values, in the colours of their series") {
  const DisplayList list = laid_out(Chart{axis(0.0, 10.0),
                                          axis(-1.0, 3.0),
                                          {Points{"p", {0.0, 2.5, 10.0}, {-1.0, 1.0, 3.0}, series_ink(0)},
                                           Curve{"c", {1.0, 5.0, 9.0}, {0.0, 2.0, 0.5}, series_ink(1)}}});
  const Box area = data_area(list);
  check_at(shape_of<Disc>(list, "p[0]").centre, in_area(area, 0.0, 0.0), "p[0]");
  check_at(shape_of<Disc>(list, "p[1]").centre, in_area(area, 0.25, 0.5), "p[1]");
  check_at(shape_of<Disc>(list, "p[2]").centre, in_area(area, 1.0, 1.0), "p[2]");
  check_colour(*shape_of<Disc>(list, "p[1]").fill, first_series);
  const Path& curve = shape_of<Path>(list, "c[3]");
  REQUIRE(curve.points.size() == 3);
  check_at(curve.points[0], in_area(area, 0.1, 0.25), "c at 1");
  check_at(curve.points[1], in_area(area, 0.5, 0.75), "c at 5");
  check_at(curve.points[2], in_area(area, 0.9, 0.375), "c at 9");
  check_colour(*curve.stroke, 0xd55e00);
}

TEST_CASE("A point off the scale is a triangle whose tip touches the edge at its place") {
  const DisplayList list =
      laid_out(Chart{axis(0.0, 4.0), axis(0.0, 1.0), {Points{"p", {1.0, 3.0}, {2.0, -1.0}}}});
  const Box area = data_area(list);
  check_at(shape_of<Path>(list, "p[0]").points[0], in_area(area, 0.25, 1.0), "above");
  check_at(shape_of<Path>(list, "p[1]").points[0], in_area(area, 0.75, 0.0), "below");
}

// Names take the place of ticks across; the bars reach from 0.65 bars left of the first to as far right of
// the last, and each fills 0.72 of its share.
TEST_CASE("Bars begin at zero and end at their values, in the colours of their values") {
  const ColourScale scale{Palette::viridis, -1.0, 3.0};
  const DisplayList list = laid_out(Chart{Axis{Text::none()}.named({"a", "b", "c"}),
                                          axis(-1.0, 3.0),
                                          {Bars{"bar", {3.0, -1.0, 1.5}}.coloured(scale)}});
  const std::vector<Position>& bottom = shape_of<Path>(list, "panel[0].axis").points;
  const double width = bottom[1].x - bottom[0].x;
  const auto y_of = [&](const char* number) {
    for (const Item* item : items_like(list, "panel[0].y["))
      if (std::get<Label>(item->shape).markup == number) return stand_of(list, item->id).middle.y;
    FAIL("no tick " << number);
    return 0.0;
  };
  const double unit = (y_of("−1.0") - y_of("3.0")) / 4.0;
  const double zero = y_of("0.0");
  const std::vector<double> values{3.0, -1.0, 1.5};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string id = indexed("bar", i);
    const Box& bar = shape_of<FilledBox>(list, id).box;
    const double middle = bottom[0].x + width * (static_cast<double>(i) + 0.65) / 3.3;
    check_near(bar.x + bar.width / 2.0, middle, id);
    check_near(bar.width, width * 0.72 / 3.3, id + " width");
    check_near(values[i] > 0.0 ? bar.y + bar.height : bar.y, zero, id + " foot");
    check_near(bar.height, std::abs(values[i]) * unit, id + " height");
    check_near(stand_of(list, id + ".text").middle.x, middle, id + " number");
    check_near(stand_of(list, indexed("panel[0].x", i)).middle.x, middle, id + " name");
  }
  check_near(shape_of<Path>(list, "bar.base").points[0].y, zero, "base");
  check_colour(shape_of<FilledBox>(list, "bar[0]").fill, 0xfde725);
  check_colour(shape_of<FilledBox>(list, "bar[1]").fill, 0x440154);
}

TEST_CASE("Arrows run from the origin to their ends, and a circle has its radius, in equal units") {
  Chart chart{axis(-2.0, 2.0), axis(-1.0, 1.0)};
  chart.layers = {Circle{"unit", 1.0},
                  Arrows{"arrow",
                         {{1.0, 0.5, Text::none(), 0.0}, {-2.0, -1.0, Text::none(), 1.0}},
                         ColourScale{Palette::viridis, 0.0, 1.0}}};
  chart.equal_units = true;
  const DisplayList list = laid_out(chart);
  const Box area = data_area(list);
  check_near(area.width, 2.0 * area.height, "shape of the area");
  check_at(shape_of<Path>(list, "arrow[0].shaft").points[0], in_area(area, 0.5, 0.5), "tail");
  check_at(shape_of<Path>(list, "arrow[0]").points[0], in_area(area, 0.75, 0.75), "tip");
  check_at(shape_of<Path>(list, "arrow[1]").points[0], in_area(area, 0.0, 0.0), "other tip");
  check_colour(*shape_of<Path>(list, "arrow[0]").fill, 0x440154);
  check_colour(*shape_of<Path>(list, "arrow[1].shaft").stroke, 0xfde725);
  check_at(shape_of<Disc>(list, "unit").centre, in_area(area, 0.5, 0.5), "centre");
  check_near(shape_of<Disc>(list, "unit").radius, area.width / 4.0, "radius");
}

TEST_CASE("Rules cross the panel at their values, and a callout stands a gap beside its point") {
  const DisplayList list = laid_out(Chart{
      axis(0.0, 8.0),
      axis(0.0, 4.0),
      {Rule{"level", Rule::Direction::horizontal, 3.0}, Rule{"upright", Rule::Direction::vertical, 6.0},
       Callout{"left", 2.0, 1.0, Text::same("here")}, Callout{"right", 7.0, 2.0, Text::same("there")}}});
  const Box area = data_area(list);
  check_at(shape_of<Path>(list, "level").points[0], in_area(area, 0.0, 0.75), "level begins");
  check_at(shape_of<Path>(list, "level").points[1], in_area(area, 1.0, 0.75), "level ends");
  check_at(shape_of<Path>(list, "upright").points[0], in_area(area, 0.75, 1.0), "upright begins");
  check_at(shape_of<Path>(list, "upright").points[1], in_area(area, 0.75, 0.0), "upright ends");
  const Style style = style_of_page();
  const double away = style.gap + 2.2 * style.line;  // beyond the rim of a point
  const Position left = in_area(area, 0.25, 0.25);
  check_at(stand_of(list, "left").left, {left.x + away, left.y}, "beside the point");
  const Position right = in_area(area, 7.0 / 8.0, 0.5);
  check_at(stand_of(list, "right").right, {right.x - away, right.y}, "towards the middle");
}

TEST_CASE("A callout stands nearer to its own point than to another, in that point's colour") {
  const DisplayList list = laid_out(
      Chart{axis(0.0, 8.0),
            axis(0.0, 4.0),
            {Points{"own", {2.0}, {2.0}, series_ink(1)}, Points{"other", {2.6}, {2.0}, series_ink(2)},
             Callout{"words", 2.0, 2.0, Text::same("5")}}});
  const Label& words = shape_of<Label>(list, "words");
  const Position middle = bounds_of(ink_corners(words)).centre();
  const auto distance = [&middle](const Position& point) {
    return std::hypot(point.x - middle.x, point.y - middle.y);
  };
  CHECK(distance(shape_of<Disc>(list, "own[0]").centre) < distance(shape_of<Disc>(list, "other[0]").centre));
  CHECK(words.colour.red > words.colour.blue);
}

TEST_CASE("A callout in a crowd of points stands where there is room, with a line to its own") {
  Points crowd{"crowd", {}, {}, series_ink(1)};
  for (double x = 0.0; x < 6.0; x += 0.2) {
    for (double y = 0.0; y < 3.9; y += 0.2) {
      crowd.x.push_back(x);
      crowd.y.push_back(y);
    }
  }
  const std::size_t points = crowd.x.size();
  const DisplayList list = laid_out(
      Chart{axis(0.0, 8.0), axis(0.0, 4.0), {crowd, Callout{"words", 1.0, 1.0, Text::same("lowest")}}});
  const Box words = bounds_of(ink_corners(shape_of<Label>(list, "words")));
  for (std::size_t i = 0; i < points; ++i) {
    const Position centre = shape_of<Disc>(list, indexed("crowd", i)).centre;
    CHECK_FALSE(
        (centre.x > words.x && centre.x < words.right() && centre.y > words.y && centre.y < words.bottom()));
  }
  check_at(shape_of<Path>(list, "words.leader").points[0], in_area(data_area(list), 0.125, 0.25), "leader");
}

namespace {

/// The colour bar stands as high as the cells: from the foot of its lowest colour to the head of its highest.
Box colour_bar_of(const DisplayList& list) {
  const std::size_t last = items_like(list, "panel[0].bar[").size() - 1;
  const Box& lowest = shape_of<FilledBox>(list, "panel[0].bar[0]").box;
  const Box& highest = shape_of<FilledBox>(list, indexed("panel[0].bar", last)).box;
  return {lowest.x, highest.y, lowest.width, lowest.y + lowest.height - highest.y};
}

}  // namespace

TEST_CASE("Cells of a heat map fill its area row by row, in the colours of their values") {
  const DisplayList list = laid_out(HeatMap{"w", {2, 3, {0.0, 0.5, 1.0, 2.0, -1.0, 0.5}}}
                                        .rows(Text::none())
                                        .columns(Text::none())
                                        .coloured(weight_colours())
                                        .with_numbers(1));
  const Box bar = colour_bar_of(list);
  const double side = bar.height / 2.0;  // of a cell: two rows
  const double left = stand_of(list, "panel[0].column[0]").middle.x - side / 2.0;
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const std::string id = indexed("w", row, column);
      const Box& cell = shape_of<FilledBox>(list, id).box;
      const Position corner{left + side * static_cast<double>(column),
                            bar.y + side * static_cast<double>(row)};
      check_at({cell.x, cell.y}, corner, id);
      check_near(cell.width, side - 1.0, id + " width");  // large cells stand a point apart
      check_near(cell.height, side - 1.0, id + " height");
      check_at(stand_of(list, id + ".text").middle,
               {cell.x + (side - 1.0) / 2.0, cell.y + (side - 1.0) / 2.0}, id + ".text");
    }
  }
  for (std::size_t row = 0; row < 2; ++row)
    check_at(stand_of(list, indexed("panel[0].row", row)).right,
             {left - style_of_page().gap, bar.y + side * (static_cast<double>(row) + 0.5)}, "row number");
  for (std::size_t column = 0; column < 3; ++column) {
    const Stand number = stand_of(list, indexed("panel[0].column", column));
    check_near(number.middle.x, left + side * (static_cast<double>(column) + 0.5), "column number");
    check_near(number.top, bar.y + bar.height + style_of_page().gap, "column number");
  }
  check_colour(shape_of<FilledBox>(list, "w[0,0]").fill, palest_blue);
  check_colour(shape_of<FilledBox>(list, "w[0,1]").fill, middle_blue);
  check_colour(shape_of<FilledBox>(list, "w[0,2]").fill, darkest_blue);
  check_colour(shape_of<FilledBox>(list, "w[1,0]").fill, darkest_blue);  // beyond the scale
  check_colour(shape_of<FilledBox>(list, "w[1,1]").fill, palest_blue);
  check_colour(shape_of<Label>(list, "w[0,2].text").colour, 0xffffff);
  check_colour(shape_of<Label>(list, "w[0,0].text").colour, 0x000000);
}

TEST_CASE("Small cells overlap by the seam but not beyond the map, and very many are a raster of as large") {
  const Matrix ramp{40, 40, std::vector<double>(1600, 0.5)};
  const DisplayList list = laid_out(HeatMap{"w", ramp}.coloured(weight_colours()));
  const Box bar = colour_bar_of(list);
  const double side = bar.height / 40.0;
  REQUIRE(side < 14.0);
  const Box& first = shape_of<FilledBox>(list, "w[0,0]").box;
  const Box& last = shape_of<FilledBox>(list, "w[39,39]").box;
  check_near(first.width, side + 0.4, "first");
  check_at({last.x + last.width, last.y + last.height}, {first.x + 40.0 * side, bar.y + bar.height}, "last");
  const Matrix many{160, 160, std::vector<double>(25600, 1.0)};
  const DisplayList pixels = laid_out(HeatMap{"w", many}.coloured(weight_colours()));
  const Raster& raster = shape_of<Raster>(pixels, "w");
  check_near(raster.box.y, colour_bar_of(pixels).y, "top");
  check_near(raster.box.height, colour_bar_of(pixels).height, "height");
  check_near(raster.box.width, raster.box.height, "width");
  check_colour(raster.pixels.back(), darkest_blue);
}

TEST_CASE("The colour bar runs from the first colour to the last, with its numbers where their colours are") {
  const DisplayList list =
      laid_out(HeatMap{"w", {2, 2, {0.0, 1.0, 2.0, 4.0}}}.coloured({Palette::blues, 0.0, 4.0}));
  const Box bar = colour_bar_of(list);
  const Box& top = shape_of<FilledBox>(list, "w[0,0]").box;
  const Box& bottom = shape_of<FilledBox>(list, "w[1,1]").box;
  check_near(bar.y, top.y, "top");
  check_near(bar.height, bottom.y + bottom.height + 1.0 - top.y, "height");
  check_near(bar.x, bottom.x + bottom.width + 1.0 + style_of_page().body, "left");
  std::size_t numbers = 0;
  for (const Item* item : items_like(list, "panel[0].bar.tick[")) {
    if (!std::holds_alternative<Label>(item->shape)) continue;
    const double y = bar.y + bar.height * (1.0 - value_of(std::get<Label>(item->shape).markup) / 4.0);
    check_near(stand_of(list, item->id).middle.y, y, item->id);
    const std::vector<Position>& mark = shape_of<Path>(list, item->id + ".mark").points;
    check_at(mark[0], {bar.x + bar.width, y}, item->id + ".mark");
    ++numbers;
  }
  CHECK(numbers >= 3);
  // 64 steps, each in the colour of its middle: the first 1/128 of the way, between the first two of the
  // palette's nine colours.
  const double way = 8.0 / 128.0;
  const Colour& first = shape_of<FilledBox>(list, "panel[0].bar[0]").fill;
  CHECK(first.red == doctest::Approx((0xf7 + way * (0xde - 0xf7)) / 255.0).epsilon(1e-12));
  CHECK(first.blue == doctest::Approx((0xff + way * (0xf7 - 0xff)) / 255.0).epsilon(1e-12));
  const Colour& last = shape_of<FilledBox>(list, "panel[0].bar[63]").fill;
  CHECK(last.red == doctest::Approx((0x08 + way * (0x08 - 0x08)) / 255.0).epsilon(1e-12));
  CHECK(last.blue == doctest::Approx((0x6b + way * (0x9c - 0x6b)) / 255.0).epsilon(1e-12));
}

// The names of the columns give the width of a cell, those of the rows its height.
TEST_CASE("Cells of a matrix equation stand under their names, all of one size") {
  const auto matrix = [](const std::string& id, std::size_t rows, std::size_t columns,
                         std::vector<double> values) {
    MatrixTerm term{
        HeatMap{id, {rows, columns, std::move(values)}}.coloured(weight_colours()).with_numbers(1),
        formula::sym(id), "shape"};
    for (std::size_t row = 0; row < rows; ++row) term.map.row_labels.emplace_back(std::to_string(row));
    for (std::size_t column = 0; column < columns; ++column)
      term.map.column_labels.emplace_back(std::to_string(column));
    return term;
  };
  const DisplayList list =
      laid_out(MatrixEquation{{matrix("A", 2, 3, {0.0, 0.5, 1.0, 1.0, 0.5, 0.0}),
                               OperatorTerm{formula::sym("=")}, matrix("B", 3, 2, {1, 0, 0, 1, 1, 0})}});
  const double side = stand_of(list, "A.column[1]").middle.x - stand_of(list, "A.column[0]").middle.x;
  check_near(stand_of(list, "B.row[1]").middle.y - stand_of(list, "B.row[0]").middle.y, side, "square");
  const auto check_cells = [&](const std::string& id, std::size_t rows, std::size_t columns) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::string cell = indexed(id, row, column);
        const Box& box = shape_of<FilledBox>(list, cell).box;
        const Position middle{stand_of(list, indexed(id + ".column", column)).middle.x,
                              stand_of(list, indexed(id + ".row", row)).middle.y};
        check_at({box.x, box.y}, {middle.x - side / 2.0, middle.y - side / 2.0}, cell);
        check_near(box.width, side - 1.0, cell + " width");
        check_near(box.height, side - 1.0, cell + " height");
        check_at(stand_of(list, cell + ".text").middle,
                 {box.x + (side - 1.0) / 2.0, box.y + (side - 1.0) / 2.0}, cell + ".text");
      }
    }
    const double left = shape_of<FilledBox>(list, id + "[0,0]").box.x;
    check_near(stand_of(list, id + ".shape").middle.x, left + side * static_cast<double>(columns) / 2.0, id);
    check_near(stand_of(list, id + ".name").middle.x, left + side * static_cast<double>(columns) / 2.0, id);
  };
  check_cells("A", 2, 3);
  check_cells("B", 3, 2);
  check_near(stand_of(list, "A.row[0]").middle.y + side / 2.0, stand_of(list, "B.row[1]").middle.y,
             "one axis");
  check_near(stand_of(list, "panel[0].operator[0]").middle.y, stand_of(list, "B.row[1]").middle.y,
             "operator");
  check_colour(shape_of<FilledBox>(list, "A[0,0]").fill, palest_blue);
  check_colour(shape_of<FilledBox>(list, "A[0,1]").fill, middle_blue);
  check_colour(shape_of<FilledBox>(list, "A[0,2]").fill, darkest_blue);
}

TEST_CASE("An equation stands in the middle of the page, its operator between its matrices") {
  const auto matrix = [](const std::string& id) {
    return MatrixTerm{HeatMap{id, {2, 2, {0.0, 0.5, 0.5, 1.0}}}.coloured(weight_colours()), formula::sym(id)};
  };
  const DisplayList list =
      laid_out(MatrixEquation{{matrix("A"), OperatorTerm{formula::sym("=")}, matrix("B")}});
  const double middle = list.width / 2.0;
  const Box& last = shape_of<FilledBox>(list, "A[1,1]").box;
  const double right_of_a = last.x + last.width + 1.0;  // the gap between cells
  check_near(stand_of(list, "panel[0].operator[0]").middle.x, middle, "operator");
  check_near(shape_of<FilledBox>(list, "B[0,0]").box.x - middle, middle - right_of_a, "A and B");
}

// A diagram takes the whole width between the margins.
TEST_CASE("Boxes of a diagram stand at their fractions, and edges join the sides that face each other") {
  Diagram diagram{{{"a", Text::same("a"), 0.2, 0.2, 0.0},
                   {"b", Text::same("b"), 0.8, 0.2, 1.0},
                   {"c", Text::same("c"), 0.2, 0.8, 0.5}},
                  {{0, 1, 1.0}, {0, 2, 0.0}},
                  weight_colours()};
  const DisplayList list = laid_out(diagram);
  const Style style = style_of_page();
  const auto box = [&](const char* id) { return bounds_of(shape_of<Path>(list, id).points); };
  const auto middle = [&](const char* id) {
    const Box found = box(id);
    return Position{found.x + found.width / 2.0, found.y + found.height / 2.0};
  };
  const double space = list.width - 2.0 * style.margin;
  check_near(middle("a").x, style.margin + 0.2 * space, "a");
  check_near(middle("b").x, style.margin + 0.8 * space, "b");
  check_near(middle("b").y, middle("a").y, "level");
  check_near(middle("c").x, middle("a").x, "upright");
  // The lower margin is 0.8 of the others; 0.6 of the height lies between a and c, 0.2 below c.
  const double height = (middle("c").y - middle("a").y) / 0.6;
  check_near(middle("c").y + 0.2 * height, list.height - 0.8 * style.margin, "bottom");
  for (const char* id : {"a", "b", "c"})
    check_at(stand_of(list, std::string(id) + ".text").middle, middle(id), id);
  const double gap = 0.6 * style.gap;
  check_at(shape_of<Path>(list, "a->b.shaft").points[0], {box("a").x + box("a").width + gap, middle("a").y},
           "leaves a");
  check_at(shape_of<Path>(list, "a->b").points[0], {box("b").x - gap, middle("b").y}, "reaches b");
  check_at(shape_of<Path>(list, "a->c").points[0], {middle("c").x, box("c").y - gap}, "reaches c");
  check_near(shape_of<Path>(list, "a->b.shaft").width, 6.0 * style.line, "heaviest");
  check_near(shape_of<Path>(list, "a->c.shaft").width, 0.5 * style.line, "lightest");
  check_colour(*shape_of<Path>(list, "a").fill, palest_blue);
  check_colour(*shape_of<Path>(list, "b").fill, darkest_blue);
  check_colour(*shape_of<Path>(list, "c").fill, middle_blue);
}

}  // namespace attnlab
