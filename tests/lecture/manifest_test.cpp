// Manifests: what a lecturer may write, and what is said of what they may not.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {
namespace {

const std::string smallest = R"(
title = { ja = "題", en = "Title" }
[[section]]
title = "Softmax"
[[section.figure]]
experiment = "softmax"
)";

Lecture lecture_of(const std::string& toml) {
  return parse_lecture(toml, "lectures/mine.toml");
}

std::string refusal(const std::string& toml) {
  try {
    lecture_of(toml);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::failed);
    CHECK_FALSE(error.message(Language::ja).empty());
    return error.message(Language::en);
  }
  return "";
}

bool has_words(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The smallest manifest has a title and one figure, and defaults for the rest") {
  const Lecture lecture = lecture_of(smallest);
  CHECK(lecture.title.ja() == "題");
  CHECK(lecture.languages == std::vector{Language::ja, Language::en});
  CHECK(lecture.formats == std::vector<std::string>{"svg", "pdf"});
  CHECK(lecture.outputs.size() == 8);
  CHECK(lecture.folder == "lectures");
  REQUIRE(lecture.sections.size() == 1);
  CHECK(lecture.sections[0].title.ja() == "Softmax");
  REQUIRE(lecture.sections[0].figures.size() == 1);
  CHECK(lecture.sections[0].figures[0].experiment == "softmax");
  CHECK(lecture.sections[0].figures[0].figure.empty());
  CHECK(lecture.sections[0].figures[0].line == 5);
}

TEST_CASE("Parameters and looks are read as one would type them") {
  const Lecture lecture = lecture_of(smallest + R"(
figure = "bars"
name = "mine"
caption = { ja = "説明", en = "Caption" }
parameters = { scores = [2, -1, 0.5], seed = 7, temperature = 0.25, labels = "a,b", on = true }
look = { theme = "dark" }
)");
  const LectureFigure& figure = lecture.sections[0].figures[0];
  CHECK(figure.parameters ==
        FlagTexts{
            {"scores", "2,-1,0.5"}, {"seed", "7"}, {"temperature", "0.25"}, {"labels", "a,b"}, {"on", "on"}});
  CHECK(figure.look == FlagTexts{{"theme", "dark"}});
  REQUIRE(figure.caption);
  CHECK(figure.caption->ja() == "説明");
  CHECK(figure.name == "mine");
}

TEST_CASE("What is wrong is named with its line") {
  CHECK(has_words(refusal("title = "), "lectures/mine.toml:1 is no TOML"));
  CHECK(has_words(refusal("x = 1"), "mine.toml:1: there is no key 'x'; choose from title"));
  CHECK(has_words(refusal("title = \"T\""), "the lecture has no figures"));
  CHECK(has_words(refusal("title = { ja = \"題\" }"), "title needs ja and en"));
  CHECK(has_words(refusal("title = 3"), "title needs ja and en"));
  CHECK(has_words(refusal("section = 3\ntitle = \"T\""), "section must be tables"));
  CHECK(has_words(refusal("title = \"T\"\n[[section]]\ntitle = \"S\""), "mine.toml:2: the section is empty"));
  CHECK(has_words(refusal("title = \"T\"\n[[section]]\ntitle = \"S\"\n[[section.figure]]\nfigure = \"bars\""),
                  "mine.toml:4: experiment is missing"));
  CHECK(has_words(refusal("formats = [\"gif\"]\n" + smallest),
                  "formats cannot have 'gif'; choose from svg, pdf, png"));
  CHECK(has_words(refusal("formats = \"svg\"\n" + smallest), "formats must be a list"));
  CHECK(has_words(refusal("languages = [\"fr\"]\n" + smallest), "languages cannot have 'fr'"));
  CHECK(has_words(refusal("outputs = []\n" + smallest), "outputs must be a list"));
  CHECK(has_words(refusal(smallest + "caption = \"all\""), "name and caption belong to one figure"));
  CHECK(has_words(refusal(smallest + "parameters = 3"), "parameters must be a table"));
  CHECK(has_words(refusal(smallest + "parameters = { a = 1979-05-27 }"), "no value for a flag"));
  CHECK(has_words(refusal(smallest + "experiment = \"twice\""), "is no TOML"));
}

TEST_CASE("Titles and captions stand in one line, without control characters") {
  const Lecture lecture =
      lecture_of(smallest + "figure = \"bars\"\ncaption = \"\"\"\n one\t two\n\n三 \"\"\"");
  CHECK(lecture.sections[0].figures[0].caption->ja() == "one two 三");
  CHECK(has_words(refusal("title = \"a\\u0007b\""), "mine.toml:1: title has a control character"));
}

TEST_CASE("Names of files are plain, and the look knows its line") {
  const std::string one = smallest + "figure = \"bars\"\nname = ";
  CHECK(lecture_of(one + "\"Fig-2_2\"").sections[0].figures[0].name == "Fig-2_2");
  for (const char* name : {"../x", "a.b", "a b", "a/b", "é"})
    CHECK(has_words(refusal(one + "\"" + name + "\""), "mine.toml:8: the name "));
  CHECK(has_words(refusal(one + "\"" + std::string(101, 'a') + "\""), "up to 100"));
  CHECK(lecture_of("\nlook = { dpi = 72 }\n" + smallest).look_line == 2);
}

TEST_CASE("The lectures that come along can be read") {
  CHECK(shipped_lectures().size() == 3);
  for (const ShippedLecture& shipped : shipped_lectures()) {
    CAPTURE(shipped.name);
    const Lecture lecture = parse_lecture(shipped.toml, shipped.name);
    CHECK(lecture.sections.size() >= 3);
    CHECK(lecture.title.ja() != lecture.title.en());
  }
}

TEST_CASE("The chapter of the textbook shows each of its figures 2.2.1 to 2.2.15") {
  const auto& shipped = shipped_lectures();
  const auto book = std::find_if(shipped.begin(), shipped.end(),
                                 [](const ShippedLecture& one) { return one.name == "book"; });
  REQUIRE(book != shipped.end());
  std::string captions;
  for (const LectureSection& section : parse_lecture(book->toml, book->name).sections) {
    for (const LectureFigure& figure : section.figures)
      captions += figure.caption ? figure.caption->ja() : "";
  }
  for (int figure = 1; figure <= 15; ++figure) {
    const std::string number = fmt::format("2.2.{}", figure);
    CAPTURE(number);
    CHECK((has_words(captions, number + "：") || has_words(captions, number + "、")));
  }
}

}  // namespace attnlab
