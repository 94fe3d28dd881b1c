// The blocks of a lecture's section, in the order of the manifest: what a student reads one after the other.
#pragma once

#include "core/formula_document.hpp"
#include "core/one_of.hpp"
#include "core/text.hpp"

namespace attnlab {

/// Flags by name as they would be typed, without their dashes: {"high-dim", "100"}; a switch has "on".
using FlagTexts = std::map<std::string, std::string>;

/// An experiment with its parameters.
struct LectureRun {
  std::string experiment;
  FlagTexts parameters;
  std::size_t line = 0;  // in the manifest, for messages
};

struct LectureFigure : LectureRun {
  std::string figure;           // "" for all of them
  FlagTexts look;               // theme, preset, palette, ...: over those of the lecture
  std::optional<Text> caption;  // default: the figure's own
  std::string name;             // of its files; default: EXPERIMENT-FIGURE
};

/// One of the section's figures, by its place among them.
struct FigureBlock {
  std::size_t entry = 0;
};

/// Several of the section's figures, one shown at a time.
struct StepsBlock {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct TextBlock {
  Text markdown;
};

/// Typed in TeX, or that of a stage of a run.
struct EquationBlock {
  std::optional<Formula> typed;
  LectureRun run;
  std::string stage;
};

/// What a run says of itself.
enum class ReportPart { say, misunderstanding, note, table, explain };
struct ReportBlock {
  LectureRun run;
  std::vector<ReportPart> parts;
};

/// A run as a Python program.
enum class CodeLibrary { numpy, torch };
struct CodeBlock {
  LectureRun run;
  CodeLibrary library = CodeLibrary::numpy;
};

/// A sentence of the documents with what running it showed.
struct ClaimBlock {
  std::string id;  // "A-global-maximum"
};

/// A figure that moves: with sliders that the reader moves, or as a film. Empty where the experiment has its
/// own: its declared sliders, the film of a training.
struct SlidersBlock {
  LectureFigure figure;
  std::vector<std::string> slides;  // "query-angle=0:350:36"
};
struct FilmBlock {
  LectureFigure figure;
  std::string over;  // "high-dim=2:1024:log:40"
};

struct QuestionBlock {
  Text question;  // both in Markdown
  Text answer;
};

/// A new page in print.
struct BreakBlock {};

using BlockContent = std::variant<FigureBlock, StepsBlock, TextBlock, EquationBlock, ReportBlock, CodeBlock,
                                  ClaimBlock, SlidersBlock, FilmBlock, QuestionBlock, BreakBlock>;

struct LectureBlock {
  std::size_t line = 0;  // in the manifest, for messages
  BlockContent content;
};

}  // namespace attnlab
