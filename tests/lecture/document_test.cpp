// Documents of lectures: what a lecturer may write, and what is said of what they may not.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "core/terminal_width.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {
namespace {

using Strings = std::vector<std::string>;

Lecture lecture_of(const std::string& markdown, std::optional<Language> spoken = {}) {
  return parse_lecture(markdown, "lectures/mine.md", spoken);
}

const std::string figure = "``` {.attnlab}\nvectors\n```\n";

std::string refusal(const std::string& markdown) {
  try {
    lecture_of(markdown);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::failed);
    CHECK(error.message(Language::ja) != error.message(Language::en));
    return error.message(Language::en);
  }
  return "";
}

bool has_words(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<LectureBlock> blocks_of(const std::string& markdown) {
  const Lecture lecture = lecture_of(markdown);
  REQUIRE(lecture.sections.size() == 1);
  return lecture.sections[0].blocks;
}

template <class Kind>
Kind only_block(const std::string& markdown) {
  const std::vector<LectureBlock> blocks = blocks_of(markdown);
  REQUIRE(blocks.size() == 1);
  REQUIRE(std::holds_alternative<Kind>(blocks[0].content));
  return std::get<Kind>(blocks[0].content);
}

}  // namespace

TEST_CASE("The smallest document is one block, with defaults for the rest") {
  const Lecture lecture = lecture_of("``` {.attnlab}\nsoftmax\n```\n");
  CHECK(lecture.title == "mine");
  CHECK(lecture.language == Language::en);
  CHECK(lecture.formats == Strings{"svg", "pdf"});
  REQUIRE(lecture.sections.size() == 1);
  CHECK(lecture.sections[0].title.empty());
  const auto block = std::get<CommandBlock>(lecture.sections[0].blocks.at(0).content);
  CHECK(block.words == Strings{"softmax"});
  CHECK(block.line == 1);
  CHECK(block.last_line == 3);
}

TEST_CASE(
    "The front matter names title, author, language, look, formats and texts, and nothing that pandoc would read or run") {
  const Lecture lecture = lecture_of(
      "---\ntitle: \"A: B\"\nauthor: Me\nlang: ja-JP\nlook: --preset slide-16x9 --title 'x y'\n"
      "formats: [png, svg]\ndate: 2026-11-28\nsubtitle: '![x](y)'\nkeywords:\n  - a b\n- c\nabstract: |\n  One\n"
      "  line.\n\n# a comment\ninstitute: [X, Y]\n---\n# One\n\ntext\n");
  CHECK(lecture.title == "A: B");
  CHECK(lecture.author == "Me");
  CHECK(lecture.language == Language::ja);
  CHECK(lecture.look == Strings{"--preset", "slide-16x9", "--title", "x y"});
  CHECK(lecture.look_line == 5);
  CHECK(lecture.formats == Strings{"png", "svg"});
  CHECK(lecture.sections.at(0).title == "One");
  CHECK(lecture.texts == std::map<std::string, std::string>{{"abstract", "One line."},
                                                            {"author", "Me"},
                                                            {"date", "2026-11-28"},
                                                            {"institute", "X, Y"},
                                                            {"keywords", "a b, c"},
                                                            {"subtitle", "![x](y)"}});
  CHECK(lecture.front_lines == 18);
  for (const char* key : {"css", "cover-image", "header-includes", "include-before", "bibliography", "csl",
                          "reference-doc", "template", "logo", "theme", "no key"}) {
    const std::string reported = refusal("---\ntitle: T\n" + std::string(key) + ": /etc/passwd\n---\ntext\n");
    CHECK_MESSAGE(has_words(reported, "mine.md:3: the front matter cannot have '" + std::string(key)),
                  reported);
  }
  CHECK(has_words(refusal("---\nsubtitel: x\n---\ntext\n"), "did you mean subtitle?"));
}

TEST_CASE("A document speaks as it says, else as it is told, else as its letters do") {
  CHECK(lecture_of("text").language == Language::en);
  CHECK(lecture_of("文").language == Language::ja);
  CHECK(lecture_of("文", Language::en).language == Language::en);
  CHECK(lecture_of("---\nlang: en\n---\n文", Language::ja).language == Language::en);
}

