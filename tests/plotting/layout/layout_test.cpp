#include "plotting/layout/layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/layout/laid_out.hpp"

namespace attnlab {
namespace {

const Text nothing = Text::same("");

HeatMap heat_map(std::size_t rows, std::size_t columns, int decimals) {
  Matrix values{rows, columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i)
    values.values.push_back(static_cast<double>(i) / static_cast<double>(rows * columns));
  return {"weights", values, {}, {}, nothing, nothing, {Palette::blues, 0.0, 1.0, nothing}, decimals};
}

Figure figure_of(std::vector<Panel> panels) {
  Figure figure{"test", {"題", "Title"}, {"説明", "description"}, nothing, {}, 0, {}, {}};
  figure.panels = std::move(panels);
  return figure;
}

std::string svg_of(const DisplayList& list) { return paint_svg({list, {}}, Lettering::text); }

}  // namespace

TEST_CASE("a logarithmic axis reaches the smallest and the largest numbers that there are") {
  Chart chart{Axis{Text::same("x")}, Axis{Text::same("y"), Axis::Scale::log10}};
  chart.layers = {Curve{"curve", {0.0, 1.0, 2.0, 3.0}, {1e308, 1.0, 5e-324, 0.0}, series_ink(0)}};
  const Figure figure = Figure{"f", Text::none()}.panel(std::move(chart)).on_page(6.0, 4.0);
  CHECK_FALSE(items_like(lay_out(figure, {Language::en, Theme::light, figure.page}).list, "curve").empty());
}

TEST_CASE("A heat map has one box per cell with the row and the column in its id") {
  const DisplayList list = list_of(figure_of({{nothing, heat_map(3, 5, no_numbers)}}));
  CHECK(items_like(list, "weights[").size() == 15);
  const Box first = box_of(*items_like(list, "weights[0,0]").front());
  const Box below = box_of(*items_like(list, "weights[1,0]").front());
  const Box beside = box_of(*items_like(list, "weights[0,1]").front());
  CHECK(below.y > first.y);
  CHECK(beside.x > first.x);
  CHECK(below.y - first.y == doctest::Approx(beside.x - first.x));  // square cells
}

TEST_CASE(
    "Numbers in cells that are too small are left out with a warning and never shrunk below seven points") {
  Figure figure = figure_of({{nothing, heat_map(20, 20, 2)}});
  figure.page = {10.0, 10.0};
  CHECK_FALSE(lay_out(figure, {Language::en, Theme::light, figure.page}).misses_numbers);
  const Layout layout = lay_out(figure, {Language::en, Theme::light, {3.0, 3.0}});
  CHECK(items_like(layout.list, "weights[0,0].text").empty());
  REQUIRE(layout.warnings.size() == 1);
  CHECK(layout.warnings.front().en().find("--size") != std::string::npos);
}

TEST_CASE("A page too small for the figure is an error that names a larger one") {
  const Figure figure = figure_of({{nothing, heat_map(4, 4, 2)}});
  CHECK_THROWS_WITH_AS(lay_out(figure, {Language::en, Theme::light, {0.9, 0.7}}), doctest::Contains("--size"),
                       Error);
}

TEST_CASE("The remedy for a page without room is never that page") {
  Figure figure = figure_of({{nothing, heat_map(4, 4, 2)}});
  figure.page = {0.9, 0.7};
  CHECK_THROWS_WITH_AS(lay_out(figure, {Language::en, Theme::light, figure.page}),
                       doctest::Contains("larger --size"), Error);
}

TEST_CASE("Maps of a single long row stand on a wide page") {
  Figure figure = figure_of({});
  for (std::size_t i = 0; i < 4; ++i) {
    HeatMap map = heat_map(1, 30, no_numbers);
    map.id = fmt::format("map{}", i);
    figure.panels.push_back({nothing, map});
  }
  figure.shared_scale = weight_colours();
  CHECK(items_like(lay_out(figure, {Language::en, Theme::light, {16.0, 6.0}}).list, "map3[0,").size() == 30);
}

TEST_CASE("A long title of an axis stands in several lines within its panel") {
  const Axis long_name{{"", "The excess of the hidden score over everything else"}};
  const Axis short_name{{"", "y"}};
  const DisplayList list =
      list_of(figure_of({{nothing, Chart{long_name, short_name}}, {nothing, Chart{long_name, short_name}}}));
  CHECK(items_like(list, "panel[0].x.title").size() > 1);
}

TEST_CASE("A title beside an equation is not broken inside a word") {
  const auto equation = [](const std::string& id) {
    return MatrixEquation{{MatrixTerm{{id, {1, 2, {0.0, 1.0}}}, formula::sym("A"), "(1, 2)"}}};
  };
  Figure figure =
      figure_of({{{"", "Without positions"}, equation("one")}, {{"", "With positions"}, equation("two")}});
  figure.columns = 1;
  figure.page = {3.0, 3.0};
  const DisplayList list = list_of(figure);
  CHECK(std::get<Label>(items_like(list, "panel[0].title[1]").front()->shape).markup == "positions");
  CHECK(items_like(list, "panel[0].title").size() == 2);
}

// Digits need less height than letters that reach below the line.
TEST_CASE("Names of rows stay while their ink has room, and what is left out is told") {
  const auto names_of = [](const std::string& name, double height) {
    HeatMap map = heat_map(12, 2, no_numbers);
    map.row_labels.assign(12, Text::same(name));
    const Layout layout = lay_out(figure_of({{nothing, map}}), {Language::en, Theme::light, {6.0, height}});
    return std::pair{items_like(layout.list, "panel[0].row[").size(), layout.warnings.size()};
  };
  using Written = std::pair<std::size_t, std::size_t>;
  CHECK(names_of("gh", 6.0) == Written{12, 0});
  CHECK(names_of("gh", 1.55) == Written{6, 1});
  CHECK(names_of("50", 1.55) == Written{12, 0});
}

TEST_CASE("A legend tells every name in full, in several lines where one is too long") {
  Chart chart{Axis{Text::same("x")}, Axis{Text::same("y")}};
  chart.layers = {Points{"one", {0.0, 1.0}, {0.0, 1.0}, series_ink(0), {"", "after the last layer of all"}},
                  Points{"two", {0.0, 1.0}, {0.0, 1.0}, series_ink(1), {"", "before it"}}};
  Figure figure = figure_of({{nothing, chart}, {nothing, chart}, {nothing, chart}, {nothing, chart}});
  figure.columns = 4;
  figure.page = {6.0, 4.0};
  const DisplayList list = list_of(figure);
  std::string words;
  for (const Item* item : items_like(list, "panel[0].legend"))
    if (const auto* label = std::get_if<Label>(&item->shape)) words += label->markup + " ";
  CHECK(words == "after the last layer of all before it ");
  CHECK(items_like(list, "panel[0].legend[0][1]").size() == 1);
}

TEST_CASE("Charts on a slide say once what all their axes are") {
  const Chart chart{Axis{{"", "Dot product"}}, Axis{{"", "Weight"}}};
  const Figure figure = figure_of({{nothing, chart}, {nothing, chart}});
  const Preset& slide = preset_named("slide-4x3");
  LayoutOptions options{Language::en, Theme::light, slide.page};
  CHECK(items_like(lay_out(figure, options).list, "panel[1].x.title").size() == 1);
  options.measures = slide.measures;
  const DisplayList list = lay_out(figure, options).list;
  CHECK(items_like(list, "panel[1].x.title").empty());
  CHECK(items_like(list, "figure.column.title").size() == 1);
  CHECK(items_like(list, "figure.row.title").size() == 1);
}

TEST_CASE("A long name below a low page leaves room for the picture") {
  HeatMap map = heat_map(4, 4, no_numbers);
  map.column_labels.assign(4, Text::same("supercalifragilisticexpialidocious"));
  CHECK_NOTHROW(lay_out(figure_of({{nothing, map}}), {Language::en, Theme::light, {14.0, 3.5}}));
}

TEST_CASE("NaN is drawn as a grey cell with its name") {
  HeatMap map = heat_map(1, 2, 2);
  map.values.values[1] = not_a_number;
  const DisplayList list = list_of(figure_of({{nothing, map}}));
  CHECK(std::get<Label>(items_like(list, "weights[0,1].text").front()->shape).markup == "nan");
}

// Of three cells the first is hidden and holds 0, the second is hidden and holds a number, the third is free.
TEST_CASE("A hidden cell is struck out without a number and framed with one") {
  HeatMap map = heat_map(1, 3, 2);
  map.hidden = {true, true, false};
  const DisplayList list = list_of(figure_of({{nothing, map}}));
  CHECK(items_like(list, "weights[0,0].strike").size() == 1);
  CHECK(items_like(list, "weights[0,0].text").empty());
  CHECK(items_like(list, "weights[0,1].frame").size() == 1);
  CHECK(items_like(list, "weights[0,1].text").size() == 1);
  CHECK(items_like(list, "weights[0,2].text").size() == 1);
  CHECK(items_like(list, "weights[0,2].frame").empty());
  CHECK(items_like(list, "weights[0,2].strike").empty());
}

TEST_CASE("A score of minus infinity that a mask hides is struck out in a map as in an equation") {
  const double hidden = -std::numeric_limits<double>::infinity();
  HeatMap map = heat_map(1, 2, 2);
  map.values.values = {0.5, hidden};
  map.hidden = {false, true};
  const MatrixTerm term{HeatMap{"masked", map.values}.with_numbers(2).hiding(map.hidden), formula::sym("S")};
  const DisplayList list = list_of(figure_of({{nothing, map}, {nothing, MatrixEquation{{term}}}}));
  for (const std::string id : {"weights", "masked"}) {
    CHECK(items_like(list, id + "[0,0].text").size() == 1);
    CHECK(items_like(list, id + "[0,1].strike").size() == 1);
    CHECK(items_like(list, id + "[0,1].text").empty());
    CHECK(items_like(list, id + "[0,1].frame").empty());
  }
}

TEST_CASE("Cells too small for a stroke of their own share one where a whole block is hidden") {
  for (const std::size_t size : {100U, 200U}) {  // boxes, and a raster
    HeatMap map = heat_map(size, size, no_numbers);
    map.values.values.assign(size * size, 0.0);
    map.hidden.assign(size * size, false);
    for (std::size_t row = 0; row < size; ++row)
      for (std::size_t column = row + 1; column < size; ++column) map.hidden[row * size + column] = true;
    const DisplayList list = list_of(figure_of({{nothing, map}}));
    std::size_t strokes = 0;
    for (const Item* item : items_like(list, "weights[")) {
      if (item->id.find(".strike") == std::string::npos) continue;
      ++strokes;
      const std::vector<Position>& ends = std::get<Path>(item->shape).points;
      CHECK(std::hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y) >= 6.0);
    }
    CHECK(strokes > 50);
    CHECK(strokes < size * size / 4);
    CHECK(items_like(list, "weights[0,0].strike").empty());  // holds a number
  }
}

