// A lecture as its manifest describes it: sections of text, formulas, figures and questions.
#pragma once

#include "lecture/lecture_block.hpp"

namespace attnlab {

struct LectureSection {
  Text title;
  std::vector<LectureFigure> figures;  // of the blocks, in their order
  std::vector<LectureBlock> blocks;
};

/// What a build writes besides SHA256SUMS.
/// `code`, the programs of --code, is written where a manifest asks for it.
enum class LectureOutput { figures, html, captions, beamer, markdown, pptx, notebook, data, code };

struct Lecture {
  Text title = Text::same("");
  std::vector<Language> languages;   // the first is that of index.html
  std::vector<std::string> formats;  // of the figures: svg, pdf, png
  std::vector<LectureOutput> outputs;
  FlagTexts look;
  std::size_t look_line = 0;  // in the manifest, for messages
  std::vector<LectureSection> sections;
  std::filesystem::path folder;  // of the manifest: names of input files count from here
};

/// Reads a manifest in TOML; docs/lectures.md describes it. `file` is for messages. Throws Error (failed)
/// naming the line, for what is no TOML, for unknown keys (with those that there are), and for missing or
/// mistyped values.
Lecture parse_lecture(std::string_view toml, const std::filesystem::path& file);

/// A manifest that ships with the program.
struct ShippedLecture {
  std::string name;  // "book"
  std::string toml;
};
const std::vector<ShippedLecture>& shipped_lectures();

}  // namespace attnlab
