// The pages of a lecture: whole, safe, and the same for the same figures.
#include "lecture/built_lecture.hpp"

#include <doctest/doctest.h>

namespace attnlab {
namespace {

/// A page of one red cell, which is dark red on a dark page, and a label of 6 points.
DisplayList list_of(const Colour& paper, const Colour& cell) {
  DisplayList list{72.0, 36.0, paper, {}};
  list.items.push_back({"weights[0,1]", FilledBox{{0.0, 0.0, 10.0, 10.0}, cell}});
  Label label;
  label.markup = "a";
  label.size = 6.0;
  label.colour = cell;
  label.background = paper;
  list.items.push_back({"label", label});
  return list;
}

ThemedPicture picture() {
  return {list_of({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}), list_of({0.0, 0.0, 0.0}, {0.5, 0.0, 0.0})};
}

BuiltLecture lecture() {
  BuiltFigure figure{"masks-weights",
                     "Rows <sum> to 1 & more",
                     "alt",
                     "Caption with 100 % & _",
                     CaptionPlace::beside_picture,
                     "attnlab masks",
                     picture(),
                     picture(),
                     {{"weights[0,1]", "Query 0, Key 1: 0.5 < 1"}},
                     {"en/masks-weights.svg", "en/masks-weights.pdf"},
                     {"data/masks-weights.npz"}};
  return {Language::en, "A lecture", {{"Masks", {figure}, {BuiltFigures{0, 1}}}}, "index.ja.html"};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A picture that is wider than a telephone says that it scrolls, and no other does") {
  BuiltLecture built = lecture();
  const auto hints = [&built] {
    const std::string page = lecture_html(built);
    std::size_t count = 0;
    for (std::size_t at = page.find("move it sideways"); at != std::string::npos;
         at = page.find("move it sideways", at + 1))
      ++count;
    return count;
  };
  CHECK(hints() == 0);
  ThemedPicture& narrow = built.sections.front().figures.front().narrow;
  narrow.light.width = narrow.dark.width = 360.0;  // with letters of 6 points: 12 on a page twice as wide
  CHECK(hints() == 1);
}

TEST_CASE("A figure is in the page for wide and for narrow windows, in light and in dark colours") {
  const std::string page = lecture_html(lecture());
  CHECK(contains(page, "class=\"picture wide scroll\""));
  CHECK(contains(page, "class=\"picture narrow scroll\""));
  CHECK(contains(page, ":#ff0000;"));
  CHECK(contains(page, ":#800000;"));
  CHECK(contains(page, "<title>Query 0, Key 1: 0.5 &lt; 1</title>"));
}

TEST_CASE("A picture is never shown so small that its letters have less than 12 pixels") {
  CHECK(contains(lecture_html(lecture()), "min-width:144px"));  // 72 points with letters of 6
}

TEST_CASE("The page needs nothing from outside, and escapes what it is given") {
  const std::string page = lecture_html(lecture());
  for (const char* outside : {"<script", "http:", "https:", "src=", "@import", "url("}) {
    CAPTURE(outside);
    CHECK_FALSE(contains(page, outside));
  }
  CHECK(contains(page, "Rows &lt;sum&gt; to 1 &amp; more"));
  CHECK(contains(page, "href=\"index.ja.html\""));
  CHECK(contains(page, "href=\"en/masks-weights.pdf\""));
}

TEST_CASE("Beamer frames take the slide's PDF and escape TeX's marks") {
  const std::string frames = lecture_beamer(lecture());
  CHECK(contains(frames, "\\begin{frame}{Rows \\textless{}sum\\textgreater{} to 1 \\& more}"));
  CHECK(contains(frames, "{slides/en/masks-weights.pdf}"));
  CHECK(contains(frames, "{\\footnotesize Caption with 100 \\% \\& \\_\\par}"));
}

TEST_CASE("Beamer frames show what text fonts lack, and say when they need Japanese ones") {
  BuiltLecture built = lecture();
  CHECK_FALSE(contains(lecture_beamer(built), "luatexja"));
  built.sections[0].figures[0].title = "qKᵀ of 名前 by W_O, √(σ + δ)";
  const std::string frames = lecture_beamer(built);
  CHECK(contains(frames, "{qK$^{\\top}$ of 名前 by W\\textsubscript{O}, $\\surd$($\\sigma$ + $\\delta$)}"));
  CHECK(contains(frames, "luatexja"));
}

TEST_CASE("Markdown slides take the slide's SVG with its alternative text") {
  CHECK(contains(lecture_markdown(lecture()), "![alt](slides/en/masks-weights.svg)&nbsp;\n"));
  CHECK(contains(lecture_markdown(lecture()), "# Rows \\<sum\\> to 1 & more"));
  CHECK(contains(lecture_markdown(lecture()), "Caption with 100 % & \\_"));
}

TEST_CASE("A figure without a caption leaves no empty place for it") {
  BuiltLecture built = lecture();
  built.sections[0].figures[0].caption.clear();
  CHECK_FALSE(contains(lecture_beamer(built), "footnotesize"));
  CHECK_FALSE(contains(lecture_markdown(built), "\n\n\n"));
}

TEST_CASE("A walk meets each section with figures before these, in the lecture's order") {
  BuiltLecture built = lecture();
  built.sections.insert(built.sections.begin(), {"Words alone", {}, {}});
  built.sections.push_back(built.sections[1]);
  built.sections[2].title = "Again";
  std::string met;
  walk(
      built, [&](const BuiltSection& section) { met += section.title + ":"; },
      [&](const BuiltFigure& figure) { met += figure.name + " "; });
  CHECK(met == "Masks:masks-weights Again:masks-weights ");
}

TEST_CASE("A caption that stands in a slide's picture is not repeated beside it; a page has it as text") {
  BuiltLecture built = lecture();
  built.sections[0].figures[0].caption_place = CaptionPlace::in_picture;
  CHECK(contains(lecture_html(built), "Caption with 100 % &amp; _"));
  CHECK(contains(lecture_captions(built), "Caption with 100 %"));
}

}  // namespace attnlab
