// What a section holds besides figures: as it is read from the manifest, and as it stands in a page.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "lecture/built_lecture.hpp"
#include "lecture/lecture.hpp"
#include "lecture/markdown.hpp"

namespace attnlab {
namespace {

/// A lecture with these blocks; the first line of `blocks` is line 4.
Lecture with_blocks(const std::string& blocks) {
  return parse_lecture("title = \"T\"\n[[section]]\ntitle = \"S\"\n" + blocks, "m.toml");
}

std::string block_refusal(const std::string& blocks) {
  try {
    with_blocks(blocks);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::failed);
    CHECK(error.message(Language::ja) != error.message(Language::en));
    return error.message(Language::en);
  }
  return "";
}

template <class Kind>
Kind only_block(const std::string& blocks) {
  const Lecture lecture = with_blocks(blocks);
  REQUIRE(lecture.sections[0].blocks.size() == 1);
  REQUIRE(std::holds_alternative<Kind>(lecture.sections[0].blocks[0].content));
  return std::get<Kind>(lecture.sections[0].blocks[0].content);
}

bool holds_words(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The page of a lecture with one section of these blocks.
std::string page_with(std::vector<BuiltBlock> blocks, Language language = Language::en) {
  return lecture_html({language, "T", {{"S", {}, std::move(blocks)}}, ""});
}

}  // namespace

TEST_CASE("Blocks follow each other as their lines do, whatever their kinds") {
  const Lecture lecture = with_blocks(R"(
[[section.question]]
question = "Why?"
answer = "So."
[[section.text]]
ja = "文"
en = "text"
[[section.figure]]
experiment = "softmax"
[[section.text]]
ja = "後"
en = "after"
[[section.break]]
)");
  const std::vector<LectureBlock>& blocks = lecture.sections[0].blocks;
  REQUIRE(blocks.size() == 5);
  CHECK(std::holds_alternative<QuestionBlock>(blocks[0].content));
  CHECK(std::get<TextBlock>(blocks[1].content).markdown.en() == "text");
  CHECK(std::get<FigureBlock>(blocks[2].content).entry == 0);
  CHECK(std::get<TextBlock>(blocks[3].content).markdown.ja() == "後");
  CHECK(std::holds_alternative<BreakBlock>(blocks[4].content));
  CHECK(blocks[1].line == 8);
}

TEST_CASE("A block takes what its kind needs") {
  CHECK(only_block<TextBlock>("[[section.text]]\nja = \"一\\n二\"\nen = \"- a\\n- b\"").markdown.en() ==
        "- a\n- b");
  CHECK(only_block<EquationBlock>("[[section.equation]]\ntex = 'a_1'").typed);
  const auto of_stage =
      only_block<EquationBlock>("[[section.equation]]\nexperiment = \"vectors\"\nstage = \"weights\"");
  CHECK_FALSE(of_stage.typed);
  CHECK(of_stage.stage == "weights");
  const auto report = only_block<ReportBlock>(
      "[[section.report]]\nexperiment = \"vectors\"\nparameters = { count = 5 }\nparts = [\"say\", "
      "\"explain\"]");
  CHECK(report.parts == std::vector{ReportPart::say, ReportPart::explain});
  CHECK(report.run.parameters == FlagTexts{{"count", "5"}});
  CHECK(only_block<CodeBlock>("[[section.code]]\nexperiment = \"vectors\"").library == CodeLibrary::numpy);
  CHECK(only_block<CodeBlock>("[[section.code]]\nexperiment = \"vectors\"\nlibrary = \"torch\"").library ==
        CodeLibrary::torch);
  CHECK(only_block<ClaimBlock>("[[section.claim]]\nid = \"A-order\"").id == "A-order");
  CHECK(only_block<SlidersBlock>("[[section.sliders]]\nexperiment = \"vectors\"\nslide = \"count=3,5\"")
            .slides == std::vector<std::string>{"count=3,5"});
  CHECK(only_block<FilmBlock>("[[section.film]]\nexperiment = \"vectors\"\nover = \"count=3:9\"").over ==
        "count=3:9");
}

TEST_CASE("Steps are figures of their section, each with what it changes and a name of its own") {
  const Lecture lecture = with_blocks(R"(
[[section.figure]]
experiment = "softmax"
[[section.steps]]
experiment = "train reverse"
figure = "weights"
parameters = { seed = 1, count = 4 }
each = [
  { parameters = { count = 5 } },
  { figure = "learning", caption = "c" },
]
)");
  const LectureSection& section = lecture.sections[0];
  const auto steps = std::get<StepsBlock>(section.blocks[1].content);
  CHECK(steps.first == 1);
  CHECK(steps.count == 2);
  REQUIRE(section.figures.size() == 3);
  CHECK(section.figures[1].parameters == FlagTexts{{"seed", "1"}, {"count", "5"}});
  CHECK(section.figures[1].name == "train-reverse-weights-step-1");
  CHECK(section.figures[1].line == 12);
  CHECK(section.figures[2].name == "train-reverse-learning-step-2");
  CHECK(section.figures[2].parameters.at("count") == "4");
}

TEST_CASE("What is wrong with a block is told with its line, and what there is instead") {
  CHECK(holds_words(block_refusal("[[section.txt]]\nja = \"a\""),
                    "m.toml:4: there is no key 'txt'; choose from"));
  CHECK(holds_words(block_refusal("[[section.text]]\nen = \"a\""), "m.toml:4: ja is missing"));
  CHECK(holds_words(block_refusal("[[section.text]]\nja = \"a\"\nen = 3"), "m.toml:6: en must be a string"));
  CHECK(holds_words(block_refusal("[[section.text]]\nja = \"a\"\nen = \" \\n\""), "m.toml:4: text is empty"));
  CHECK(holds_words(block_refusal("[[section.text]]\nja = \"a\"\nen = \"\\u0007\""), "control character"));
  CHECK(holds_words(block_refusal("text = \"words\""), "m.toml:4: text must be tables"));
  CHECK(holds_words(block_refusal("[[section.equation]]\ntex = '\\foo'"),
                    "m.toml:5: the formula's '\\foo' is not known"));
  CHECK(holds_words(block_refusal("[[section.equation]]\ntex = 'a'\nstage = \"b\""),
                    "m.toml:6: there is no key 'stage'"));
  CHECK(holds_words(block_refusal("[[section.equation]]\nexperiment = \"vectors\""),
                    "m.toml:4: stage is missing"));
  CHECK(holds_words(block_refusal("[[section.report]]\nexperiment = \"vectors\""),
                    "m.toml:4: parts is missing"));
  CHECK(holds_words(block_refusal("[[section.report]]\nexperiment = \"vectors\"\nparts = [\"sing\"]"),
                    "m.toml:6: parts cannot have 'sing'; choose from say, "));
  CHECK(holds_words(block_refusal("[[section.code]]\nexperiment = \"vectors\"\nlibrary = \"cobol\""),
                    "m.toml:6: library cannot be 'cobol'; choose from numpy, torch"));
  CHECK(holds_words(block_refusal("[[section.claim]]"), "m.toml:4: id is missing"));
  CHECK(holds_words(block_refusal("[[section.claim]]\nid = [1]"), "m.toml:5: id must be a string"));
  CHECK(holds_words(
      block_refusal("[[section.steps]]\nexperiment = \"vectors\"\neach = [{ figure = \"bars\" }]"),
      "m.toml:6: the number of steps is 1; give 2 to 20"));
  CHECK(holds_words(block_refusal("[[section.steps]]\nexperiment = \"vectors\"\neach = [{}, {}]"),
                    "m.toml:6: the step names no figure"));
  CHECK(holds_words(block_refusal("[[section.sliders]]\nexperiment = \"vectors\"\nslide = []"),
                    "m.toml:6: slide must be a list of strings"));
  CHECK(holds_words(block_refusal("[[section.film]]\nslide = \"a\""), "m.toml:5: there is no key 'slide'"));
  CHECK(holds_words(block_refusal("[[section.question]]\nquestion = \"a\""), "m.toml:4: answer is missing"));
  CHECK(holds_words(block_refusal("[[section.break]]\npage = 3"),
                    "m.toml:5: there is no key 'page'; nothing stands here"));
}

TEST_CASE("Markdown becomes paragraphs, lists, emphasis, code and formulas") {
  CHECK(markdown_html("a **b** *c* `d < e`") ==
        "<p>a <strong>b</strong> <em>c</em> <code>d &lt; e</code></p>\n");
  CHECK(markdown_html("- a\n- b") == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
  CHECK(markdown_html("# A") == "<h3>A</h3>\n");  // below the section's own
  CHECK(markdown_html("width $`d_k`$.") ==
        "<p>width <math><msub><mrow><mi>d</mi></mrow><mrow><mi>k</mi></mrow></msub></math>.</p>\n");
  CHECK(markdown_html("costs 3 $ and `code`") == "<p>costs 3 $ and <code>code</code></p>\n");
}

TEST_CASE("HTML in Markdown is text, and nothing runs or loads") {
  CHECK(markdown_html("a <script>alert(1)</script> b") ==
        "<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n");
  CHECK(holds_words(markdown_html("<div onclick=\"x()\">\nhello\n</div>"), "&lt;div onclick="));
  CHECK_FALSE(holds_words(markdown_html("[a](javascript:alert(1))"), "javascript"));
  CHECK_FALSE(holds_words(markdown_html("[a](data:text/html,x)"), "data:"));
  CHECK_FALSE(holds_words(markdown_html("<javascript:alert(1)>"), "href=\"javascript"));
  CHECK(holds_words(markdown_html("[a](https://example.org/?a=1&b=\"2\")"),
                    "href=\"https://example.org/?a=1&amp;b="));
  CHECK_THROWS_AS(markdown_html("![cat](https://example.org/cat.png)"), Error);
  CHECK_THROWS_AS(markdown_html("$`\\unknown`$"), Error);
  CHECK_FALSE(holds_words(markdown_html("$`\\mathrm{<b>}`$"), "<b>"));
}

TEST_CASE("A question's answer opens on the page, and stands under its number at the end of a print") {
  const std::string page = page_with({BuiltQuestion{"One?", "First."}, BuiltQuestion{"Two?", "Second."}});
  CHECK(holds_words(page, "<b>Question 2</b>\n<p>Two?</p>"));
  CHECK(holds_words(page, "<summary>Show the answer</summary>\n<div class=\"answer\">\n<p>Second.</p>"));
  CHECK(holds_words(page, "<li value=\"2\"><p>Second.</p>"));
  CHECK(holds_words(page_with({BuiltQuestion{"何か", "これ"}}, Language::ja), "<b>問 1</b>"));
}

TEST_CASE("Claims, tables, programs and films are escaped, and say what they are") {
  const std::string hostile = "<img src=x onerror=alert(1)>&\"'";
  Report report;
  const Table table{{Text::same(hostile), Text::same("n")}, {{hostile, "-1.5"}}};
  const std::string page =
      page_with({BuiltClaim{"fails", hostile, hostile, hostile, hostile, hostile},
                 BuiltReport{{table, Paragraph{Role::say, Text::same(hostile)}}, {}},
                 BuiltCode{hostile, "a = '<b>'\n\nb = 2\n"},
                 BuiltFilm{"f", hostile, hostile, hostile, hostile, {"webp", "png"}, {}, 3, 2},
                 BuiltSliders{"s", hostile, hostile, "<p>fragment</p>", ""}});
  CHECK_FALSE(holds_words(page, "<img src=x"));
  CHECK(holds_words(page, "&lt;img src=x onerror=alert(1)&gt;"));
  CHECK(holds_words(page, "<code>a = &apos;&lt;b&gt;&apos;\n\nb = 2\n</code>"));
  CHECK(holds_words(page, "<td class=\"number\">-1.5</td>"));
  CHECK(holds_words(page, "<div class=\"claim fails\">"));
  CHECK(holds_words(page, "class=\"stands\" src=\"data:image/png;base64,cG5n\""));
  CHECK(holds_words(page, "class=\"runs\" src=\"data:image/webp;base64,d2VicA==\""));
  CHECK(holds_words(page, "<p>fragment</p>"));
}

TEST_CASE("What a report puts between backticks is code") {
  const std::string page =
      page_with({BuiltReport{{Paragraph::note("`a<b` と ` だけ", "type `a<b` and ` alone")}, {}}});
  CHECK(holds_words(page, "<p>type <code>a&lt;b</code> and ` alone</p>"));
}

TEST_CASE("One script serves all sliders of a page, and a page without sliders has none") {
  const std::string two = page_with({BuiltSliders{"a", "A", "", "", ""}, BuiltSliders{"b", "B", "", "", ""}});
  const std::size_t first = two.find("<script>");
  REQUIRE(first != std::string::npos);
  CHECK(two.find("<script>", first + 1) == std::string::npos);
  CHECK_FALSE(holds_words(page_with({BuiltText{"a"}}), "<script"));
}

}  // namespace attnlab