TEST_CASE("NaN without its name is crossed, so that it does not read as hidden") {
  HeatMap map = heat_map(2, 2, no_numbers);
  map.values.values = {0.0, not_a_number, 0.5, 0.5};
  map.hidden = {true, false, false, false};
  const DisplayList list = list_of(figure_of({{nothing, map}}));
  CHECK(items_like(list, "weights[0,0].strike").size() == 1);
  CHECK(items_like(list, "weights[0,0].cross").empty());
  CHECK(items_like(list, "weights[0,1].cross").size() == 1);
}

// Cells that only fit their numbers, or their names, when they are wider than high go without.
TEST_CASE("Cells are square on a page of any shape, and a map of one long row is an eighth as high as long") {
  const auto cell_on = [](const HeatMap& map, const PageSize& page) {
    const DisplayList list = lay_out(figure_of({{nothing, map}}), {Language::en, Theme::light, page}).list;
    return box_of(*items_like(list, "weights[0,0]").front());
  };
  HeatMap map = heat_map(6, 9, 2);
  map.column_labels.assign(9, Text::same("unbelievably"));
  for (const PageSize page : {PageSize{16.0, 4.0}, PageSize{10.0, 6.0}, PageSize{4.0, 8.0}}) {
    const Box cell = cell_on(map, page);
    CHECK(cell.width == doctest::Approx(cell.height).epsilon(0.01));
  }
  const Box thread = cell_on(heat_map(1, 512, no_numbers), {16.0, 6.0});
  CHECK(thread.height == doctest::Approx(512.0 * (thread.width - 0.4) / 8.0).epsilon(0.01));  // less its seam
}

