// The pages of a lecture: whole, safe, and the same for the same figures.
#include "lecture/built_lecture.hpp"

#include <doctest/doctest.h>

namespace attnlab {
namespace {

const std::string svg =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
    "aria-labelledby=\"title-text desc-text\">\n<title id=\"title-text\">T</title>\n"
    "<path id=\"weights-0-1\" fill=\"#fff\" d=\"M0 0\"/>\n"
    "<g id=\"label\"><use xlink:href=\"#g0\"/></g>\n<path id=\"c\" clip-path=\"url(#c0)\" d=\"M0 "
    "0\"/>\n</svg>\n";

BuiltLecture lecture() {
  BuiltFigure figure{"masks-weights",
                     "Rows <sum> to 1 & more",
                     "alt",
                     "Caption with 100 % & _",
                     CaptionPlace::beside_picture,
                     "attnlab masks",
                     svg,
                     {{"weights[0,1]", "Query 0, Key 1: 0.5"}},
                     {"en/masks-weights.svg", "en/masks-weights.pdf"},
                     {"data/masks-weights.npz"}};
  return {Language::en, "A lecture", {{"Masks", {figure}}}, "index.ja.html"};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A figure inside a page has ids of its own, and its marks carry their values") {
  const std::string inside = inline_svg(svg, "f1.", {{"weights[0,1]", "a < b"}});
  CHECK(inside.rfind("<svg", 0) == 0);
  CHECK(contains(inside,
                 "<path id=\"f1.weights-0-1\" fill=\"#fff\" d=\"M0 0\"><title>a &lt; b</title></path>"));
  CHECK(contains(inside, "xlink:href=\"#f1.g0\""));
  CHECK(contains(inside, "clip-path=\"url(#f1.c0)\""));
  CHECK(contains(inside, "aria-labelledby=\"f1.title-text f1.desc-text\""));
}

TEST_CASE("The page needs nothing from outside, and escapes what it is given") {
  const std::string page = lecture_html(lecture());
  for (const char* outside : {"<script", "http:", "https:", "src=", "@import", "url(http"}) {
    CAPTURE(outside);
    std::string rest = page;
    const std::string name_space = "xmlns=\"http://www.w3.org/2000/svg\"";
    rest.replace(rest.find(name_space), name_space.size(), "");
    CHECK_FALSE(contains(rest, outside));
  }
  CHECK(contains(page, "Rows &lt;sum&gt; to 1 &amp; more"));
  CHECK(contains(page, "<title>Query 0, Key 1: 0.5</title>"));
  CHECK(contains(page, "href=\"index.ja.html\""));
  CHECK(contains(page, "href=\"en/masks-weights.pdf\""));
}

TEST_CASE("Beamer frames take the slide's PDF and escape TeX's marks") {
  const std::string frames = lecture_beamer(lecture());
  CHECK(contains(frames, "\\begin{frame}{Rows <sum> to 1 \\& more}"));
  CHECK(contains(frames, "{slides/en/masks-weights.pdf}"));
  CHECK(contains(frames, "{\\footnotesize Caption with 100 \\% \\& \\_\\par}"));
}

TEST_CASE("Markdown slides take the slide's SVG with its alternative text") {
  CHECK(contains(lecture_markdown(lecture()), "![alt](slides/en/masks-weights.svg)"));
  CHECK(contains(lecture_markdown(lecture()), "## Rows \\<sum\\> to 1 & more"));
  CHECK(contains(lecture_markdown(lecture()), "Caption with 100 % & \\_"));
}

TEST_CASE("A figure without a caption leaves no empty place for it") {
  BuiltLecture built = lecture();
  built.sections[0].figures[0].caption.clear();
  CHECK_FALSE(contains(lecture_beamer(built), "footnotesize"));
  CHECK_FALSE(contains(lecture_markdown(built), "\n\n\n"));
}

TEST_CASE("A walk meets each section before its figures, in the lecture's order") {
  BuiltLecture built = lecture();
  built.sections.push_back(built.sections[0]);
  built.sections[1].title = "Again";
  std::string met;
  walk(
      built, [&](const BuiltSection& section) { met += section.title + ":"; },
      [&](const BuiltFigure& figure) { met += figure.name + " "; });
  CHECK(met == "Masks:masks-weights Again:masks-weights ");
}

TEST_CASE("A caption that stands in the picture is not repeated beside it") {
  BuiltLecture built = lecture();
  CHECK(contains(lecture_html(built), "Caption with 100 % &amp; _"));
  built.sections[0].figures[0].caption_place = CaptionPlace::in_picture;
  CHECK_FALSE(contains(lecture_html(built), "Caption with 100 %"));
  CHECK(contains(lecture_captions(built), "Caption with 100 %"));
}

TEST_CASE("Checksums are SHA-256") {
  // FIPS 180-2, appendix B.1, and the digest of nothing.
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace attnlab
