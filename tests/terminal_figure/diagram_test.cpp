// Boxes and arrows, or a list where they do not fit.
#include <doctest/doctest.h>

#include "drawn.hpp"

using namespace attnlab;

namespace {

Node node(const std::string& text, double x, double y) {
  return {text, Text::same(text), x, y, {}, true};
}

Diagram pair_of(const std::string& one, const std::string& other) {
  return {{node(one, 0.2, 0.5), node(other, 0.8, 0.5)}, {{0, 1, 0.2, Text::same("0.53")}}, {}};
}

}  // namespace

TEST_CASE("boxes on one line are joined by a straight arrow with its label") {
  const Lines lines = drawn(pair_of("query", "値"), 40);
  CHECK(lines[1].substr(0, std::string("│ query │").size()) == "│ query │");
  const std::string text = on_one_line(lines);
  CHECK(contains(text, "│ query │──"));
  CHECK(contains(text, "─▶│ 値 │"));
  CHECK(contains(text, "0.53"));
}

TEST_CASE("boxes one above the other leave room for an upright arrow") {
  const Diagram diagram{
      {node("below", 0.5, 0.9), node("above", 0.5, 0.1)}, {{0, 1, 0.0, Text::same("4.00")}}, {}};
  const std::string text = on_one_line(drawn(diagram, 40));
  CHECK(text.find("above") < text.find("▲"));
  CHECK(text.find("▲") < text.find("below"));
  CHECK(contains(text, "4.00"));
}

TEST_CASE("a heavy weight is a heavy line") {
  Diagram diagram = pair_of("a", "b");
  diagram.edges[0].weight = 0.9;
  CHECK(contains(on_one_line(drawn(diagram, 40)), "━━"));
}

TEST_CASE("boxes too wide for the page become a list that loses nothing") {
  const Diagram diagram = pair_of("a box with a great many words", "another box with many words");
  CHECK(on_one_line(drawn(diagram, 40)) ==
        "a box with a great many words → another box with many words 0.53 ");
}

TEST_CASE("bare words beside an arrow are kept") {
  Diagram diagram = pair_of("a", "b");
  diagram.nodes.push_back({"remark", Text::same("(6, 16)"), 0.5, 0.5, {}, false});
  CHECK(contains(on_one_line(drawn(diagram, 40)), "(6, 16)"));
}

TEST_CASE("a note stands below its box") {
  Diagram diagram = pair_of("a", "b");
  diagram.nodes[0].note = Text::same("(6, 16)");
  const std::string text = on_one_line(drawn(diagram, 40));
  CHECK(text.find("(6, 16)") > text.find("│ b │"));
}

TEST_CASE("a detour runs along its column and arrives with a head") {
  Diagram diagram{{node("below", 0.7, 0.9), node("middle", 0.7, 0.5), node("above", 0.7, 0.1)}, {}, {}};
  diagram.edges = {{0, 1, 0.0, Text::same("")},
                   {0, 2, 0.0, Text::same("around"), Detour{Detour::Direction::vertical, 0.1}}};
  const Lines lines = drawn(diagram, 40);
  const std::string text = on_one_line(lines);
  CHECK(text.find("┌──") < text.find("└──"));
  CHECK(contains(text, "─▶│ above │"));
  CHECK(contains(text, "around"));
}

TEST_CASE("an elbow turns between its ends and meets the side that faces it") {
  Diagram diagram{{node("stream", 0.8, 0.9), node("side", 0.1, 0.5), node("sum", 0.8, 0.1)}, {}, {}};
  const Detour between{Detour::Direction::vertical, 0.5};
  diagram.edges = {{0, 1, 0.0, Text::none(), between}, {1, 2, 0.0, Text::none(), between}};
  const std::string text = on_one_line(drawn(diagram, 60));
  CHECK(contains(text, "│ side │◀"));
  CHECK(contains(text, "▶│ sum │"));
  CHECK(contains(text, "└──"));  // from the stream: out of its left side and up
}
