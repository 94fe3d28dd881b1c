// TikZ as text; tests/viewers gives it to lualatex.
#include <doctest/doctest.h>

#include <string>

#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

Page page_with(const PageShape& shape) {
  Page page;
  page.list.width = 72.0;
  page.list.height = 36.0;
  page.list.background = {1.0, 1.0, 1.0};
  page.list.items.push_back({"thing[1,2]", shape});
  page.metadata = {"A title\nof two lines", "about", "en", "attnlab test"};
  return page;
}

std::string picture_of(const PageShape& shape) { return paint_tikz(page_with(shape), TexExtent::picture); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Label label(const std::string& markup) {
  Label label;
  label.position = {10.0, 5.0};
  label.markup = markup;
  label.size = 10.0;
  return label;
}

}  // namespace

TEST_CASE("A picture has the page's size with y pointing down, and names each item") {
  const std::string tex = picture_of(FilledBox{{1.0, 2.0, 10.0, 20.0}, {1.0, 0.5, 0.0}});
  CHECK(contains(tex, "\\begin{tikzpicture}[x=1bp,y=-1bp,"));
  CHECK(contains(tex, "\\useasboundingbox (0,0) rectangle (72,36);"));
  CHECK(contains(tex, "\\definecolor{cFF8000}{HTML}{FF8000}"));
  CHECK(contains(tex, "\\cell{cFF8000}(1,2)(11,22) % thing[1,2]\n"));
}

TEST_CASE("A veil lets through what is behind it") {
  const std::string tex = picture_of(FilledBox{{1.0, 2.0, 10.0, 20.0}, {1.0, 1.0, 1.0}, 0.25});
  CHECK(contains(tex, "\\path[fill=cFFFFFF,fill opacity=0.25] (1,2) rectangle (11,22);"));
}

TEST_CASE("Only a document has a preamble, and says what it needs") {
  const Page page = page_with(FilledBox{});
  CHECK(contains(paint_tikz(page), "\\documentclass[border=0pt,tikz]{standalone}"));
  CHECK(contains(paint_tikz(page), "\\end{document}"));
  CHECK_FALSE(contains(paint_tikz(page), "luatexja"));
  const std::string picture = paint_tikz(page, TexExtent::picture);
  CHECK_FALSE(contains(picture, "documentclass"));
  CHECK(picture.rfind("% A title of two lines\n% attnlab test\n", 0) == 0);
  CHECK(contains(picture, "% For \\input in a document for lualatex with \\usepackage{tikz}\n"));
  CHECK(contains(picture_of(label("猫")), "\\usepackage{tikz} \\usepackage{luatexja}\n"));
}

TEST_CASE("Each colour is defined once") {
  Page page = page_with(FilledBox{{}, {1.0, 1.0, 1.0}});
  page.list.items.push_back({"other", Disc{{1.0, 1.0}, 1.0, Colour{1.0, 1.0, 1.0}, {}}});
  const std::string tex = paint_tikz(page);
  const std::string definition = "\\definecolor{cFFFFFF}";
  CHECK(tex.find(definition) != std::string::npos);
  CHECK(tex.find(definition) == tex.rfind(definition));
}

TEST_CASE("Paths keep their dashes, and a clipping box ends with its path") {
  Path path;
  path.points = {{0.0, 0.0}, {10.0, 5.5}};
  path.stroke = Colour{0.0, 0.0, 0.0};
  path.dashes = {4.0};  // as Cairo takes it: 4 on, 4 off
  CHECK(contains(picture_of(path),
                 "\\path[draw=c000000,line width=1bp,dash pattern=on 4bp off 4bp ] (0,0) -- (10,5.5);"));
  path.clip = Box{1.0, 1.0, 5.0, 5.0};
  const std::string tex = picture_of(path);
  const std::size_t begin = tex.find("\\begin{scope}\\clip (1,1) rectangle (6,6);");
  REQUIRE(begin != std::string::npos);
  CHECK(tex.find("\\end{scope}", begin) != std::string::npos);
}

TEST_CASE("A label is anchored on its baseline where its alignment says") {
  Label words = label("abc");
  CHECK(contains(picture_of(words), "anchor=base west]{(10,"));
  CHECK(contains(picture_of(words), "{10bp}{abc};"));
  words.align = AlignX::right;
  CHECK(contains(picture_of(words), "anchor=base east]"));
  words.angle = -90.0;
  words.weight = Weight::bold;
  CHECK(contains(picture_of(words), ",rotate=90]"));
  CHECK(contains(picture_of(words), "{\\bfseries\\boldmath{}abc};"));
  words.halo = Colour{1.0, 1.0, 1.0};
  CHECK(contains(picture_of(words), "\\haloed{cFFFFFF}{2.8bp}{\\bfseries\\boldmath{}abc}"));
}

TEST_CASE("A raster is one image however many pixels it has") {
  const Colour red{1.0, 0.0, 0.0};
  const Colour blue{0.0, 0.0, 1.0};
  // PDF's y points up: the lower edge of the box is 30 below the origin.
  const std::string tex = picture_of(Raster{{10.0, 20.0, 30.0, 10.0}, 1, 2, {red, blue}});
  CHECK(contains(tex, "q 30.00 0 0 10.00 10.00 -30.00 cm BI /W 2 /H 1 /CS /RGB /BPC 8 /F /AHx ID\n"));
  CHECK(contains(tex, "FF00000000FF>\nEI Q}"));
}

}  // namespace attnlab
