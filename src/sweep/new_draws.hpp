// Whether a sweep changes only what its parameter changes: random numbers stay where arrays grow at their
// ends (nested draws), or each value draws new ones, which its frames then say.
#pragma once

#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// The same run with nested draws, where one of the swept parameters is a size whose default goes together
/// with the other arguments.
Arguments with_nested_draws(const Experiment& experiment, const Arguments& arguments,
                            const std::vector<std::string>& swept);

/// The first numbers of the arrays that a run drew, by name, and whether its figures say that they are
/// nested.
struct Draws {
  std::map<std::string, Array> arrays = {};
  bool are_nested = false;
};
Draws draws_of(const Report& report);

/// Where an array of two runs that follow each other has not the same numbers, up to a factor, as far as both
/// reach, the captions of all figures say so. Where some figures say that draws are nested, all do.
void report_draws(const std::vector<Draws>& runs, std::vector<Figure>& figures);

}  // namespace attnlab
