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
                     "attnlab masks",
                     picture(),
                     picture(),
                     {{"weights[0,1]", "Query 0, Key 1: 0.5 < 1"}},
                     {"en/masks-weights.svg", "en/masks-weights.pdf"},
                     {"data/masks-weights.npz"}};
  return {Language::en, "A lecture", "A. Teacher", {{"Masks", {BuiltFigures{{figure}}}}}, "index.ja.html"};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "A picture that is wider than its screen, a telephone or a desk, says that it scrolls, and no other does") {
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
  ThemedPicture& narrow = std::get<BuiltFigures>(built.sections[0].blocks[0]).figures[0].narrow;
  narrow.light.width = narrow.dark.width = 360.0;  // with letters of 6 points: 12 on a page twice as wide
  CHECK(hints() == 1);
  ThemedPicture& wide = std::get<BuiltFigures>(built.sections[0].blocks[0]).figures[0].wide;
  wide.light.width = wide.dark.width = 420.0;  // likewise: below 840 pixels the narrow one takes its place
  CHECK(hints() == 1);
  CHECK(contains(lecture_html(built), "@container (width < 842px) { .least-842 .wide { display: none; }"));
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
  for (const char* outside : {"<script ", "http:", "https:", "src=", "@import", "url("}) {
    CAPTURE(outside);
    CHECK_FALSE(contains(page, outside));
  }
  CHECK(contains(page, "Rows &lt;sum&gt; to 1 &amp; more"));
  CHECK(contains(page, "href=\"index.ja.html\""));
  CHECK(contains(page, "href=\"en/masks-weights.pdf\""));
}

TEST_CASE("A page names its author, and a section without a title has no heading") {
  BuiltLecture built = lecture();
  CHECK(contains(lecture_html(built), "<p class=\"author\">A. Teacher</p>"));
  CHECK(contains(lecture_html(built), "<h2 id=\"section.1\">Masks</h2>"));
  built.author.clear();
  built.sections[0].title.clear();
  CHECK_FALSE(contains(lecture_html(built), "author"));
  CHECK_FALSE(contains(lecture_html(built), "section.1"));
}

TEST_CASE("For pandoc the document's own lines stay, and what its commands gave stands in their places") {
  const Lecture document = parse_lecture(
      "# S\n\ntext $d$\n\n``` {.attnlab}\nmasks\n```\n\n::: steps\n``` {.attnlab}\na\n```\n``` {.attnlab}\nb\n"
      "```\n:::\n\n``` {.attnlab .report .say}\nmasks\n```\nlast\n",
      "m.md");
  BuiltFigure figure;
  figure.name = "n";
  figure.title = "Rows \"sum\" to 1";
  figure.command = "attnlab masks --labels '\"'";
  figure.caption = "100 % & _x_";
  figure.description = "alt \\ text";
  figure.say = {"Say *this*."};
  BuiltFigure second = figure;
  second.name = "second";
  second.say.clear();
  const Table table{{Text::same("a|b"), Text::same("n")}, {{"x", "1"}}};
  const BuiltReport report{{Paragraph{Role::misunderstanding, Text::same("No.")}, table}, {}};
  const std::string markdown = lecture_markdown(document,
                                                {{"S",
                                                  {BuiltText{"text $d$"}, BuiltFigures{{figure}},
                                                   BuiltSteps{{figure, second}}, report, BuiltText{"last"}}}},
                                                ".png");
  CHECK(contains(
      markdown,
      "# S\n\ntext $d$\n\n::: {.attnlab-figure title=\"Rows \\\"sum\\\" to 1\" command=\"attnlab masks --labels '\\\"'\"}\n"
      "![100 % & \\_x\\_](pictures/en/n.png){#n alt=\"alt \\\\ text\"}\n\n::: notes\n"
      "Say \\*this\\*.\n\n:::\n:::\n"));
  CHECK(contains(markdown, "(pictures/en/second.png){#second alt=\"alt \\\\ text\"}\n:::\n"));
  CHECK(contains(markdown, "**Common misunderstanding.** No.\n\n| a\\|b | n |\n|---|---:|\n| x | 1 |\n"));
  CHECK_FALSE(contains(markdown, "```"));
  CHECK(markdown.substr(markdown.size() - 5) == "last\n");
}

TEST_CASE("With a mark the front matter is left out, and all that a command gave carries it") {
  const Lecture document = parse_lecture(
      "---\ntitle: T\n---\nown\n\n``` {.attnlab}\na\n```\n``` {.attnlab}\na\n```\n``` {.attnlab}\na\n```\n"
      "``` {.attnlab}\na\n```\n``` {.attnlab}\na\n```\n",
      "m.md");
  BuiltFigure figure;
  figure.name = "n";
  const std::string markdown =
      lecture_markdown(document,
                       {{"",
                         {BuiltText{"own"}, BuiltFigures{{figure}}, BuiltEquation{formula::sym("a")},
                          BuiltReport{}, BuiltCode{"attnlab x", "a\n"}, BuiltClaim{}}}},
                       "", "m0");
  CHECK(markdown.rfind("\n\n\nown\n", 0) == 0);
  std::size_t marks = 0;
  for (std::size_t at = markdown.find(" made=m0"); at != std::string::npos;
       at = markdown.find(" made=m0", at + 1))
    ++marks;
  CHECK(marks == 6);  // the picture and what it stands in, and four more
}

TEST_CASE("For pandoc a program's fence is longer than those in it, and a claim is quoted with its verdict") {
  const Lecture document =
      parse_lecture("``` {.attnlab}\nx\n```\n``` {.attnlab}\nx\n```\n``` {.attnlab}\nx\n```\n", "m.md");
  const std::string markdown = lecture_markdown(
      document,
      {{"",
        {BuiltCode{"attnlab x", "a = '```'\n"},
         BuiltClaim{"fails", "Fails", "p. 3", "All *sum*", "0.5 <> 1", "Rows do"},
         BuiltReport{
             {}, Explanation{Text::same("E"), Text::same("i"), {{Text::same("s"), {}}}}, "attnlab e"}}}},
      "");
  CHECK(contains(markdown, "```` {.python command=\"attnlab x\"}\na = '```'\n````\n"));
  CHECK(contains(markdown, "> All \\*sum\\*\n>\n> p. 3\n\n**Fails** 0.5 \\<\\> 1\n\n→ Rows do\n"));
  CHECK(contains(markdown, "::: {.attnlab-report command=\"attnlab e\"}\n### E\n\ni\n\n#### 1. s\n"));
}

}  // namespace attnlab
