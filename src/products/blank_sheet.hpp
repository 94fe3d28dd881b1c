// --blank by itself: the figures are empty, and what is printed is the task with its numbers, not the
// answers.
#pragma once

#include "exercise/exercise.hpp"
#include "products/render.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

/// The exercise of a run that is drawn blank; nothing without --blank, and for a report that computes
/// nothing.
std::optional<Exercise> blank_exercise(const Report& report, const Experiment& experiment, const Look& look);

/// In place of the report. More numbers than fit on paper are left to --data, which the text says.
std::string exercise_text(const Exercise& exercise, Language language, Colouring colouring);

/// A pdf gets the sheet as pages behind its figures.
void add_sheet(Rendering& rendering, const Exercise& exercise, const std::string& command, Language language);

}  // namespace attnlab