TEST_CASE("Blocks follow each other as their lines do, whatever their kinds") {
  const std::vector<LectureBlock> blocks = blocks_of(R"(# S

::: question
Why?

::: answer
So.
:::
:::

text
## lower heading

```python
# no section
```

``` {.attnlab #mine .sliders caption="a \"b\" c"}
attnlab vectors --figure arrows \
  --slide query-angle=0:90:3
```
after

---

$$
a_1
$$

::: columns
inside
:::
)");
  REQUIRE(blocks.size() == 7);
  CHECK(std::get<QuestionBlock>(blocks[0].content).question.markdown == "Why?");
  CHECK(std::get<QuestionBlock>(blocks[0].content).answer.markdown == "So.");
  CHECK(std::get<TextBlock>(blocks[1].content).markdown ==
        "text\n## lower heading\n\n```python\n# no section\n```");
  CHECK(blocks[1].line == 11);
  const auto command = std::get<CommandBlock>(blocks[2].content);
  CHECK(command.words == Strings{"vectors", "--figure", "arrows", "--slide", "query-angle=0:90:3"});
  CHECK(command.attributes.name == "mine");
  CHECK(command.attributes.classes == Strings{"sliders"});
  CHECK(command.attributes.values.at("caption") == "a \"b\" c");
  CHECK(std::get<TextBlock>(blocks[3].content).markdown == "after");
  CHECK(std::holds_alternative<BreakBlock>(blocks[4].content));
  CHECK(to_latex(std::get<EquationBlock>(blocks[5].content).formula) == "a_{1}");
  CHECK(std::get<TextBlock>(blocks[6].content).markdown == "inside");
}

TEST_CASE("Quarto's form of a block is read as pandoc's is") {
  const auto block = only_block<CommandBlock>(
      "```{attnlab}\n#| label: fig-one\n#| fig-cap: \"A cap: here\"\nmasks\n--figure alignment\n```");
  CHECK(block.words == Strings{"masks", "--figure", "alignment"});
  CHECK(block.attributes.name == "fig-one");
  CHECK(block.attributes.values.at("caption") == "A cap: here");
}

TEST_CASE("Notes are the speaker's: no page shows them") {
  CHECK(std::get<TextBlock>(blocks_of("a\n\n::: notes\nb\n:::\n\nc").at(0).content).markdown == "a");
  CHECK(blocks_of("a\n\n::: notes\nb\n:::\n\nc").size() == 2);
}

TEST_CASE("Steps are figures with a name, each with its line") {
  const auto steps = only_block<StepsBlock>(
      "::: {.steps #walk}\n``` {.attnlab}\nvectors --figure bars\n```\n\n``` {.attnlab caption=\"c\"}\n"
      "vectors --figure arrows\n```\n:::");
  CHECK(steps.name == "walk");
  REQUIRE(steps.steps.size() == 2);
  CHECK(steps.steps[1].line == 6);
  CHECK(steps.steps[1].attributes.values.at("caption") == "c");
}

