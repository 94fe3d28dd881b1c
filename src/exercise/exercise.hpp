// A run as a problem to solve: what is given, in which steps to go on from it, and which arrays to hand in.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// Stages of a report's trace.
struct Exercise {
  Text title;
  std::vector<Stage> provided;  // printed with their numbers
  std::vector<Stage> steps;     // from there on, in order; those that are asked are among them
  std::vector<Stage> requested;
};

/// The arrays that may be asked where nobody chooses, the best first: `weights` and the results of a softmax,
/// else what can be told in words, from the last. None where the trace has none.
std::vector<std::string> questions(const Report& report);

/// Of a stage that a reader could not compute from a sentence (worked out by the experiment itself, from
/// nothing or in a way that takes a program) the numbers are given. Throws Error (usage) for an array that
/// the run has not, and for one that was given or measured: there is nothing to compute.
Exercise exercise_of(const Report& report, const Text& title, const std::vector<std::string>& requested);

/// More numbers are on no sheet: some seven pages.
constexpr std::size_t most_printed_cells = 2000;

/// How many numbers the sheet gives, or has places for.
std::size_t printed_cells(const Exercise& exercise);

/// To so many decimals; infinities and NaN stay.
double rounded(double value, int decimals);

/// The run with every array that it draws at random (and that --input could replace) rounded to so many
/// decimals: what is printed is then all that went into the result. Throws Error as run() does.
Report run_rounded(const Experiment& experiment, const Arguments& arguments, int decimals);

/// The task and the numbers as a report shows them on a terminal, without the answers.
std::vector<Block> exercise_body(const Exercise& exercise);

/// The numbers of an array as they are printed: as few digits as give them back exactly, at most eight after
/// the point; what rounding left of a zero is one; two minus signs never differ.
std::vector<std::string> printed_numbers(const Array& array);

}  // namespace attnlab
