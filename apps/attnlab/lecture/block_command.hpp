// What a block of a lecture asks for: its command, read as the command line reads it.
#pragma once

#include "attnlab/experiment/experiment_request.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

/// Who chooses between light and dark.
enum class ThemeBy { reader, look };

/// Of the block's run.
enum class Shown { figures, sliders, film, report, explanation, program, formula, claim };

struct BlockCommand {
  Shown shown = Shown::figures;
  ExperimentRequest request;  // of all but a claim; its figure is "" for all of them
  std::optional<Swept> over;  // of a film; without it the film is a training's
  std::string claim;          // the id
  ThemeBy chooser = ThemeBy::reader;
};

/// The lecture's look stands behind the block's own; names of files count from the lecture's folder. Throws
/// Error (usage) as the command line does, and for flags that have no place in a document: the lecture says
/// where files go.
BlockCommand read_block(const CommandBlock& block, const Lecture& lecture);

/// Throws Error (failed) naming the line of the lecture's own look, where that cannot be read.
void check_look(const Lecture& lecture);

/// The same for the figure of a question, which names one figure and the stage to guess.
BlockCommand read_guess(const CommandBlock& block, const Lecture& lecture);

/// "there is no figure 'scater'; did you mean scatter?", as Error (usage).
[[noreturn]] void refuse_name(const Text& kind, const std::string& name,
                              const std::vector<std::string>& known);

}  // namespace attnlab