TEST_CASE("What is wrong is named with its line") {
  CHECK(has_words(refusal(""), "mine.md:1: the document is empty"));
  CHECK(has_words(refusal("---\ntitle: T\n"), "mine.md:1: the front matter is not closed"));
  CHECK(has_words(refusal("---\nlang: fr\n---\n"), "mine.md:2: lang cannot be 'fr'; choose from ja, en"));
  CHECK(has_words(refusal("---\nformats: svg, gif\n---\n"), "mine.md:2: formats cannot be 'gif'"));
  CHECK(has_words(refusal("---\nlook: --title 'x\n---\n"), "mine.md:2: a quotation mark is not closed"));
  CHECK(has_words(refusal("a\n\n``` {.attnlab}\nvectors\n"), "mine.md:3: the block is not closed"));
  CHECK(has_words(refusal("``` {.attnlab}\n```"), "mine.md:1: the block holds no command"));
  CHECK(has_words(refusal("``` {.attnlab caption=\"x}\nvectors\n```"), "mine.md:1: a quotation mark"));
  CHECK(has_words(refusal("``` {.attnlab}\nvectors --title 'x\n```"), "mine.md:1: a quotation mark"));
  CHECK(has_words(refusal("\n$$\na"), "mine.md:2: the formula's $$ is not closed"));
  CHECK(has_words(refusal("$$\n\\foo\n$$"), "mine.md:1: the formula's '\\foo' is not known"));
  CHECK(has_words(refusal("a\n:::"), "mine.md:2: this ::: closes nothing"));
  CHECK(has_words(refusal("::: question\na"), "mine.md:1: this ::: is not closed"));
  CHECK(has_words(refusal("::: question\na\n:::"), "mine.md:1: the answer is missing"));
  CHECK(has_words(refusal("::: question\n::: answer\na\n:::\n:::"), "mine.md:1: the question is missing"));
  CHECK(
      has_words(refusal("::: question\na\n::: hint\nb\n:::\n:::"), "mine.md:3: a question holds its answer"));
  CHECK(has_words(refusal("::: notes\na\n``` {.attnlab}\nvectors\n```\n:::"),
                  "mine.md:3: an answer and notes"));
  CHECK(
      has_words(refusal("::: question\n" + figure + figure + ":::"), "mine.md:5: a question has one figure"));
  CHECK(has_words(refusal("::: question\na\n::: answer\n" + figure + ":::\n:::"), "mine.md:4: an answer"));
  CHECK(has_words(refusal("::: steps\n``` {.attnlab}\nvectors\n```\n:::"),
                  "mine.md:1: the number of steps is 1"));
  CHECK(has_words(refusal("::: steps\nwords\n:::"), "mine.md:2: steps hold figures alone"));
  CHECK(has_words(refusal("a\nb\ac"), "mine.md:2: there is a control character"));
  CHECK(has_words(refusal("a\n\xff"), "mine.md:2: this is no UTF-8"));
}

TEST_CASE("A document of Windows is read as any other") {
  const Lecture lecture = lecture_of("\xEF\xBB\xBF---\r\ntitle: T\r\n---\r\n# S\r\n\r\ntext\r\n");
  CHECK(lecture.title == "T");
  CHECK(std::get<TextBlock>(lecture.sections.at(0).blocks.at(0).content).markdown == "text");
}

TEST_CASE("A text of ten thousand fences, quotations and brackets is read in a moment") {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "> `[$(*_";
  CHECK(blocks_of(text).size() == 1);
  std::string divs;
  for (int i = 0; i < 10000; ++i) divs += "::: x\n";
  CHECK(blocks_of(divs + "a").size() == 1);
}

TEST_CASE("The lectures that come along are there in both languages, with the same blocks") {
  std::map<std::string, std::vector<Lecture>> lectures;
  for (const EmbeddedFile& document : lecture_documents()) {
    CAPTURE(document.path);
    const std::string file(document.path);
    const Lecture lecture = parse_lecture(document.text, file);
    CHECK(code_of(lecture.language) == file.substr(file.find('.') + 1, 2));
    CHECK(lecture.sections.size() >= 3);
    lectures[file.substr(0, file.find('.'))].push_back(lecture);
  }
  CHECK(lectures.size() == 4);
  for (const auto& entry : lectures) {
    const auto& [name, both] = entry;
    CAPTURE(entry.first);
    REQUIRE(both.size() == 2);
    CHECK(both[0].title != both[1].title);
    CHECK(both[0].look == both[1].look);
    REQUIRE(both[0].sections.size() == both[1].sections.size());
    for (std::size_t s = 0; s < both[0].sections.size(); ++s) {
      const std::vector<LectureBlock>& one = both[0].sections[s].blocks;
      const std::vector<LectureBlock>& other = both[1].sections[s].blocks;
      CAPTURE(entry.second[0].sections[s].title);
      REQUIRE(one.size() == other.size());
      for (std::size_t b = 0; b < one.size(); ++b) {
        CHECK(one[b].content.index() == other[b].content.index());
        const auto* command = std::get_if<CommandBlock>(&one[b].content);
        if (command == nullptr) continue;
        const auto& twin = std::get<CommandBlock>(other[b].content);
        const std::string& word = command->words.front();
        const std::vector<std::string>& words = command->words;
        const bool has_text = std::find(words.begin(), words.end(), "--text") != words.end();
        if (word == "model" || word == "generation" || has_text) {  // reads its own language, is named for it
          CHECK(word == twin.words.front());
          CHECK(command->words.size() == twin.words.size());
          CHECK(command->attributes.name != twin.attributes.name);
        } else {
          CHECK(command->words == twin.words);
          CHECK(command->attributes.name == twin.attributes.name);
        }
        CHECK(command->attributes.classes == twin.attributes.classes);
        CHECK(command->attributes.values.count("caption") == twin.attributes.values.count("caption"));
      }
    }
  }
}

