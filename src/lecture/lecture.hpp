// A lecture as its document describes it: sections of text, formulas, figures and questions, in one language.
#pragma once

#include "core/formula_document.hpp"
#include "core/text.hpp"
#include "lecture/block_attributes.hpp"
#include "plotting/colour/palette.hpp"

namespace attnlab {

/// A fenced block with a command line: ``` {.attnlab .say #name caption="..."}
struct CommandBlock {
  std::size_t line = 0;       // of the document, for messages
  std::size_t last_line = 0;  // the closing fence
  BlockAttributes attributes;
  std::vector<std::string> words;  // "vectors", "--figure", "arrows"; without "attnlab"
  bool on_slide = true;            // a deck shows it; or the page alone does
};

/// Figures of which one is shown at a time.
struct StepsBlock {
  std::string name;  // "" where none was given
  std::vector<CommandBlock> steps;
};

struct TextBlock {
  std::string markdown;
  std::size_t line = 0;  // at which it begins
  bool on_slide = false;
};

struct EquationBlock {
  Formula formula;
};

struct QuestionBlock {
  TextBlock question;
  TextBlock answer;
  std::size_t last_line = 0;               // closes it
  std::optional<CommandBlock> guess = {};  // a figure, and which of its numbers is to be guessed
};

/// A new page in print, a new slide.
struct BreakBlock {};

/// Those that the texts refer to, in that order; the last section's.
struct NotesBlock {
  std::vector<TextBlock> notes;
};

struct LectureBlock {
  std::size_t line = 0;
  std::variant<CommandBlock, StepsBlock, TextBlock, EquationBlock, QuestionBlock, BreakBlock, NotesBlock>
      content;
};

struct LectureSection {
  std::string title;  // "" before the first heading
  std::vector<LectureBlock> blocks;
  std::string name = {};  // of the heading, {#name}, or ""
};

struct Lecture {
  std::string title;
  std::string author;  // or ""
  Language language = Language::en;
  std::vector<std::string> formats;  // of the figures: svg, pdf, png
  std::vector<std::string> look;     // flags as they are typed, for all figures
  std::size_t look_line = 0;
  Theme theme = Theme::light;                // of that look: slides have it, too
  std::map<std::string, std::string> texts;  // of documents that pandoc makes: "author", "date", ...
  std::size_t front_lines = 0;               // before the first block
  std::vector<std::string> notes;            // names of footnotes, in the order of NotesBlock
  std::vector<LectureSection> sections;
  std::filesystem::path file;      // names of input files count from its folder
  std::vector<std::string> lines;  // of the document, without their ends
};

/// "lecture.md:10"; of a document that nobody has written, whose lines are 0, its name.
std::string place_of(const std::filesystem::path& file, std::size_t line);

/// Reads a document: Markdown (CommonMark) with a front matter, formulas, fenced blocks and divs;
/// docs/lectures.md describes it. Without `lang` it speaks `spoken`, else Japanese where it holds Japanese.
/// `file` is for messages. Throws Error (failed) naming the line.
Lecture parse_lecture(std::string_view markdown, const std::filesystem::path& file,
                      std::optional<Language> spoken = {});

}  // namespace attnlab
