#include "page/picture.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace attnlab {
namespace {

const Colour black{0.0, 0.0, 0.0};
const Colour white{1.0, 1.0, 1.0};

Item box(const std::string& id, double x, const Colour& colour) {
  return {id, FilledBox{{x, 0.0, 10.0, 10.0}, colour}};
}

Item disc(const std::string& id, double radius) { return {id, Disc{{5.0, 5.0}, radius, black, {}, 0.0}}; }

DisplayList page(std::vector<Item> items) { return {100.0, 50.0, white, std::move(items)}; }

struct Drawn {
  PagePicture picture;
  PageInk ink;

  void add(const std::vector<Item>& items) { picture.add(page(items), page(items), ink); }
};

std::vector<std::string> ids(const PagePicture& picture) {
  std::vector<std::string> all;
  for (const PictureElement& element : picture.elements()) all.push_back(element.id);
  return all;
}

/// Of an element, in every frame.
std::vector<Json> attribute(const PagePicture& picture, std::size_t element, const std::string& name) {
  for (const auto& [known, values] : picture.elements().at(element).attributes) {
    if (known != name) continue;
    std::vector<Json> all;
    for (const std::uint32_t value : values) all.push_back(picture.value(value));
    return all;
  }
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("What does not move is written once, what moves has a value in every frame") {
  Drawn drawn;
  drawn.add({box("still", 0.0, black), box("moving", 10.0, black)});
  drawn.add({box("still", 0.0, black), box("moving", 20.0, black)});
  SeriesTable table;
  const Json changes = changes_of(drawn.picture, table);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].dump() == R"([1,"d",0])");
  CHECK(table.all().dump() == R"([["M10 0h10v10h-10z","M20 0h10v10h-10z"]])");
}

TEST_CASE("A label at no place is the same in both themes") {
  Label nowhere;
  nowhere.markup = "1";
  nowhere.position = {std::nan(""), 5.0};
  Drawn drawn;
  CHECK_NOTHROW(drawn.add({{"label", nowhere}}));
}

TEST_CASE("A value that many elements and frames share is kept once") {
  Drawn drawn;
  for (int frame = 0; frame < 3; ++frame)
    drawn.add({box("one", 0.0, black), box("other", 0.0, black), disc("third", 1.0 + frame)});
  const auto number_of = [&](std::size_t element, std::size_t frame) {
    return drawn.picture.elements()[element].attributes.back().second[frame];
  };
  for (std::size_t frame = 0; frame < 3; ++frame) CHECK(number_of(0, 0) == number_of(1, frame));
  CHECK(attribute(drawn.picture, 0, "d") == attribute(drawn.picture, 1, "d"));
}

TEST_CASE("A raster whose pixels differ at night is two images") {
  const auto map = [](const Colour& colour) {
    return page({{"map", Raster{{0.0, 0.0, 10.0, 10.0}, 1, 1, {colour}}}});
  };
  PageInk ink;
  PagePicture differing;
  differing.add(map(black), map(white), ink);
  CHECK(ids(differing) == std::vector<std::string>{"map", "map.night"});
  CHECK(attribute(differing, 0, "class") == std::vector<Json>{"by-day"});
  CHECK(attribute(differing, 1, "class") == std::vector<Json>{"by-night"});
  PagePicture same;
  same.add(map(black), map(black), ink);
  CHECK(ids(same) == std::vector<std::string>{"map"});
  CHECK(standing_frame(differing, 0, ink, {{"map", "3"}}).find("<image data-grid=\"3\"") !=
        std::string::npos);
}

TEST_CASE("Words that differ at night, as the names of colours do, stand there twice") {
  const auto named = [](const std::string& words) {
    Label label;
    label.markup = words;
    return page({{"name", label}});
  };
  PageInk ink;
  PagePicture picture;
  picture.add(named("white"), named("black"), ink);
  CHECK(ids(picture) == std::vector<std::string>{"name", "name.night"});
  CHECK(attribute(picture, 0, "class") == std::vector<Json>{"by-day"});
  CHECK(attribute(picture, 1, "class") == std::vector<Json>{"by-night"});
  CHECK(attribute(picture, 0, "letters") != attribute(picture, 1, "letters"));
}

TEST_CASE("An element that a frame does not have is not displayed there, and stays in its place") {
  Drawn drawn;
  drawn.add({box("a", 0.0, black), box("c", 20.0, black)});
  drawn.add({box("a", 0.0, black), box("b", 10.0, black), box("c", 20.0, black)});
  drawn.add({box("c", 30.0, black)});
  CHECK(ids(drawn.picture) == std::vector<std::string>{"a", "b", "c"});
  CHECK(attribute(drawn.picture, 0, "display") == std::vector<Json>{"inline", "inline", "none"});
  CHECK(attribute(drawn.picture, 1, "display") == std::vector<Json>{"none", "inline", "none"});
  for (const PictureElement& element : drawn.picture.elements()) {
    for (const auto& [name, values] : element.attributes) CHECK(values.size() == 3);
  }
  const std::string first = standing_frame(drawn.picture, 0, drawn.ink, {});
  CHECK(first.find("<path display=\"none\"") != std::string::npos);
}