TEST_CASE("Headings of the lectures that come along fit a line of a slide") {
  for (const EmbeddedFile& document : lecture_documents()) {
    for (const LectureSection& section : parse_lecture(document.text, std::string(document.path)).sections) {
      CAPTURE(section.title);
      CHECK(display_width(section.title) <= 48);  // 24 letters in Japanese
      CHECK(std::count(section.title.begin(), section.title.end(), ' ') < 14);
    }
  }
}

TEST_CASE("The chapter of the textbook shows each of its figures 2.2.1 to 2.2.15") {
  for (const EmbeddedFile& document : lecture_documents()) {
    if (document.path != "book.ja.md") continue;
    for (int count = 1; count <= 15; ++count) {
      const std::string number = fmt::format("2.2.{}", count);
      CAPTURE(number);
      const std::string text(document.text);
      CHECK((has_words(text, number + "：") || has_words(text, number + "、")));
    }
  }
}

TEST_CASE("Footnotes are the last section, in the order in which texts refer to them") {
  const Lecture lecture = lecture_of(
      "a[^x] b\n\n[^y]: second,\n    more\n\n    and more\n[^x]: first\n[^z]: nobody\n\n# Two\n\nc[^y] "
      "d[^x]\n\n```\n[^code]: stays\n```\n");
  CHECK(lecture.notes == Strings{"x", "y"});
  REQUIRE(lecture.sections.size() == 3);
  CHECK(lecture.sections[2].title == "Notes");
  const auto notes = std::get<NotesBlock>(lecture.sections[2].blocks.at(0).content).notes;
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].markdown == " first\n");
  CHECK(notes[0].line == 7);
  CHECK(notes[1].markdown == " second,\nmore\n\nand more\n");
  CHECK(std::get<TextBlock>(lecture.sections[0].blocks.at(0).content).markdown == "a[^x] b");
  CHECK(has_words(std::get<TextBlock>(lecture.sections[1].blocks.at(0).content).markdown, "[^code]: stays"));
  CHECK(has_words(refusal("[^a]: b\n[^a]: c\n"), "mine.md:2: there are two footnotes 'a'"));
}

TEST_CASE("Comments are left out wherever they stand but in code") {
  const Lecture lecture =
      lecture_of("a <!-- b --> c\n<!--\n# d\n--> e `<!-- f -->`\n\n```\n<!-- g -->\n```\n");
  REQUIRE(lecture.sections.size() == 1);
  CHECK(std::get<TextBlock>(lecture.sections[0].blocks.at(0).content).markdown ==
        "a  c\n\n\n e `<!-- f -->`\n\n```\n<!-- g -->\n```");
  CHECK(lecture.lines[0] == "a  c");
  CHECK(has_words(refusal("a\n\nb <!-- c\n"), "mine.md:3: the comment <!-- is not closed"));
}

TEST_CASE("A section's name stands in braces behind its title") {
  const Lecture lecture = lecture_of("# Heads {#heads .unnumbered}\n\na\n");
  CHECK(lecture.sections.at(0).title == "Heads");
  CHECK(lecture.sections.at(0).name == "heads");
}

}  // namespace attnlab