TEST_CASE("On a slide the bar of maps side by side lies below them where their cells become larger so") {
  std::vector<Panel> panels;
  for (const char* name : {"first", "second", "third", "fourth"}) {
    panels.push_back({{"題", "Title"}, heat_map(6, 6, 2)});
    std::get<HeatMap>(panels.back().content).id = name;
  }
  const Figure figure = figure_of(std::move(panels)).sharing_scale(weight_colours()).sharing_axes();
  LayoutOptions options{Language::en, Theme::light, preset_named("slide-16x9").page};
  options.measures = preset_named("slide-16x9").measures;
  const Layout layout = lay_out(figure, options);
  CHECK(layout.space.bar == BarPlace::below);
  const Box cell = box_of(*items_like(layout.list, "fourth[5,5]").front());
  const Box bar = box_of(*items_like(layout.list, "figure.bar[63]").front());
  CHECK(bar.y > cell.bottom());
  CHECK(bar.right() <= cell.right() + 1.0);
  CHECK(items_like(layout.list, "first[0,0].text").size() == 1);
  options.reserved = layout.space;  // in a film it stays where it is
  CHECK(lay_out(figure, options).space.bar == BarPlace::below);
}

TEST_CASE("Very many cells become one raster") {
  const DisplayList list = list_of(figure_of({{nothing, heat_map(200, 200, no_numbers)}}));
  CHECK(items_like(list, "weights[").empty());
  REQUIRE(items_like(list, "weights").size() == 1);
  CHECK(std::get<Raster>(items_like(list, "weights").front()->shape).pixels.size() == 40000);
}

TEST_CASE("The ends of the range are printed at the colour bar") {
  HeatMap map = heat_map(2, 2, no_numbers);
  map.scale.low = 0.2349;
  map.scale.high = 0.2684;
  const std::string text = svg_of(list_of(figure_of({{nothing, map}})));
  CHECK(text.find("0.2349") != std::string::npos);
  CHECK(text.find("0.2684") != std::string::npos);
}

TEST_CASE("Panels with a shared scale have one colour bar and with shared axes one column of row names") {
  Figure figure = figure_of({{nothing, heat_map(3, 3, no_numbers)}, {nothing, heat_map(3, 3, no_numbers)}});
  figure.columns = 2;
  const auto bars = [](const DisplayList& list) {
    return std::count_if(list.items.begin(), list.items.end(),
                         [](const Item& item) { return item.id.find(".bar[0]") != std::string::npos; });
  };
  CHECK(bars(list_of(figure)) == 2);
  figure.shared_scale = ColourScale{Palette::blues, 0.0, 1.0, nothing};
  CHECK(bars(list_of(figure)) == 1);
  CHECK_FALSE(items_like(list_of(figure), "panel[1].row").empty());
  figure.shared_axes = true;
  CHECK(items_like(list_of(figure), "panel[1].row").empty());
  CHECK_FALSE(items_like(list_of(figure), "panel[0].row").empty());
}

TEST_CASE("Heat maps on one scale have cells of one size whatever their shapes and the page") {
  HeatMap wide = heat_map(2, 8, no_numbers);
  HeatMap high = heat_map(7, 3, no_numbers);
  wide.id = "wide";
  high.id = "high";
  Figure figure = figure_of({{nothing, wide}, {nothing, high}});
  figure.shared_scale = wide.scale;
  for (const PageSize page : {PageSize{10.0, 6.25}, PageSize{16.0, 9.0}, PageSize{5.0, 8.0}}) {
    for (const std::size_t columns : {0U, 1U, 2U}) {
      figure.page = page;
      figure.columns = columns;
      const DisplayList list = list_of(figure);
      CHECK(box_of(*items_like(list, "wide[0,0]").front()).width ==
            doctest::Approx(box_of(*items_like(list, "high[0,0]").front()).width));
    }
  }
}

TEST_CASE("Long token names are turned and a few short ones stay level") {
  HeatMap map = heat_map(8, 8, no_numbers);
  for (int i = 0; i < 8; ++i) map.column_labels.push_back("unbelievably " + std::to_string(i));
  const DisplayList turned = list_of(figure_of({{nothing, map}}));
  CHECK(std::get<Label>(items_like(turned, "panel[0].column[0]").front()->shape).angle < 0.0);
  map.column_labels.assign(8, "猫");
  const DisplayList level = list_of(figure_of({{nothing, map}}));
  CHECK(std::get<Label>(items_like(level, "panel[0].column[0]").front()->shape).angle == 0.0);
}

