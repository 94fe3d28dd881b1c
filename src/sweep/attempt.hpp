// One run of a sweep, which may turn out not to be possible.
#pragma once

#include "core/error.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// The report, or the reason why the experiment does not take these arguments.
struct Attempt {
  std::optional<Report> report;
  std::optional<Error> refusal;
};

/// Throws Error (failed) when an invariant of the run does not hold.
Attempt attempt(const Experiment& experiment, const Arguments& arguments, const Context& context);

/// "3, 5, 6", or of a long list both ends: "3, 5, ..., 15".
std::string listed(const std::vector<std::string>& texts);

/// "no frame for high-dim = 1, 2: ...".
Text no_frame_for(const std::string& parameter, const std::vector<std::string>& values, const Error& refusal);

}  // namespace attnlab
