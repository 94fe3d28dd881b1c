// Slides for PowerPoint and notebooks: what stands in their parts. That whole files hang together is tested
// in Python (tests/python/lecture.py) and with LibreOffice (tests/viewers).
#include <doctest/doctest.h>

#include "lecture/notebook.hpp"
#include "lecture/pptx.hpp"

namespace attnlab {
namespace {

BuiltFigure office_figure() {
  BuiltFigure figure;
  figure.name = "masks-weights";
  figure.title = "Rows <sum> to 1 & more";
  figure.description = "a \"map\"";
  figure.command = "attnlab masks --labels '`a`'";
  figure.slide = {100.0, 25.0, Theme::light, "<svg/>", "PNG"};
  return figure;
}

std::string part(const std::vector<PackagePart>& parts, const std::string& path) {
  for (const PackagePart& part : parts) {
    if (part.path == path) return part.bytes;
  }
  return "";
}

bool has_text(const std::string& text, const std::string& wanted) {
  return text.find(wanted) != std::string::npos;
}

}  // namespace

TEST_CASE("A slide's picture fills the width of its place and stands in the middle of it") {
  const std::vector<PackagePart> parts = lecture_pptx({Language::en, "T", {{"S", {office_figure()}}}, ""});
  const std::string slide = part(parts, "ppt/slides/slide3.xml");
  // 11277600 across, a quarter of that high; (5074920 - 2819400) / 2 below 960120.
  CHECK(has_text(slide, "<a:off x=\"457200\" y=\"2087880\"/><a:ext cx=\"11277600\" cy=\"2819400\"/>"));
  CHECK(has_text(slide, "<a:t>Rows &lt;sum&gt; to 1 &amp; more</a:t>"));
  CHECK(has_text(slide, "descr=\"a &quot;map&quot;\""));
  CHECK(part(parts, "ppt/media/image3.svg") == "<svg/>");
  CHECK(part(parts, "ppt/media/image3.png") == "PNG");
}

TEST_CASE("A letter's subscript is one on a slide, and underscores in names stay") {
  BuiltFigure figure = office_figure();
  figure.title = "Mixed by W_O as in_proj_weight";
  const std::string slide =
      part(lecture_pptx({Language::en, "T", {{"S", {figure}}}, ""}), "ppt/slides/slide3.xml");
  CHECK(has_text(slide,
                 "<a:t>Mixed by W</a:t></a:r><a:r><a:rPr lang=\"en-US\" baseline=\"-25000\" dirty=\"0\">"
                 "</a:rPr><a:t>O</a:t></a:r>"));
  CHECK(has_text(slide, "<a:t> as in_proj_weight</a:t>"));
}

TEST_CASE("Notes are written where there is something to say, in the lecture's language") {
  BuiltFigure figure = office_figure();
  const BuiltLecture silent{Language::ja, "T", {{"S", {figure}}}, ""};
  CHECK(part(lecture_pptx(silent), "ppt/notesSlides/notesSlide3.xml").empty());
  figure.say = {"<行>の和は 1", "次の行", "最後"};
  const BuiltLecture told{Language::ja, "T", {{"S", {figure}}}, ""};
  const std::string notes = part(lecture_pptx(told), "ppt/notesSlides/notesSlide3.xml");
  CHECK(has_text(notes, "lang=\"ja-JP\""));
  CHECK(has_text(notes, "<a:t>&lt;行&gt;の和は 1</a:t>"));
  for (const char* sentence : {"次の行", "最後"})
    CHECK(has_text(notes, "<a:t>" + std::string(sentence) + "</a:t>"));
  CHECK(
      has_text(part(lecture_pptx(told), "ppt/notesSlides/_rels/notesSlide3.xml.rels"), "slides/slide3.xml"));
}

TEST_CASE("Slides are dark where their figures are, and titles as the figure that follows") {
  BuiltFigure figure = office_figure();
  figure.slide.theme = Theme::dark;
  const std::vector<PackagePart> parts = lecture_pptx({Language::en, "T", {{"S", {figure}}}, ""});
  for (const char* slide : {"ppt/slides/slide1.xml", "ppt/slides/slide2.xml", "ppt/slides/slide3.xml"})
    CHECK(has_text(part(parts, slide), "<p:bg>"));
}

TEST_CASE("A notebook keeps the program with its figure, and marks in titles mean themselves") {
  BuiltFigure figure = office_figure();
  figure.program = "x = 1\nprint(x)\n";
  const std::string notebook = lecture_notebook({Language::en, "*T*", {{"S", {figure}}}, ""});
  CHECK(has_text(notebook, R"("# \\*T\\*")"));
  CHECK(has_text(notebook, R"("### Rows \\<sum\\> to 1 & more\n")"));
  CHECK(has_text(notebook, "\"image/png\": \"UE5H\""));  // RFC 4648 of PNG
  CHECK(has_text(notebook, R"("`` attnlab masks --labels '`a`' ``")"));
  figure.command = "attnlab masks --labels '``a```b'";
  figure.title = "$5, not $6, &lt;b&gt; and ~~a~~";
  const std::string marked = lecture_notebook({Language::en, "T", {{"S", {figure}}}, ""});
  CHECK(has_text(marked, R"("```` attnlab masks --labels '``a```b' ````")"));
  CHECK(has_text(marked, R"(### \\$5, not \\$6, \\&lt;b\\&gt; and \\~\\~a\\~\\~\n)"));
  CHECK(has_text(lecture_markdown({Language::en, "T", {{"S", {figure}}}, ""}),
                 R"(# \$5, not \$6, \&lt;b\&gt; and)"));
  CHECK(has_text(notebook, "\"x = 1\\n\",\n    \"print(x)\\n\""));
  figure.program.clear();
  CHECK_FALSE(has_text(lecture_notebook({Language::en, "T", {{"S", {figure}}}, ""}), "\"code\""));
}

}  // namespace attnlab
