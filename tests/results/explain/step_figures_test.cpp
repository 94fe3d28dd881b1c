// --steps: the stages of a run, one more in every figure, on one layout.
#include "core/constants.hpp"
#include "results/explain/explanation.hpp"

#include <doctest/doctest.h>

#include <map>

#include "plotting/layout/display_list.hpp"
#include "plotting/layout/layout.hpp"

namespace attnlab {
namespace {

Stage stage_of(const std::string& name, std::vector<std::size_t> shape, std::vector<double> data,
               std::vector<std::string> axes = {"queries", "keys"}) {
  return {name, formula::sym(name), {std::move(shape), std::move(axes), std::move(data), DType::float64}};
}

Report report() {
  constexpr double minus_infinity = -infinity;
  Report made;
  made.experiment = "made";
  made.stages = {
      stage_of("query", {2, 2}, {1, 2, 3, 4}),         stage_of("key", {2, 2}, {1, 0, 0, 1}),
      stage_of("other", {2, 2}, {9, 9, 9, 9}),         stage_of("raw_scores", {2, 2}, {1, 2, 3, 4}),
      stage_of("scores", {2, 2}, {1, 2, 3, 4}),        stage_of("masked", {2, 2}, {1, minus_infinity, 3, 4}),
      stage_of("weights", {2, 2}, {1, 0, 0.27, 0.73}), stage_of("output", {2, 1}, {1, 2})};
  return made;
}

std::vector<std::string> names_of(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.name);
  return names;
}

std::vector<HeatMap> terms_of(const Figure& figure) {
  std::vector<HeatMap> terms;
  for (const auto& term : std::get<MatrixEquation>(figure.panels.front().content).terms) {
    if (const auto* matrix = std::get_if<MatrixTerm>(&term)) terms.push_back(matrix->map);
  }
  return terms;
}

/// Where every item stands, by its id; cells are left out, for they fill up.
std::map<std::string, Box> places_of(const Figure& figure) {
  std::map<std::string, Box> places;
  for (const Item& item : lay_out(figure, {Language::ja, Theme::light, figure.page}).list.items) {
    if (const auto* label = std::get_if<Label>(&item.shape);
        label != nullptr && item.id.find(',') == std::string::npos)
      places[item.id] = {label->position.x, label->position.y, label->size, 0.0};
  }
  return places;
}

}  // namespace

TEST_CASE("there is a figure per stage on the way, in its order, but none for a stage that changes nothing") {
  CHECK(names_of(step_figures(report())) == std::vector<std::string>{"01-query", "02-key", "03-raw_scores",
                                                                     "04-masked", "05-weights", "06-output"});
}

TEST_CASE("every figure fills one matrix more and leaves those to come empty") {
  const std::vector<Figure> figures = step_figures(report());
  for (std::size_t shown = 0; shown < figures.size(); ++shown) {
    const std::vector<HeatMap> terms = terms_of(figures[shown]);
    REQUIRE(terms.size() == figures.size());
    for (std::size_t i = 0; i < terms.size(); ++i) {
      CHECK((terms[i].fill == CellFill::coloured) == (i <= shown));
    }
  }
}

TEST_CASE("nothing moves from one step to the next but the caption's words") {
  const std::vector<Figure> figures = step_figures(report());
  const std::map<std::string, Box> first = places_of(figures.front());
  CHECK(first.size() > 10);
  for (const Figure& figure : figures) {
    for (const auto& entry : places_of(figure)) {
      const auto& [id, place] = entry;
      CAPTURE(entry.first);
      REQUIRE(first.count(id) == 1);
      CHECK(place.x == first.at(id).x);
      CHECK(place.y == first.at(id).y);
      CHECK(place.width == first.at(id).width);
    }
  }
}

TEST_CASE("a masked score of minus infinity does not count for the colours") {
  CHECK(terms_of(step_figures(report())[0])[3].scale.high == 4.0);
  CHECK(terms_of(step_figures(report())[0])[3].scale.low == 0.0);
}

TEST_CASE("of heads the first is shown, and the caption says so") {
  Report with_heads = report();
  with_heads.stages[6] = stage_of("weights", {2, 1, 2}, {0.25, 0.75, 0.5, 0.5}, {"heads", "queries", "keys"});
  const std::vector<Figure> figures = step_figures(with_heads);
  CHECK(terms_of(figures[4])[4].values.values == std::vector<double>{0.25, 0.75});
  CHECK(figures[4].caption.en() == "5 of 6: weights (head 0)");
  CHECK(figures[4].caption.ja() == "5 / 6：注意度（ヘッド 0）");
}

TEST_CASE("the joined heads stand between what the first head found and the output, whole") {
  Report with_heads = report();
  const std::vector<std::string> of_heads{"heads", "queries", "width"};
  const auto output = with_heads.stages.end() - 1;
  with_heads.stages.insert(output, {stage_of("head_output", {2, 2, 1}, {1, 2, 3, 4}, of_heads),
                                    stage_of("concat", {2, 2}, {1, 3, 2, 4})});
  const std::vector<Figure> figures = step_figures(with_heads);
  const std::vector<std::string> names = names_of(figures);
  CHECK(std::vector<std::string>(names.end() - 3, names.end()) ==
        std::vector<std::string>{"06-head_output", "07-concat", "08-output"});
  CHECK(figures[6].caption.en() == "7 of 8: all heads side by side");
  CHECK(terms_of(figures[6])[6].values.values == std::vector<double>{1, 3, 2, 4});
}

TEST_CASE("without weights, or with a matrix too large to draw, there are no steps") {
  Report nothing = report();
  nothing.stages.erase(nothing.stages.begin() + 6);
  CHECK(step_figures(nothing).empty());
  Report large = report();
  large.stages[6] = stage_of("weights", {49, 1}, std::vector<double>(49, 0.1));
  CHECK(step_figures(large).empty());
}

}  // namespace attnlab