TEST_CASE("A bar is as high as its value and a negative one hangs below zero") {
  Chart chart{{nothing, Axis::Scale::linear, {}, {"a", "b"}},
              {nothing, Axis::Scale::linear, {}, {}},
              {Bars{"bar", {2.0, -1.0}, {}, {}, 1}},
              false};
  const DisplayList list = list_of(figure_of({{nothing, chart}}));
  const Box up = box_of(*items_like(list, "bar[0]").front());
  const Box down = box_of(*items_like(list, "bar[1]").front());
  CHECK(up.height == doctest::Approx(2.0 * down.height));
  CHECK(up.y + up.height == doctest::Approx(down.y));
}

TEST_CASE("The number of a bar that hangs down stands over it where the axis leaves no room below") {
  const auto number_and_bar = [](double height) {
    const Axis y = Axis{nothing}.within(-1.5, 1.5);
    Figure figure = figure_of({{nothing, Chart{Axis{nothing}, y, {Bars{"bars", {-1.4, 0.5}}}}}});
    figure.page = {6.0, height};
    const DisplayList list = list_of(figure);
    return std::pair{shape_of<Label>(list, "bars[0].text"), box_of(*items_like(list, "bars[0]").front())};
  };
  const auto [over, short_bar] = number_and_bar(2.4);
  CHECK(bounds_of(ink_corners(over)).bottom() <= short_bar.y);
  const auto [below, long_bar] = number_and_bar(30.0);
  CHECK(bounds_of(ink_corners(below)).y >= long_bar.bottom());
}

TEST_CASE("Bars without room for their numbers leave out the zeros before the points") {
  const auto number = [](double width) {
    Figure figure =
        figure_of({{nothing, Chart{Axis{nothing}, Axis{nothing}, {Bars{"bars", {0.25, 0.5, 0.75, 0.125}}}}}});
    figure.page = {width, 3.0};
    return shape_of<Label>(list_of(figure), "bars[0].text").markup;
  };
  CHECK(number(6.0) == "0.250");
  CHECK(number(1.5) == ".250");
}

TEST_CASE("A point beyond the limits becomes a triangle at the edge with its value") {
  Chart chart{{nothing, Axis::Scale::linear, {}, {}},
              {nothing, Axis::Scale::linear, Interval{0.0, 0.1}, {}},
              {Points{"point", {0.0, 1.0}, {0.05, 0.8044}, {}, nothing}},
              false};
  const DisplayList list = list_of(figure_of({{nothing, chart}}));
  CHECK(std::holds_alternative<Disc>(items_like(list, "point[0]").front()->shape));
  CHECK(std::holds_alternative<Path>(items_like(list, "point[1]").front()->shape));
  CHECK(std::get<Label>(items_like(list, "point[1].text").front()->shape).markup == "0.804");
}

TEST_CASE("Bars and arrows beyond the limits are broken within the panel, and the bar's value is written") {
  const Axis y = Axis{nothing}.within(0.0, 0.1);
  const Bars bars = Bars{"bars", {0.05, 0.8044}}.with_numbers(no_numbers);
  const DisplayList list = list_of(figure_of({{nothing, Chart{Axis{nothing}, y, {bars}}}}));
  CHECK(items_like(list, "bars[0].break").empty());
  CHECK(items_like(list, "bars[0].text").empty());
  CHECK_FALSE(items_like(list, "bars[1].break").empty());
  CHECK(shape_of<Label>(list, "bars[1].text").markup == "0.804");
  CHECK(box_of(*items_like(list, "bars[1]").front()).y > 0.0);

  const Axis unit = Axis{nothing}.within(-1.0, 1.0);
  const Chart plane{unit, unit, {Arrows{"arrow", {{0.5, 0.5, nothing}, {3.0, 3.0, nothing}}}}, true};
  const DisplayList arrows = list_of(figure_of({{nothing, plane}}));
  CHECK(items_like(arrows, "arrow[0].break").empty());
  CHECK_FALSE(items_like(arrows, "arrow[1].break").empty());
  const auto& shaft = shape_of<Path>(arrows, "arrow[1].shaft").points;
  CHECK(shaft[1].x - shaft[0].x == doctest::Approx(shaft[0].y - shaft[1].y));  // still at 45°
  CHECK(shaft[1].y > 0.0);
}

