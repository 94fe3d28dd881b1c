// The reader's choice of colours: palettes by kind, ranges, decades, and what the caption then says.
#include "plotting/colour/recolour.hpp"
#include "core/constants.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace attnlab {
namespace {

const Text nothing = Text::same("");

HeatMap map_of(std::size_t rows, std::size_t columns, std::vector<double> values,
               Palette palette = Palette::blues) {
  return {"map", {rows, columns, std::move(values)}, {}, {}, nothing, nothing, {palette, 0.0, 1.0, nothing}};
}

Figure figure_of(std::vector<HeatMap> maps) {
  Figure figure{"f", nothing, nothing, nothing, {}, 0, {}, {}};
  for (HeatMap& map : maps) figure.panels.push_back({nothing, std::move(map)});
  return figure;
}

const ColourScale& scale_of(const Figure& figure, std::size_t panel = 0) {
  return std::get<HeatMap>(figure.panels[panel].content).scale;
}

ColourChoice range(double low, double high) {
  ColourChoice choice;
  choice.range = Interval{low, high};
  return choice;
}

ColourChoice range_of_data() {
  ColourChoice choice;
  choice.range = RangeOfData{};
  return choice;
}

const std::vector<double> spread{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0};

TEST_CASE("Without a choice a figure keeps its colours and says nothing") {
  const Recoloured result = recolour(figure_of({map_of(3, 3, spread)}), {}, Theme::light);
  CHECK(scale_of(result.figure).palette == Palette::blues);
  CHECK(scale_of(result.figure).low == 0.0);
  CHECK(scale_of(result.figure).high == 1.0);
  CHECK(result.figure.caption.en().empty());
  CHECK(result.warnings.empty());
}

TEST_CASE("Frames of a film keep the ends in common, and still tell that the first key is left out") {
  const HeatMap map = map_of(2, 3, {5.0, 0.1, 0.2, 7.0, 0.3, 2.0});
  ColourChoice choice;
  choice.first_key = FirstKey::left_out;
  CHECK(scale_of(recolour(figure_of({map}), choice, Theme::light).figure).high == 2.0);
  choice.range = RangeOfFigure{};
  const Recoloured frame = recolour(figure_of({map}), choice, Theme::light);
  CHECK(scale_of(frame.figure).low == 0.0);
  CHECK(scale_of(frame.figure).high == 1.0);
  CHECK(
      frame.figure.caption.en() ==
      "The first key is left out of the range of the colours. Beyond the colours: 1 of 4 values, in the end's colour (up to 2).");
  ColourChoice kept;
  kept.range = RangeOfFigure{};
  CHECK(recolour(figure_of({map_of(3, 3, spread)}), kept, Theme::light).figure.caption.en().empty());
}

TEST_CASE("A palette replaces those of its kind alone") {
  ColourChoice choice;
  choice.sequential = Palette::cividis;
  const Figure both = figure_of({map_of(3, 3, spread), map_of(3, 3, spread, Palette::rdbu)});
  const Recoloured result = recolour(both, choice, Theme::light);
  CHECK(scale_of(result.figure, 0).palette == Palette::cividis);
  CHECK(scale_of(result.figure, 1).palette == Palette::rdbu);
}

TEST_CASE("In print everything is grey unless a palette is chosen") {
  const Figure both = figure_of({map_of(3, 3, spread), map_of(3, 3, spread, Palette::rdbu)});
  const Recoloured result = recolour(both, {}, Theme::print);
  CHECK(scale_of(result.figure, 0).palette == Palette::greys);
  CHECK(scale_of(result.figure, 1).palette == Palette::signed_greys);
  ColourChoice choice;
  choice.diverging = Palette::puor;
  CHECK(scale_of(recolour(both, choice, Theme::print).figure, 1).palette == Palette::puor);
}

TEST_CASE("Also matrices in an equation take the palette, and keep their range") {
  Figure figure{"f", nothing, nothing, nothing, {}, 0, {}, {}};
  const MatrixTerm term{HeatMap{"a", {1, 2, {0.0, 7.0}}}.coloured({Palette::blues, 0.0, 7.0}), {}, "(1, 2)"};
  figure.panels.push_back({nothing, MatrixEquation{{term}}});
  ColourChoice choice = range(0.0, 1.0);
  choice.sequential = Palette::viridis;
  const Recoloured result = recolour(figure, choice, Theme::light);
  const auto& equation = std::get<MatrixEquation>(result.figure.panels[0].content);
  const ColourScale& recoloured_scale = std::get<MatrixTerm>(equation.terms[0]).map.scale;
  CHECK(recoloured_scale.palette == Palette::viridis);
  CHECK(recoloured_scale.high == 7.0);
}

TEST_CASE("The range of the data is that of the finite, readable cells") {
  HeatMap map = map_of(2, 3, {0.2, 0.4, not_a_number, 0.3, 0.35, 0.0});
  map.hidden = {false, false, false, false, false, true};
  const Recoloured result = recolour(figure_of({map}), range_of_data(), Theme::light);
  CHECK(scale_of(result.figure).low == 0.2);
  CHECK(scale_of(result.figure).high == 0.4);
}

TEST_CASE("Panels that share a scale go on sharing it") {
  Figure figure = figure_of({map_of(1, 2, {0.1, 0.2}), map_of(1, 2, {0.5, 0.7})});
  figure.shared_scale = ColourScale{Palette::blues, 0.0, 1.0, nothing};
  const Recoloured result = recolour(figure, range_of_data(), Theme::light);
  for (const ColourScale& recoloured_scale :
       {*result.figure.shared_scale, scale_of(result.figure, 0), scale_of(result.figure, 1)}) {
    CHECK(recoloured_scale.low == 0.1);
    CHECK(recoloured_scale.high == 0.7);
  }
}

TEST_CASE("A scale around zero stays symmetric, whatever range is chosen") {
  const Recoloured result =
      recolour(figure_of({map_of(3, 3, spread, Palette::rdbu)}), range(-0.25, 2.0), Theme::light);
  CHECK(scale_of(result.figure).low == -2.0);
  CHECK(scale_of(result.figure).high == 2.0);
}

TEST_CASE("Values beyond the range are counted in the caption") {
  const Recoloured result = recolour(figure_of({map_of(3, 3, spread)}), range(0.0, 0.5), Theme::light);
  CHECK(result.figure.caption.en() == "Beyond the colours: 3 of 9 values, in the end's colour (up to 1).");
  CHECK(result.figure.caption.ja() == "色の範囲の外の値は 9 個中 3 個（端の色。最大 1）。");
}

TEST_CASE("Decades begin at the smallest positive value, at most six below the largest") {
  ColourChoice choice;
  choice.spacing = ColourScale::Spacing::logarithmic;
  const Recoloured usual = recolour(figure_of({map_of(1, 4, {0.0, 0.001, 0.1, 1.0})}), choice, Theme::light);
  CHECK(scale_of(usual.figure).low == 0.001);
  CHECK(scale_of(usual.figure).high == 1.0);
  CHECK(scale_of(usual.figure).spacing == ColourScale::Spacing::logarithmic);
  CHECK(usual.figure.caption.en() == "Logarithmic colours.");
  const Recoloured wide = recolour(figure_of({map_of(1, 3, {1e-30, 0.1, 1.0})}), choice, Theme::light);
  CHECK(scale_of(wide.figure).low == doctest::Approx(1e-6));
}

TEST_CASE("A scale around zero has no decades") {
  ColourChoice choice;
  choice.spacing = ColourScale::Spacing::logarithmic;
  const Recoloured result = recolour(figure_of({map_of(3, 3, spread, Palette::rdbu)}), choice, Theme::light);
  CHECK(scale_of(result.figure).spacing == ColourScale::Spacing::linear);
}

TEST_CASE("Without the first key the range is that of the other columns") {
  ColourChoice choice;
  choice.first_key = FirstKey::left_out;
  const Recoloured result =
      recolour(figure_of({map_of(2, 3, {0.9, 0.05, 0.05, 0.8, 0.15, 0.05})}), choice, Theme::light);
  CHECK(scale_of(result.figure).high == 0.15);
  CHECK(result.figure.caption.en() == "The first key is left out of the range of the colours.");
}

TEST_CASE("A figure of almost one colour is warned of, with the flag that helps") {
  std::vector<double> close(16, 0.25);
  close[3] = 0.26;
  CHECK(recolour(figure_of({map_of(4, 4, close)}), {}, Theme::light).warnings.empty());  // what it says
  ColourChoice typed;
  typed.range = Interval{0.0, 1.0};
  const Recoloured narrow = recolour(figure_of({map_of(4, 4, close)}), typed, Theme::light);
  REQUIRE(narrow.warnings.size() == 1);
  CHECK(narrow.warnings[0].en().find("--range data") != std::string::npos);
  CHECK(recolour(figure_of({map_of(4, 4, close)}), range_of_data(), Theme::light).warnings.empty());

  std::vector<double> towering(400, 0.001);
  towering[0] = 1.0;
  towering[7] = 0.002;
  const Recoloured sink = recolour(figure_of({map_of(20, 20, towering)}), {}, Theme::light);
  REQUIRE(sink.warnings.size() == 1);
  CHECK(sink.warnings[0].en().find("--range log") != std::string::npos);
  ColourChoice decades;
  decades.spacing = ColourScale::Spacing::logarithmic;
  CHECK(recolour(figure_of({map_of(
                     4, 4, {1, .1, .01, .001, 1, .1, .01, .001, 1, .1, .01, .001, 1, .1, .01, .001})}),
                 decades, Theme::light)
            .warnings.empty());
}

TEST_CASE("Equal values are no fault of the colours") {
  CHECK(
      recolour(figure_of({map_of(4, 4, std::vector<double>(16, 0.25))}), {}, Theme::light).warnings.empty());
}

}  // namespace
}  // namespace attnlab
