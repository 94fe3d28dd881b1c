// An exercise on paper: A4 pages for a student, or the lecturer's answers.
#pragma once

#include "exercise/exercise.hpp"
#include "exercise/students.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

struct SheetPages {
  std::vector<Page> pages;
  std::vector<Text> warnings;  // of letters that no font has
};

/// Who solves it: a line with name and id, or where there is no student lines to write them on.
using Solver = std::optional<Student>;

/// The task with its steps, the numbers, and an empty grid for each asked array; as many pages as it takes.
SheetPages exercise_sheet(const Exercise& exercise, const Solver& solver, const std::string& command,
                          Language language);

/// The grids alone, filled in to 4 decimals.
SheetPages answer_sheet(const Exercise& exercise, const Solver& solver, const std::string& command,
                        Language language);

}  // namespace attnlab