TEST_CASE("What changes its order is painted in the order of every frame") {
  Drawn drawn;
  drawn.add({box("a", 0.0, black), box("b", 10.0, black)});
  drawn.add({box("b", 10.0, black), box("a", 0.0, black)});
  CHECK(ids(drawn.picture) == std::vector<std::string>{"a", "b", "a"});
  CHECK(attribute(drawn.picture, 2, "display") == std::vector<Json>{"none", "inline"});
}

TEST_CASE("An item that becomes another shape becomes another element") {
  Drawn drawn;
  drawn.add({box("mark", 0.0, black)});
  drawn.add({disc("mark", 3.0)});
  REQUIRE(drawn.picture.elements().size() == 2);
  CHECK(drawn.picture.elements()[0].name == "circle");
  CHECK(drawn.picture.elements()[1].name == "path");
}

TEST_CASE("A stroke that only some frames have is none in the others") {
  const Box edge{0.0, 0.0, 5.0, 5.0};
  Path framed = Path::frame(edge, black, 2.0);
  Path bare = framed;
  bare.stroke.reset();
  Drawn drawn;
  drawn.add({{"p", bare}});
  drawn.add({{"p", framed}});
  drawn.add({{"p", bare}});
  const std::vector<Json> stroke = attribute(drawn.picture, 0, "stroke");
  CHECK(stroke[0] == "none");
  CHECK(stroke[1].is_number());
  CHECK(stroke[2] == "none");
}

TEST_CASE("Colours are pairs for light and dark, of which the dark one is written where it differs") {
  PagePicture picture;
  PageInk ink;
  picture.add(page({box("a", 0.0, black), box("b", 10.0, black)}),
              page({box("a", 0.0, white), box("b", 10.0, black)}), ink);
  CHECK(colour_rules(ink.colours) ==
        ":root,:host{--c0:#ffffff;--c1:#000000;--c2:#000000;}\n"
        "@media screen and (prefers-color-scheme:dark){:root,:host{--c1:#ffffff;}}\n");
  CHECK(picture.paper() == "var(--c0)");
}

TEST_CASE("Themes that differ in more than their colours are a mistake of the program") {
  PagePicture picture;
  PageInk ink;
  CHECK_THROWS_AS(picture.add(page({box("a", 0.0, black)}), page({box("a", 1.0, black)}), ink),
                  std::logic_error);
  CHECK_THROWS_AS(picture.add(page({box("a", 0.0, black)}), page({}), ink), std::logic_error);
}

TEST_CASE("A curve carries its grid and where it ends, parts of marks the mark, and nothing else answers") {
  Drawn drawn;
  const Path line = Path::line({{0.0, 0.0}, {5.0, 5.0}}, black, 1.0);
  drawn.add({{"curve[7]", line},
             {"a->b.shaft", line},
             {"a->b", line},
             {"bars[0].hatch[1]", line},
             {"curve", line}});
  const std::string first =
      standing_frame(drawn.picture, 0, drawn.ink, {{"curve", "3"}, {"a->b", "4 0 2"}, {"bars[0]", "5 0 0"}});
  CHECK(first.find("<path data-grid=\"3\" data-end=\"7\"") == 0);
  CHECK(first.find("<path data-of=\"4 0 2\"") != std::string::npos);
  CHECK(first.find("<path data-at=\"4 0 2\"") != std::string::npos);
  CHECK(first.find("<path data-of=\"5 0 0\"") != std::string::npos);
  CHECK(first.find("data-at=\"3\"") == std::string::npos);
}

TEST_CASE("Marks carry where they stand in their grid, and so does what belongs to them") {
  Drawn drawn;
  drawn.add(
      {box("weights[0,1]", 0.0, black), box("weights[0,1].frame", 0.0, black), box("other", 10.0, black)});
  const std::string first = standing_frame(drawn.picture, 0, drawn.ink, {{"weights[0,1]", "0 0 1"}});
  CHECK(first ==
        "<path data-at=\"0 0 1\" fill=\"var(--c1)\" d=\"M0 0h10v10h-10z\"/>\n"
        "<path data-of=\"0 0 1\" fill=\"var(--c1)\" d=\"M0 0h10v10h-10z\"/>\n"
        "<path fill=\"var(--c1)\" d=\"M10 0h10v10h-10z\"/>\n");
}

}  // namespace attnlab
