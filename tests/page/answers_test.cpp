#include "page/answers.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/named.hpp"
#include "page/read_series.hpp"

namespace attnlab {
namespace {

using Names = std::vector<std::string>;

Array matrix(std::size_t rows, std::size_t columns, std::vector<double> data) {
  return {{rows, columns}, {"rows", "columns"}, std::move(data)};
}

/// weights = softmax(scores), scores = query keyᵀ; the numbers need not be right here.
std::vector<Stage> trace(double largest = 0.7) {
  return {input("query", matrix(1, 2, {1.0, 0.0})),
          input("key", matrix(2, 2, {1.0, 0.0, 0.0, 1.0})),
          {"scores", {}, matrix(1, 2, {1.0, 0.0}), derived::product_with_transpose("query", "key")},
          {"weights", {}, matrix(1, 2, {largest, 1.0 - largest}), derived::softmax("scores")},
          input("unused", matrix(1, 1, {3.0}))};
}

Figure figure_with(HeatMap map) { return Figure{"f", Text::none()}.panel(std::move(map)); }

HeatMap map_of(std::vector<double> values) {
  return HeatMap{"weights", {1, 2, std::move(values)}}
      .rows({"クエリ", "Query"})
      .columns({"キー", "Key"}, {"a", "b"});
}

Json in_frame(const SeriesTable& table, const Json& number, std::size_t frame) {
  return value_at(table.all()[number.get<std::size_t>()], frame);
}

AnsweringFrame frame_of(double largest) {
  const Figure figure = figure_with(map_of({largest, 1.0 - largest}));
  return {grids_of(figure), answering_stages(figure, trace(largest))};
}

}  // namespace

TEST_CASE("A cell that stands for several positions names them all") {
  HeatMap map =
      HeatMap{"weights", {1, 3, {0.1, 0.2, 0.7}}}.rows({"クエリ", "Query"}).columns({"キー", "Key"});
  map.row_numbers = Numbering{4, 5};
  map.column_numbers = Numbering{10, 18};  // by cells: 3, 3 and 2, as 3 i / 8 is 0, 0, 0, 1, 1, 1, 2, 2
  const MarkGrid grid = grids_of(figure_with(map)).at(0);
  CHECK(grid.row_names[0].en() == "Query 4");
  CHECK(grid.column_names[0].en() == "Key 10–12");
  CHECK(grid.column_names[1].en() == "Key 13–15");
  CHECK(grid.column_names[2].en() == "Key 16–17");
}

TEST_CASE("A map is a grid with names of its rows and columns in both languages") {
  const std::vector<MarkGrid> grids = grids_of(figure_with(map_of({0.7, 1.0 - 0.7})));
  REQUIRE(grids.size() == 1);
  CHECK(grids[0].row_names[0].en() == "Query 0");
  CHECK(grids[0].column_names[1].ja() == "キー b");
}

TEST_CASE("Cells that are to be filled in by hand do not answer") {
  HeatMap map = map_of({0.7, 1.0 - 0.7});
  map.fill = CellFill::outline;
  CHECK(grids_of(figure_with(std::move(map))).empty());
}

TEST_CASE("Bars, points, arrows and corners of curves are rows of marks that say where they stand") {
  Chart chart{Axis{{"角度", "Angle"}}, Axis{Text::none()}};
  chart.layers.emplace_back(Bars{"bars", {0.1, 0.2}});
  chart.layers.emplace_back(Points{"points", {-1.5}, {31.7}});
  chart.layers.emplace_back(Arrows{"arrows", {{1.0, 0.5, Text::none(), 0.2}}});
  chart.layers.emplace_back(Arrows{"query", {{1.0, 0.5, {"クエリ", "Query"}}}});
  chart.layers.emplace_back(Curve{"curve", {0.0, 1.0}, {3.0, 4.0}, {}, {"曲線", "Curve"}});
  const std::vector<MarkGrid> grids = grids_of(Figure{"f", Text::none()}.panel(std::move(chart)));
  REQUIRE(grids.size() == 5);
  CHECK(grids[0].in_a_row);
  CHECK(grids[0].column_names[1].en() == "Angle 1");
  CHECK(grids[1].x_title.en() == "Angle");
  CHECK(grids[1].x == std::vector<double>{-1.5});
  CHECK(grids[2].values == std::vector<double>{0.2});
  CHECK(grids[3].values.empty());
  CHECK(grids[3].column_names[0].ja() == "クエリ");
  CHECK(grids[3].x == std::vector<double>{1.0});
  CHECK(grids[3].y == std::vector<double>{0.5});
  CHECK(grids[4].is_curve);
  CHECK(grids[4].series.en() == "Curve");
}

TEST_CASE("Words that attend are marks, and so are their lines, head by head") {
  Arcs arcs{"arcs", {"are", "it"}, {"books"}, {{{"ヘッド 4", "Head 4"}, {2, 1, {0.9, 0.1}}, {"weights", 8}}}};
  const std::vector<MarkGrid> grids = grids_of(Figure{"f", Text::none()}.panel(std::move(arcs)));
  REQUIRE(grids.size() == 2);
  CHECK(grids[0].queries);
  CHECK(mark_id(grids[0], 0, 1) == "arcs.query[1]");
  CHECK(grids[0].column_names[1].en() == "Query it");
  CHECK(grids[1].head == 0);
  CHECK(mark_id(grids[1], 1, 0) == "arcs[0][1,0]");
  CHECK(grids[1].series.ja() == "ヘッド 4");
  CHECK(grids[1].values == std::vector<double>{0.9, 0.1});
  CHECK(grids[1].shows.row == 8);
}

TEST_CASE("The boxes of a diagram are marks, and so are its arrows, which know their ends") {
  Diagram diagram;
  diagram.nodes = {{"x", {"入力", "Input"}}, {"f", {"関数", "Function"}, 0.5, 0.5, 0.25}};
  diagram.nodes[0].note = Text::same("(6, 16)");
  diagram.edges = {{0, 1, 0.5, Text::same("0.5")}};
  const std::vector<MarkGrid> grids = grids_of(Figure{"f", Text::none()}.panel(std::move(diagram)));
  REQUIRE(grids.size() == 1);
  CHECK(grids[0].ids == Names{"x", "f", "x->f"});
  CHECK(grids[0].ends == std::vector<std::vector<std::size_t>>{{0, 1}});
  CHECK(grids[0].column_names[0].en() == "Input (6, 16)");
  CHECK(grids[0].column_names[1].ja() == "関数: 0.250");
  CHECK(grids[0].column_names[2].en() == "Input → Function 0.5");
}

TEST_CASE("A box and an arrow have one place in all frames of a page, whatever other frames have") {
  const auto frame_with = [](std::vector<Node> nodes, std::vector<Edge> edges) {
    Diagram diagram;
    diagram.nodes = std::move(nodes);
    diagram.edges = std::move(edges);
    return AnsweringFrame{grids_of(Figure{"f", Text::none()}.panel(std::move(diagram))), {}};
  };
  const Node input{"x", Text::same("x")};
  const Node first{"f", Text::same("f")};
  const Node second{"g", Text::same("g")};
  std::vector<AnsweringFrame> frames{frame_with({input, first}, {{0, 1, 0.5}}),
                                     frame_with({input, second, first}, {{0, 1, 0.5}, {1, 2, 0.5}})};
  align_diagrams(frames);
  const MarkGrid& small = frames[0].grids[0];
  const MarkGrid& large = frames[1].grids[0];
  CHECK(small.ids == Names{"x", "f", "g", "x->f", "x->g", "g->f"});
  CHECK(large.ids == small.ids);
  CHECK(small.ends == std::vector<std::vector<std::size_t>>{{0, 1}, {}, {}});
  CHECK(large.ends == std::vector<std::vector<std::size_t>>{{}, {0, 2}, {2, 1}});
  CHECK(small.column_names[2].en().empty());
  CHECK(large.column_names[5].en() == "g → f");
}

TEST_CASE("Kept are the stages that a figure shows, back to the factors of the product") {
  const Figure figure = figure_with(map_of({0.7, 1.0 - 0.7}));
  CHECK(names_of(answering_stages(figure, trace())) == Names{"query", "key", "scores", "weights"});
  CHECK(answering_stages(figure_with(map_of({0.5, 0.5}).showing({"mean"})), trace()).empty());
}

TEST_CASE("The factors of a long sum are left out") {
  const std::size_t width = 100;
  std::vector<Stage> stages = trace();
  stages[0].array = matrix(1, width, std::vector<double>(width, 1.0));
  stages[1].array = matrix(2, width, std::vector<double>(2 * width, 1.0));
  CHECK(names_of(answering_stages(figure_with(map_of({0.7, 1.0 - 0.7})), stages)) ==
        Names{"scores", "weights"});
}

TEST_CASE("A grid answers with the stage that it shows in every frame") {
  SeriesTable table;
  const Answers answers = answers_of({frame_of(0.7), frame_of(0.9)}, table);
  REQUIRE(answers.grids.size() == 1);
  CHECK(answers.grids[0].at("stage") == "weights");
  CHECK_FALSE(answers.grids[0].contains("values"));
  CHECK(answers.stages.at("weights").at("operation") == "softmax");
  CHECK(answers.stages.at("scores").at("operands") == Json{"query", "key"});
  const Json& arrays = table.all()[answers.stages.at("weights").at("data").get<std::size_t>()];
  CHECK(arrays[1] == Json{0.9, 0.1});
  CHECK(answers.marks.at("weights[0,1]") == "0 0 1");
}

TEST_CASE("A factor times its operand is the value in every frame") {
  const auto scaled = [](double factor) {
    HeatMap map{"scaled", {1, 2, {2.0 * factor, -3.0 * factor}}};
    const std::vector<Stage> stages{
        input("raw", matrix(1, 2, {2.0, -3.0})),
        {"scaled", {}, matrix(1, 2, map.values.values), derived::scaled("raw", factor)}};
    const Figure figure = figure_with(std::move(map));
    return AnsweringFrame{grids_of(figure), answering_stages(figure, stages)};
  };
  const std::vector<double> factors{0.5, 0.25, 0.2};
  SeriesTable table;
  const Answers answers = answers_of({scaled(factors[0]), scaled(factors[1]), scaled(factors[2])}, table);
  const auto shown = [&](const char* stage, const char* what, std::size_t frame) {
    return in_frame(table, answers.stages.at(stage).at(what), frame);
  };
  for (std::size_t frame = 0; frame < factors.size(); ++frame) {
    const double factor = shown("scaled", "factor", frame).get<double>();
    CHECK(factor == doctest::Approx(factors[frame]).epsilon(1e-6));
    for (std::size_t i = 0; i < 2; ++i) {
      const double operand = shown("raw", "data", frame)[i].get<double>();
      const double value = shown("scaled", "data", frame)[i].get<double>();
      CHECK(factor * operand == doctest::Approx(value).epsilon(2e-6));  // six digits each
    }
  }
}

TEST_CASE("A row of a later frame is there with its name and its cells, to be framed") {
  const auto rows = [](std::size_t count) {
    HeatMap map =
        HeatMap{"weights", {count, 2, std::vector<double>(2 * count, 0.5)}}.rows({"クエリ", "Query"});
    const Figure figure = figure_with(std::move(map));
    return AnsweringFrame{grids_of(figure), {}};
  };
  SeriesTable table;
  const Answers answers = answers_of({rows(1), rows(3), rows(2)}, table);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 2; ++column)
      CHECK(answers.marks.at(fmt::format("weights[{},{}]", row, column)) ==
            fmt::format("0 {} {}", row, column));
  }
  const Json& grid = answers.grids[0];
  CHECK(in_frame(table, grid.at("names").at("en")[0], 0) == Json{"Query 0"});
  CHECK(in_frame(table, grid.at("names").at("en")[0], 1) == Json{"Query 0", "Query 1", "Query 2"});
  CHECK(in_frame(table, grid.at("names").at("ja")[0], 2) == Json{"クエリ 0", "クエリ 1"});
  CHECK(in_frame(table, grid.at("rows"), 1) == 3);
  CHECK(in_frame(table, grid.at("rows"), 2) == 2);
}

