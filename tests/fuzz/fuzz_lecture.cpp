// The documents of lectures, formulas and blocks' attributes in them: read, and written as a page and for
// pandoc, without their commands.
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "lecture/built_lecture.hpp"
#include "lecture/markdown.hpp"

namespace attnlab {
namespace {

/// An empty page in the place of a figure.
BuiltFigure blank() {
  const DisplayList page{100.0, 100.0, {}, {}};
  BuiltFigure figure;
  figure.wide = figure.narrow = {page, page};
  return figure;
}

/// What stands in the place of a block whose command is not carried out.
BuiltBlock built(const LectureBlock& block) {
  if (const auto* text = std::get_if<TextBlock>(&block.content))
    return BuiltText{markdown_html(text->markdown)};
  if (const auto* equation = std::get_if<EquationBlock>(&block.content))
    return BuiltEquation{equation->formula};
  if (const auto* question = std::get_if<QuestionBlock>(&block.content))
    return BuiltQuestion{
        markdown_html(question->question.markdown), markdown_html(question->answer.markdown), {}};
  if (const auto* steps = std::get_if<StepsBlock>(&block.content))
    return BuiltSteps{std::vector<BuiltFigure>(steps->steps.size(), blank())};
  if (const auto* command = std::get_if<CommandBlock>(&block.content))
    return BuiltCode{command->words.front(), command->attributes.name};
  return BuiltBreak{};
}

void read_and_write(std::string_view document) {
  Lecture lecture = parse_lecture(document, "fuzz.md");
  std::vector<BuiltSection> sections;
  for (LectureSection& section : lecture.sections) {
    sections.push_back({section.title, {}});
    for (LectureBlock& block : section.blocks) {
      if (auto* question = std::get_if<QuestionBlock>(&block.content)) question->guess.reset();
      sections.back().blocks.push_back(built(block));
    }
  }
  lecture_markdown(lecture, sections, ".svg");
  lecture_markdown(lecture, sections, "", "mark");
  lecture_html({lecture.language, lecture.title, lecture.author, std::move(sections), ""});
}

}  // namespace
}  // namespace attnlab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    attnlab::read_and_write(std::string(bytes, bytes + size));
  } catch (const attnlab::Error&) {
    return 0;
  }
  return 0;
}