TEST_CASE("Numbers lose their zeros, then a digit, before they go; not where a digit tells nothing apart") {
  const auto numbers_on_smaller_pages = [](double high) {
    HeatMap map = heat_map(8, 8, 2);
    for (double& value : map.values.values) value = 0.25 + value * (high - 0.25);
    std::vector<std::string> numbers;
    for (double side = 8.0; side > 1.5; side -= 0.1) {
      const Layout layout =
          lay_out(figure_of({{nothing, map}}), {Language::en, Theme::light, PageSize{side, side}});
      const std::string number =
          layout.misses_numbers ? "" : shape_of<Label>(layout.list, "weights[0,0].text").markup;
      if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
    return numbers;
  };
  const bool loses_a_digit =
      numbers_on_smaller_pages(1.0) == std::vector<std::string>{"0.25", ".25", ".2", ""};
  CHECK(loses_a_digit);
  const bool keeps_both = numbers_on_smaller_pages(0.3) == std::vector<std::string>{"0.25", ".25", ""};
  CHECK(keeps_both);
}

TEST_CASE("Equal units make a circle round and arrows keep their angle") {
  Arrows arrows{"arrow", {{1.0, 1.0, nothing, {}, {}, false}}, {}};
  Chart chart{{nothing, Axis::Scale::linear, {}, {}},
              {nothing, Axis::Scale::linear, {}, {}},
              {Circle{"unit", 1.0}, arrows},
              true};
  const DisplayList list = list_of(figure_of({{nothing, chart}}));
  const auto& shaft = std::get<Path>(items_like(list, "arrow[0].shaft").front()->shape).points;
  CHECK(shaft[1].x - shaft[0].x == doctest::Approx(shaft[0].y - shaft[1].y));
}

TEST_CASE("A label stands nearer to its own arrow than to any other, or a line leads to it") {
  for (const double width : {8.0, 6.0, 5.0, 4.5}) {
    CAPTURE(width);
    for (const std::size_t count : {5UL, 10UL, 14UL}) {
      CAPTURE(count);
      Arrows arrows{"arrow", {}, ColourScale{}};
      for (std::size_t i = 0; i < count; ++i) {
        const double turn = 2.0 * pi * static_cast<double>(i) / static_cast<double>(count);
        arrows.arrows.push_back(
            {std::cos(turn), std::sin(turn), Text::same(fmt::format("v{}  0.{}", i, 100 + i)), 0.5});
      }
      const Chart chart{{nothing, Axis::Scale::linear, Interval{-1.64, 1.64}, {}},
                        {nothing, Axis::Scale::linear, Interval{-1.3, 1.3}, {}},
                        {Circle{"unit", 1.0}, arrows},
                        true};
      Figure figure = figure_of({{nothing, chart}});
      figure.page = {width, width};
      const DisplayList list = list_of(figure);
      std::vector<Position> tips;
      for (std::size_t i = 0; i < count; ++i)
        tips.push_back(shape_of<Path>(list, indexed("arrow", i)).points.front());
      std::size_t labels = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string id = indexed("arrow", i) + ".text";
        const std::vector<const Item*> found = items_like(list, id);
        if (found.empty()) continue;  // left out, with a warning
        ++labels;
        if (found.size() > 1) continue;  // with its line
        const Box box = bounds_of(*found.front());
        const auto away = [&](const Position& tip) {
          return std::hypot(std::clamp(tip.x, box.x, box.right()) - tip.x,
                            std::clamp(tip.y, box.y, box.bottom()) - tip.y);
        };
        const auto nearest = std::min_element(
            tips.begin(), tips.end(),
            [&](const Position& one, const Position& other) { return away(one) < away(other); });
        CHECK(static_cast<std::size_t>(nearest - tips.begin()) == i);
      }
      CHECK(labels >= count / 2);
    }
  }
}

TEST_CASE("Words without room beside their arrow are as small as any may be before they are left out") {
  std::set<double> sizes;
  for (std::size_t letters = 4; letters < 24; letters += 2) {
    Arrows arrows{"arrow", {}, ColourScale{}};
    for (int i = 0; i < 16; ++i) {
      const double turn = pi / 8.0 * i;
      arrows.arrows.push_back({std::cos(turn), std::sin(turn), Text::same(std::string(letters, 'n')), 0.5});
    }
    const Chart chart{{nothing, Axis::Scale::linear, Interval{-1.6, 1.6}, {}},
                      {nothing, Axis::Scale::linear, Interval{-1.3, 1.3}, {}},
                      {arrows},
                      true};
    Figure figure = figure_of({{nothing, chart}});
    figure.page = {8.0, 8.0};
    const DisplayList list = list_of(figure);
    for (const Item* item : items_like(list, "arrow["))
      if (const auto* label = std::get_if<Label>(&item->shape)) sizes.insert(label->size);
  }
  CHECK(sizes == std::set<double>{smallest_text, measures_of({8.0, 8.0}).tick});
}

TEST_CASE("A curve is interrupted where it has no value") {
  Chart chart{{nothing, Axis::Scale::linear, {}, {}},
              {nothing, Axis::Scale::linear, {}, {}},
              {Curve{"curve", {0, 1, 2, 3, 4}, {0, 1, not_a_number, 1, 0}, {}, nothing, false}},
              false};
  CHECK(items_like(list_of(figure_of({{nothing, chart}})), "curve[").size() == 2);
}

TEST_CASE("A chart whose limits are no numbers is drawn on others") {
  for (const double limit : {std::nan(""), infinity}) {
    const DisplayList list = list_of(Figure{"chart", Text::same("")}.panel(
        Chart{Axis{Text::none()}.named({"a", "b"}),
              Axis{Text::none()}.within(0.0, limit),
              {Bars{"bars", {limit, 0.25}}, Curve{"curve", {0.0, 1.0}, {0.5, limit}}}}));
    for (const Item& item : list.items) {
      const auto* label = std::get_if<Label>(&item.shape);
      if (label == nullptr) continue;
      INFO(item.id);
      CHECK(std::isfinite(label->position.x));
      CHECK(std::isfinite(label->position.y));
    }
    CHECK(!items_like(list, "panel[0].y[").empty());
  }
}

TEST_CASE("A wide matrix equation breaks before its result when that makes the cells larger") {
  const auto term = [](const std::string& id, std::size_t rows, std::size_t columns) {
    return MatrixTerm{
        {id, Matrix{rows, columns, std::vector<double>(rows * columns, 0.5)}}, formula::sym(id), "(,)"};
  };
  const MatrixEquation equation{{term("A", 3, 12), OperatorTerm{formula::sym("=")}, term("B", 3, 12)}};
  const auto tops = [&](PageSize page) {
    Figure figure = figure_of({{nothing, equation}});
    figure.page = page;
    const DisplayList list = list_of(figure);
    return std::make_pair(box_of(*items_like(list, "A[0,0]").front()).y,
                          box_of(*items_like(list, "B[0,0]").front()).y);
  };
  const auto [a_wide, b_wide] = tops({20.0, 4.0});
  CHECK(a_wide == doctest::Approx(b_wide));
  const auto [a_square, b_square] = tops({6.0, 6.0});
  CHECK(b_square > a_square + 20.0);
}

