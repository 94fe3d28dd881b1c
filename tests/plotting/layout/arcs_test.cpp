// Lines between words: as wide as their weights, for every theme and page.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/constants.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/layout/laid_out.hpp"

namespace attnlab {
namespace {

const std::vector<ShortText> words{"the", "books", "are"};

Figure figure_with(std::vector<ArcsOfHead> heads, std::optional<std::size_t> query = {}) {
  Arcs arcs{"arcs", words, {"books", "fell"}, std::move(heads)};
  arcs.query = query;
  return Figure{"arcs", {"題", "Title"}}.panel(std::move(arcs)).on_page(9.0, 5.0);
}

ArcsOfHead head_of(const char* name, std::vector<double> weights) {
  return {Text::same(name), {3, 2, std::move(weights)}};
}

const Path& line_in(const DisplayList& list, const std::string& id) { return shape_of<Path>(list, id); }

}  // namespace

TEST_CASE("a line is as wide as its weight, fainter where that is small, and below 0.02 there is none") {
  for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
    const Figure figure = figure_with({head_of("", {1.0, 0.25, 0.5, 0.02, 0.019, 0.0})});
    const DisplayList list = lay_out(figure, {Language::en, theme, figure.page}).list;
    CHECK(items_like(list, "arcs[").size() == 4);
    const Path& full = line_in(list, "arcs[0][0,0]");
    CHECK(line_in(list, "arcs[0][0,1]").width == doctest::Approx(0.25 * full.width));
    CHECK(line_in(list, "arcs[0][1,0]").width == doctest::Approx(0.5 * full.width));
    CHECK(line_in(list, "arcs[0][1,1]").width == doctest::Approx(0.02 * full.width));
    CHECK(full.opacity == 1.0);
    CHECK(line_in(list, "arcs[0][1,0]").opacity > line_in(list, "arcs[0][0,1]").opacity);
  }
}

TEST_CASE("numbers that are no weights have no line, and those above 1 no wider one") {
  const Figure figure = figure_with({head_of("", {not_a_number, infinity, -1.0, 4.0, 1.0, 0.0})});
  const DisplayList list = list_of(figure);
  CHECK(items_like(list, "arcs[").size() == 2);
  const Figure usual = figure_with({head_of("", {0.0, 0.0, 0.0, 1.0, 0.0, 0.0})});
  CHECK(line_in(list, "arcs[0][1,1]").width == line_in(list_of(usual), "arcs[0][1,1]").width);
  CHECK(line_in(list, "arcs[0][2,0]").width == line_in(list, "arcs[0][1,1]").width / 4.0);
}

TEST_CASE(
    "a line leads from its query's place to its key's, in columns on a high page, in rows on a low one") {
  const Figure figure = figure_with({head_of("", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5})});
  const DisplayList high = list_of(figure);
  const auto height_of = [&high](const std::string& id) {
    const Label& label = shape_of<Label>(high, id);
    return bounds_of(ink_corners(label)).centre().y;
  };
  constexpr double letters = 4.0;  // points by which letters reach above or below the middle of their line
  const Path& line = line_in(high, "arcs[0][2,0]");
  CHECK(std::abs(line.points.front().y - height_of("arcs.query.text[2]")) < letters);
  CHECK(std::abs(line.points.back().y - height_of("arcs.key[0]")) < letters);
  CHECK(line.points.front().x < line.points.back().x);
  const std::vector<ShortText> twelve(12, "word");
  const DisplayList low = list_of(
      Figure{"arcs", {"題", "Title"}}
          .panel(Arcs{"arcs", twelve, twelve, {{Text::none(), {12, 12, std::vector<double>(144, 0.5)}}}})
          .on_page(9.0, 2.0));
  const Path& steep = line_in(low, "arcs[0][2,0]");
  CHECK(steep.points.front().y < steep.points.back().y);
  CHECK(line_in(low, "arcs[0][0,0]").points.front().x < steep.points.front().x);
}

TEST_CASE("heads lie side by side under their names, and the lines of a query that stands out are not pale") {
  const std::vector<ArcsOfHead> heads{head_of("Head 0", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}),
                                      head_of("Head 1", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5})};
  const DisplayList list = list_of(figure_with(heads, 1));
  const Path& first = line_in(list, "arcs[0][1,0]");
  const Path& second = line_in(list, "arcs[1][1,0]");
  CHECK(second.points.front().y - first.points.front().y >= first.width);
  CHECK(first.stroke->red != second.stroke->red);
  CHECK(line_in(list, "arcs[0][0,0]").opacity < 0.25 * first.opacity);
  CHECK(shape_of<Label>(list, "panel[0].legend[1]").markup == "Head 1");
  CHECK(items_like(list_of(figure_with({heads[0]})), "panel[0].legend").empty());
}

TEST_CASE("SVG knows how faint a line is") {
  const DisplayList faint = list_of(figure_with({head_of("", {0.0, 0.5, 0.0, 0.0, 0.0, 0.0})}));
  CHECK(line_in(faint, "arcs[0][0,1]").opacity == doctest::Approx(0.675));
  CHECK(paint_svg({faint, {}}, Lettering::text).find("stroke-opacity=\"0.675\"") != std::string::npos);
}

}  // namespace attnlab
