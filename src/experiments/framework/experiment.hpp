// What an experiment is: a name, where it comes from, its parameters, and a pure function.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/framework/context.hpp"
#include "experiments/framework/parameter.hpp"
#include "results/report/report.hpp"

namespace attnlab {

struct Experiment {
  std::string name;  // the subcommand
  Text shows;        // one line for `attnlab list`
  Text source;       // document and figure: "教科書 図2.2.13, 2.2.14" / "textbook fig. 2.2.13, 2.2.14"
  std::vector<Parameter> parameters;
  /// Same arguments, same report (except what was measured by the context's clock). Throws Error (usage) for
  /// arguments that do not fit together.
  Report (*run)(const Arguments& arguments, const Context& context);
  /// A parameter that may be given as a bare word: `attnlab mistakes wrong-axis`. "" for none.
  std::string positional = {};
};

/// Every experiment, in book order: THE table. `list`, the subcommands, `all` and the tests read it.
const std::vector<Experiment>& experiments();

/// Runs an experiment and records its name and the parameters used in the report.
Report run(const Experiment& experiment, const Arguments& arguments,
           const Context& context = quiet_context());

}  // namespace attnlab