TEST_CASE("Factors stand in lines of their own only where a product has no room in one") {
  const auto term = [](const std::string& id) {
    return MatrixTerm{
        HeatMap{id, Matrix{2, 2, std::vector<double>(4, 0.5)}}.rows(nothing, {"a long name", "b"}),
        formula::sym(id), "(2, 2)"};
  };
  const MatrixEquation equation{
      {term("A"), OperatorTerm{formula::sym("×")}, term("B"), OperatorTerm{formula::sym("=")}, term("C")}};
  const auto places = [&](double width) {
    Figure figure = figure_of({{nothing, equation}});
    figure.page = {width, 6.0};
    const DisplayList list = list_of(figure);
    std::vector<double> tops;
    for (const char* cell : {"A[0,0]", "B[0,0]", "C[0,0]"})
      tops.push_back(box_of(*items_like(list, cell).front()).y);
    return tops;
  };
  const std::vector<double> in_two = places(3.6);
  CHECK(in_two[1] == doctest::Approx(in_two[0]));
  CHECK(in_two[2] > in_two[1] + 20.0);
  const std::vector<double> narrow = places(1.6);
  CHECK(narrow[1] > narrow[0] + 20.0);
  CHECK(narrow[2] > narrow[1] + 20.0);
}

TEST_CASE("Every column of a matrix equation has its name: level, turned, or left out with a warning") {
  const auto term = [](const std::string& id) {
    return MatrixTerm{
        HeatMap{id, Matrix{3, 8, std::vector<double>(24, 0.5)}}
            .columns(nothing, {"water", "money", "both", "neither", "river", "bank", "grows", "lends"})
            .with_numbers(2),
        formula::sym(id)};
  };
  const MatrixEquation equation{{term("A"), OperatorTerm{formula::sym("=")}, term("B")}};
  const auto names_on = [&](PageSize page) {
    const Layout layout = lay_out(figure_of({{nothing, equation}}), {Language::en, Theme::light, page});
    std::vector<double> angles;
    for (const Item* name : items_like(layout.list, "B.column["))
      angles.push_back(std::get<Label>(name->shape).angle);
    return std::make_pair(angles, layout.warnings.size());
  };
  using Angles = std::vector<double>;
  CHECK(names_on({12.0, 4.0}) == std::make_pair(Angles(8, 0.0), std::size_t{0}));
  CHECK(names_on({4.5, 2.0}) == std::make_pair(Angles(8, -90.0), std::size_t{0}));
  CHECK(names_on({5.0, 1.1}) == std::make_pair(Angles(4, 0.0), std::size_t{1}));
}

TEST_CASE("Cells are wider than high where only so an equation's numbers have room") {
  const auto term = [](const std::string& id, std::size_t rows, std::size_t columns) {
    return MatrixTerm{HeatMap{id, Matrix{rows, columns, std::vector<double>(rows * columns, -0.5)}}
                          .coloured({Palette::blues, -1.0, 1.0})
                          .with_numbers(2),
                      formula::sym(id)};
  };
  const auto shape_on = [&](PageSize page, const std::vector<ShortText>& names, std::size_t numbers) {
    MatrixTerm values = term("V", 10, 2);
    values.map.column_labels = names;
    const MatrixEquation equation{{term("A", 1, 10), OperatorTerm{formula::sym("×")}, values}};
    const DisplayList list =
        lay_out(figure_of({{nothing, equation}}), {Language::en, Theme::light, page}).list;
    CHECK(items_like(list, "V[9,1].text").size() == numbers);
    const Box cell = box_of(*items_like(list, "V[9,1]").front());
    return cell.width / cell.height;
  };
  const std::vector<ShortText> names{"x", "y"};
  CHECK(shape_on({8.0, 6.0}, names, 1) == doctest::Approx(1.0));
  CHECK(shape_on({8.0, 3.2}, names, 1) > 1.2);
  CHECK(shape_on({8.0, 3.2}, {}, 1) > 1.2);
}

TEST_CASE("An equation breaks where its numbers have room, though cells without them would be larger") {
  MatrixEquation equation;
  for (const char* name : {"Q", "K", "V", "S", "T", "M", "A", "O"}) {
    const bool is_input = equation.terms.size() < 5;
    if (!equation.terms.empty())
      equation.terms.emplace_back(OperatorTerm{formula::sym(is_input ? "," : "→")});
    equation.terms.emplace_back(
        MatrixTerm{HeatMap{name, Matrix{3, 3, {-2.0, 1.0, 0.5, 1.5, -1.0, 2.0, 0.0, 1.0, -0.5}}}
                       .coloured({Palette::rdbu, -2.0, 2.0})
                       .with_numbers(2),
                   formula::sym(name), "(3, 3)"});
  }
  const Preset& slide = preset_named("slide-16x9");
  LayoutOptions options{Language::en, Theme::light, slide.page};
  options.measures = slide.measures;
  CHECK_FALSE(lay_out(figure_of({{nothing, equation}}), options).misses_numbers);
}

TEST_CASE("A label with a character that no font has gives a warning that names it") {
  HeatMap map = heat_map(1, 1, no_numbers);
  map.row_labels = {"\xf3\xb0\x80\x80"};
  const Layout layout = lay_out(figure_of({{nothing, map}}), {Language::ja, Theme::light, {}});
  REQUIRE(layout.warnings.size() == 1);
  CHECK(layout.warnings.front().ja().find("\xf3\xb0\x80\x80") != std::string::npos);
}

