// A parameter with the values that it is to take, as `--over` and `--slide` spell it:
// "high-dim=2:1024:log:40".
#pragma once

#include "products/typed_command.hpp"
#include "sweep/sweep.hpp"

namespace attnlab {

struct Swept {
  SweepValues values;
  std::string words;    // behind the name, as typed
  std::string pattern;  // "window:@", or "" when the value stands alone
};

/// What stands behind `--flag`, with a pattern or "". Throws Error (usage) for a parameter that the
/// experiment has not, and as sweep_values does.
Swept read_swept(const Experiment& experiment, const std::string& flag, const std::string& typed,
                 const std::string& pattern);

/// The run's own value of a parameter, a default as the language has it.
std::string current_value(const Arguments& arguments, const Parameter& parameter, Language language);

/// The place of a run's own value among those of a slider, or of the nearest number; the middle for no
/// number.
std::size_t place_of(const std::vector<std::string>& values, const std::string& own);

/// A declared slider with the run's own value among the others, in order: in front of them where it is no
/// number. Its pattern is the run's own list. Nothing where the run has
/// several values that were typed.
std::optional<Swept> with_current_value(Swept slide, const Arguments& arguments, Language language);

/// "high-dim" of "high-dim=1:1024:log:40", or all of it.
std::string swept_name(const std::string& typed);

/// What was typed for a run whose parameters all have values but these, which stand behind `flag`.
std::vector<TypedFlag> typed_flags(const Arguments& arguments, const std::vector<Swept>& swept,
                                   const std::string& flag);

std::vector<std::string> numeric_parameters(const Experiment& experiment);

/// The hint "the numeric parameters of scaling are ..."; where there are none, which hold lists of numbers.
Text choose_parameter(const Experiment& experiment);

/// Throws Error (usage): the problem, and how values are given behind `flag`.
[[noreturn]] void refuse_without_values(const Experiment& experiment, const std::string& flag,
                                        const Text& problem);

}  // namespace attnlab
