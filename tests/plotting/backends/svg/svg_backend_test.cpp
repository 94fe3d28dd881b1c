// Labels in SVG, as outlines and as text.
#include <doctest/doctest.h>

#include <string>

#include "core/formula.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

Page page_with(const Label& label) {
  Page page;
  page.list.width = 100.0;
  page.list.height = 50.0;
  page.list.items.push_back({"words[0]", label});
  page.metadata = {"Title", "Description", "ja", "attnlab test"};
  return page;
}

Label label(const std::string& markup) {
  Label label;
  label.position = {10.0, 5.0};
  label.markup = markup;
  label.size = 10.0;
  return label;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

double number_after(const std::string& text, const std::string& what) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return std::stod(text.substr(at + what.size()));
}

}  // namespace

TEST_CASE("A letter has one outline in whatever size it is set") {
  using namespace formula;
  Page page = page_with(label(to_markup(sub(sym("x"), sym("x")), 10.0)));
  Label larger = label("x");
  larger.size = 20.0;
  page.list.items.push_back({"larger", larger});
  const std::string svg = paint_svg(page);
  CHECK(count(svg, "<path id=\"g") == 1);
  CHECK(count(svg, "xlink:href=\"#g0\"") == 3);
  CHECK(count(svg, "scale(.7)") == 1);  // the script, which hangs at 0.7 of the size
}

TEST_CASE("A halo stands behind the letters in viewers of SVG 1.1, too") {
  Label words = label("abc");
  words.halo = Colour{1.0, 1.0, 1.0};
  for (const Lettering lettering : {Lettering::outlines, Lettering::text}) {
    const std::string svg = paint_svg(page_with(words), lettering);
    CHECK_FALSE(contains(svg, "paint-order"));
    const std::size_t rim = svg.find("stroke=\"#ffffff\"");
    REQUIRE(rim != std::string::npos);
    CHECK(rim < svg.find("id=\"h0\""));  // what comes later is painted on top
  }
}

TEST_CASE("Text is text, as wide as the layout took it to be") {
  const std::string svg = paint_svg(page_with(label("a &lt; b")), Lettering::text);
  CHECK(contains(svg, "font-family=\"Inter,'BIZ UDPGothic',sans-serif\""));
  CHECK(contains(svg, ">a &lt; b</text>"));
  CHECK_FALSE(contains(svg, "<use"));
  CHECK(number_after(svg, "textLength=\"") ==
        doctest::Approx(measure("a &lt; b", 10.0, Weight::regular).width).epsilon(0.01));
}

TEST_CASE("Text is anchored where its alignment says") {
  Label words = label("abc");
  const double width = measure("abc", 10.0, Weight::regular).width;
  CHECK(number_after(paint_svg(page_with(words), Lettering::text),
                     "<text id=\"words-0\" fill=\"#000000\" x=\"") == doctest::Approx(10.0));
  words.align = AlignX::right;
  const std::string svg = paint_svg(page_with(words), Lettering::text);
  CHECK(contains(svg, "text-anchor=\"end\""));
  CHECK(number_after(svg, "<text id=\"words-0\" fill=\"#000000\" x=\"") ==
        doctest::Approx(10.0 + width).epsilon(0.001));
}

TEST_CASE("A subscript goes down by dy, and the text after it comes up again") {
  using namespace formula;
  const std::string markup = to_markup(row({sub(sym("W"), sym("Q")), sym("+ 1")}), 10.0);
  const std::string svg = paint_svg(page_with(label(markup)), Lettering::text);
  CHECK(count(svg, "<tspan") == 3);
  CHECK(contains(svg, "dy=\"1.6\" font-size=\"7\""));  // 0.16 of the size below
  CHECK(contains(svg, "dy=\"-1.6\""));
}

TEST_CASE("The line of a root is drawn in both letterings") {
  const Label root = label("√<span overline=\"single\">d</span>");
  CHECK(count(paint_svg(page_with(root)), "<path d=\"M") == 1);
  CHECK(count(paint_svg(page_with(root), Lettering::text), "<path d=\"M") == 1);
}

}  // namespace attnlab