TEST_CASE("Every id on a page is unique") {
  const DisplayList list = list_of(figure_of({{{"甲", "one"}, heat_map(3, 3, 2)}}));
  std::vector<std::string> ids;
  for (const Item& item : list.items) ids.push_back(item.id);
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("The same figure gives the same display list") {
  const Figure figure = figure_of({{nothing, heat_map(4, 4, 2)}});
  CHECK(svg_of(list_of(figure)) == svg_of(list_of(figure)));
}

TEST_CASE("A cell that the title speaks of is framed") {
  HeatMap map = heat_map(1, 2, 2);
  map.marked = {false, true};
  const DisplayList list = list_of(figure_of({{nothing, map}}));
  CHECK(items_like(list, "weights[0,0].frame").empty());
  REQUIRE(items_like(list, "weights[0,1].frame").size() == 1);
  const Path& outline = shape_of<Path>(list, "weights[0,1].frame");
  const Box& cell = shape_of<FilledBox>(list, "weights[0,1]").box;
  CHECK(outline.points.front().x == cell.x);  // on the border: the number keeps its room
  CHECK(outline.points.front().y == cell.y);
  CHECK(outline.width < 0.1 * cell.width);
}

TEST_CASE(
    "Cells over a picture are a veil: nothing at the end of the scale, all but a trace at its beginning") {
  HeatMap map{"read", {1, 3, {0.0, 0.5, 1.0}}};
  map.picture = std::make_shared<const Image>(Image{2, 6, std::vector<std::uint8_t>(36, 128)});
  const DisplayList list = list_of(figure_of({{nothing, map}}));
  const Raster& picture = shape_of<Raster>(list, "read.picture");
  CHECK(picture.rows == 2);
  CHECK(picture.pixels.front().green == doctest::Approx(128.0 / 255.0));
  const auto opacity = [&](const char* id) { return shape_of<FilledBox>(list, id).opacity; };
  CHECK(opacity("read[0,2]") == 0.0);
  CHECK(opacity("read[0,0]") == doctest::Approx(2.0 * opacity("read[0,1]")));
  CHECK(opacity("read[0,0]") > 0.9);
  CHECK(opacity("read[0,0]") < 1.0);
  const Box& first = shape_of<FilledBox>(list, "read[0,0]").box;
  CHECK(first.right() == doctest::Approx(shape_of<FilledBox>(list, "read[0,1]").box.x));  // no overlap
  CHECK(items_like(list, "panel[0].bar").empty());
}

TEST_CASE("Bars that the title does not speak of are pale") {
  const Axis axis{nothing, Axis::Scale::linear, {}, {}};
  const Chart chart{axis, axis, {Bars{"bars", {1.0, 2.0}, series_ink(0), std::nullopt, 1, 1}}};
  const DisplayList list = list_of(figure_of({{nothing, chart}}));
  const auto colour = [&list](const char* id) {
    return std::get<FilledBox>(items_like(list, id).front()->shape).fill;
  };
  CHECK(colour("bars[0]").blue > colour("bars[1]").blue);
}

TEST_CASE("Panels in two rows stand in one on a wide page") {
  const Panel panel{nothing, heat_map(6, 6, no_numbers)};
  Figure figure = figure_of({panel, panel, panel, panel});
  figure.columns = 2;
  figure.page = {8.0, 8.0};
  for (std::size_t i = 0; i < 4; ++i) std::get<HeatMap>(figure.panels[i].content).id = std::to_string(i);
  const auto top_of = [&](const char* id, const PageSize& page) {
    return box_of(*items_like(lay_out(figure, {Language::en, Theme::light, page}).list, id).front()).y;
  };
  CHECK(top_of("3[0,0]", figure.page) > top_of("0[0,0]", figure.page));
  CHECK(top_of("3[0,0]", {20.0, 5.0}) == doctest::Approx(top_of("0[0,0]", {20.0, 5.0})));
}

namespace {

Figure two_curves() {
  const Axis axis{nothing, Axis::Scale::linear, {}, {}};
  const Chart chart{axis,
                    axis,
                    {Curve{"low", {0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}, series_ink(0), Text::same("below")},
                     Curve{"high", {0.0, 1.0, 2.0}, {9.0, 10.0, 9.0}, series_ink(1), Text::same("above")}}};
  return figure_of({{nothing, chart}});
}

double middle_of(const DisplayList& list, const std::string& id) {
  const Box box = bounds_of(ink_corners(std::get<Label>(items_like(list, id).front()->shape)));
  return box.y + box.height / 2.0;
}

}  // namespace

TEST_CASE("Maps below each other have their titles beside them where that makes their cells larger") {
  std::vector<Panel> panels;
  for (const char* name : {"first", "second", "third"}) {
    panels.push_back({{"題", "Title"}, heat_map(4, 14, no_numbers)});
    std::get<HeatMap>(panels.back().content).id = name;
  }
  Figure figure = figure_of(std::move(panels)).in_columns(3).sharing_scale(weight_colours()).sharing_axes();
  const Preset& slide = preset_named("slide-4x3");
  LayoutOptions options{Language::en, Theme::light, slide.page};
  options.measures = slide.measures;
  const Layout layout = lay_out(figure, options);
  CHECK(layout.warnings.empty());
  const Box first = box_of(*items_like(layout.list, "first[0,0]").front());
  const Box second = box_of(*items_like(layout.list, "second[0,0]").front());
  CHECK(second.x == doctest::Approx(first.x));
  CHECK(second.y > first.y);
  for (std::size_t i = 0; i < 3; ++i) {
    const Box title =
        bounds_of(ink_corners(shape_of<Label>(layout.list, "panel[" + std::to_string(i) + "].title[0]")));
    CHECK(title.right() < first.x);
  }
}

TEST_CASE("Curves with room are named where they run, and in a film by a legend") {
  Figure figure = two_curves();
  const DisplayList list = list_of(figure);
  CHECK(items_like(list, "panel[0].legend[0].swatch").empty());
  CHECK(middle_of(list, "panel[0].legend[0]") > 0.6 * list.height);
  CHECK(middle_of(list, "panel[0].legend[1]") < 0.4 * list.height);
  figure.slider = Slider{"x", {"1", "2"}, {0.0, 1.0}, 0};
  CHECK(items_like(list_of(figure), "panel[0].legend[0].swatch").size() == 1);
}

TEST_CASE("Curves without room for their names have a legend") {
  Figure figure = two_curves();
  auto& layers = std::get<Chart>(figure.panels[0].content).layers;
  std::get<Curve>(layers[0]).name = Text::same(std::string(120, 'm'));
  const Layout layout = lay_out(figure, {Language::en, Theme::light, {6.0, 4.0}});
  CHECK(items_like(layout.list, "panel[0].legend[1].swatch").size() == 1);
}

namespace {

Figure chain() {
  Diagram diagram{{{"a", Text::same("a"), 0.6, 0.9, {}, true, Text::same("(4, 8)")},
                   {"b", Text::same("b"), 0.6, 0.5, {}, true},
                   {"c", Text::same("c"), 0.6, 0.1, {}, true}},
                  {{0, 1, 0.1, Text::same("1.00")},
                   {1, 2, 0.1, Text::same("2.00")},
                   {0, 2, 0.1, Text::same("unchanged"), Detour{Detour::Direction::vertical, 0.2}}},
                  std::nullopt,
                  Flow::upwards,
                  {{"layer", {1, 2}}}};
  return figure_of({{nothing, diagram}});
}

}  // namespace

TEST_CASE("A diagram read upwards is laid down on a wide page, and loses no words on either") {
  for (const PageSize page : {PageSize{5.0, 6.0}, PageSize{9.0, 3.0}}) {
    const Layout layout = lay_out(chain(), {Language::en, Theme::light, page});
    CHECK(layout.warnings.empty());
    const auto place = [&](const char* id) { return bounds_of(*items_like(layout.list, id).front()); };
    const bool wide = page.width > page.height;
    CHECK((place("c.text").x > place("a.text").x + 50.0) == wide);
    CHECK((place("c.text").y < place("a.text").y - 50.0) == !wide);
    const std::string text = svg_of(layout.list);
    for (const char* words : {"(4, 8)", "1.00", "2.00", "unchanged"})
      CHECK(text.find(words) != std::string::npos);
  }
}

TEST_CASE("An outline holds the way around its boxes, upright or laid down") {
  for (const PageSize page : {PageSize{5.0, 6.0}, PageSize{9.0, 3.0}}) {
    const Layout layout = lay_out(chain(), {Language::en, Theme::light, page});
    const Box outline = bounds_of(*items_like(layout.list, "layer").front());
    const std::vector<Position>& way = shape_of<Path>(layout.list, "a->c.way").points;
    const bool wide = page.width > page.height;
    if (wide) CHECK(way[1].y < outline.bottom());
    if (wide) CHECK(way[1].y > outline.y);
    if (!wide) CHECK(way[1].x > outline.x);
    if (!wide) CHECK(way[1].x < outline.right());
  }
}

TEST_CASE("An elbow turns between its ends, and an outline holds its boxes and no other") {
  const Detour between{Detour::Direction::vertical, 0.5};
  Diagram diagram;
  diagram.nodes = {{"stream", Text::same("stream"), 0.8, 0.9},
                   {"side", Text::same("side"), 0.2, 0.5},
                   {"sum", Text::same("sum"), 0.8, 0.3}};
  diagram.edges = {{0, 1, 0.1, nothing, between}, {1, 2, 0.1, nothing, between}};
  diagram.enclosures = {{"layer", {1, 2}}};
  const DisplayList list = list_of(figure_of({{nothing, diagram}}));
  const Box stream = bounds_of(*items_like(list, "stream.text").front());
  const Box side = bounds_of(*items_like(list, "side.text").front());
  const Box sum = bounds_of(*items_like(list, "sum.text").front());
  for (const char* id : {"stream->side.way", "side->sum.way"}) {
    for (const Position& corner : shape_of<Path>(list, id).points) {
      CHECK(corner.x > side.x + side.width);
      CHECK(corner.x < std::min(stream.x, sum.x));
    }
  }
  const auto& outline = shape_of<Path>(list, "layer");
  const auto holds = [&](const Box& box) {
    return outline.points[0].x < box.x && outline.points[0].y < box.y &&
           outline.points[2].x > box.x + box.width && outline.points[2].y > box.y + box.height;
  };
  CHECK(holds(side));
  CHECK(holds(sum));
  CHECK_FALSE(holds(stream));
  CHECK_FALSE(outline.fill);
}

TEST_CASE("Boxes that would run into each other need a larger page") {
  Diagram diagram;
  diagram.nodes = {{"a", Text::same("a box of many words"), 0.45, 0.5},
                   {"b", Text::same("another box of words"), 0.55, 0.5}};
  CHECK_THROWS_AS(list_of(figure_of({{nothing, diagram}})), NoSpace);
}

TEST_CASE("A filled curve tints what it encloses") {
  Chart chart{Axis{nothing}, Axis{nothing}, {Curve{"hull", {0.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}}};
  CHECK(items_like(list_of(figure_of({{nothing, chart}})), "hull[4].area").empty());
  std::get<Curve>(chart.layers[0]).filled = true;
  const DisplayList list = list_of(figure_of({{nothing, chart}}));
  const auto& area = shape_of<Path>(list, "hull[4].area");
  CHECK(area.closed);
  REQUIRE(area.fill.has_value());
  CHECK(contrast(*area.fill, list.background) < 2.0);  // pale: words stand on it
  CHECK(contrast(*area.fill, list.background) > 1.05);
}

}  // namespace attnlab