TEST_CASE("A grid that shows another stage in another frame has its own values") {
  SeriesTable table;
  AnsweringFrame other = frame_of(0.9);
  other.grids[0].values = {0.4, 0.6};
  other.grids[0].shows = {"scores", 0};
  const Answers answers = answers_of({frame_of(0.7), other}, table);
  CHECK_FALSE(answers.grids[0].contains("stage"));
  const Json& values = table.all()[answers.grids[0].at("values").get<std::size_t>()];
  CHECK(values[1] == Json{0.4, 0.6});
}

TEST_CASE("A stage that is derived in another way in another frame is not written out") {
  SeriesTable table;
  AnsweringFrame other = frame_of(0.9);
  find_named(other.stages, "weights")->derivation = derived::tanh("scores");
  const Answers answers = answers_of({frame_of(0.7), other}, table);
  CHECK_FALSE(answers.stages.contains("weights"));
  CHECK(answers.grids[0].contains("values"));
}

TEST_CASE("A page whose stages had no room answers with its values alone") {
  SeriesTable table;
  AnsweringFrame frame = frame_of(0.7);
  frame.stages.clear();
  const Answers answers = answers_of({frame, frame}, table);
  CHECK(answers.stages.empty());
  CHECK(answers.grids[0].contains("values"));
}

}  // namespace attnlab
