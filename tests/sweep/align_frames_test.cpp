#include "sweep/sweep.hpp"

#include <doctest/doctest.h>

#include "plotting/layout/chart_frame.hpp"

namespace attnlab {
namespace {

const Text nothing = Text::same("");

Figure figure_of(Panel panel, const PageSize& page = {10.0, 5.0}) {
  Figure figure{"test", nothing, nothing, nothing, {std::move(panel)}, 0, {}, page};
  return figure;
}

Figure points(const std::vector<double>& x, const std::vector<double>& y,
              Axis::Scale scale = Axis::Scale::linear) {
  return figure_of({nothing, Chart{{nothing, scale, {}, {}},
                                   {nothing, Axis::Scale::linear, {}, {}},
                                   {Points{"p", x, y, series_ink(0), nothing}}}});
}

Figure map(double low, double high, const std::string& caption) {
  HeatMap cells{"m",     Matrix{1, 1, std::vector<double>(1, 0.5)},      {}, {}, nothing,
                nothing, ColourScale{Palette::blues, low, high, nothing}};
  Figure figure = figure_of(Panel{nothing, std::move(cells)});
  figure.caption = Text::same(caption);
  return figure;
}

const Chart& chart_of(const Figure& figure) { return std::get<Chart>(figure.panels.front().content); }

const ColourScale& scale_of(const Figure& figure) {
  return std::get<HeatMap>(figure.panels.front().content).scale;
}

}  // namespace

TEST_CASE("Axes run from the lowest to the highest limit of any frame") {
  const std::vector<Figure> own{points({0.0, 1.0}, {0.0, 5.0}), points({-3.0, 0.5}, {1.0, 2.0})};
  for (const Figure& frame : aligned(own)) {
    CHECK(chart_of(frame).x.limits->low == x_limits(chart_of(own[1])).low);
    CHECK(chart_of(frame).x.limits->high == x_limits(chart_of(own[0])).high);
    CHECK(chart_of(frame).y.limits->low == y_limits(chart_of(own[0])).low);
    CHECK(chart_of(frame).y.limits->high == y_limits(chart_of(own[0])).high);
  }
  for (const Figure& frame : aligned({points({1.0, 10.0}, {0.0, 1.0}, Axis::Scale::log10),
                                      points({100.0, 1000.0}, {0.0, 1.0}, Axis::Scale::log10)})) {
    CHECK(chart_of(frame).x.limits->low < 1.0);
    CHECK(chart_of(frame).x.limits->low > 0.0);
    CHECK(chart_of(frame).x.limits->high > 1000.0);
  }
}

TEST_CASE("Colours have one range, named by every caption") {
  const std::vector<Figure> frames =
      aligned({map(0.1, 0.3, "Colours: 0.1 to 0.3."), map(0.2, 0.7, "Colours: 0.2 to 0.7.")});
  for (const Figure& frame : frames) {
    CHECK(scale_of(frame).low == 0.1);
    CHECK(scale_of(frame).high == 0.7);
    CHECK(frame.caption.en() == "Colours: 0.1 to 0.7.");
  }
}

TEST_CASE("A range around zero stays around zero") {
  const std::vector<Figure> frames = aligned(
      {map(-2.0, 2.0, "Colours ±2; d = ±2.5"), map(-3.5, 3.5, "Colours ±3.5"), map(-1.0, 1.0, "±1.5, ±1")});
  for (const Figure& frame : frames) {
    CHECK(scale_of(frame).low == -3.5);
    CHECK(scale_of(frame).high == 3.5);
  }
  CHECK(frames[0].caption.en() == "Colours ±3.5; d = ±2.5");
  CHECK(frames[2].caption.en() == "±1.5, ±1");  // the first mention is another number: nothing is guessed
}

TEST_CASE("One colour bar for all panels is one range for all panels, also of frames with more of them") {
  Figure one = map(0.0, 1.0, "");
  one.shared_scale = scale_of(one);
  Figure two = map(0.0, 2.0, "");
  two.panels.push_back(two.panels.front());
  two.shared_scale = scale_of(two);
  for (const Figure& frame : aligned({one, two})) {
    CHECK(frame.shared_scale->high == 2.0);
    for (const Panel& panel : frame.panels) CHECK(std::get<HeatMap>(panel.content).scale.high == 2.0);
  }
}

TEST_CASE("All frames have the largest page") {
  Figure wide = points({0.0}, {0.0});
  wide.page = {16.0, 4.0};
  Figure high = points({0.0}, {0.0});
  high.page = {8.0, 9.0};
  for (const Figure& frame : aligned({wide, high})) {
    CHECK(frame.page.width == 16.0);
    CHECK(frame.page.height == 9.0);
  }
}

}  // namespace attnlab
