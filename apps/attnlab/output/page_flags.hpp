// Pages with sliders as they are typed: `-o page.html --slide query-angle=0:350:36`.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "products/page_request.hpp"

namespace attnlab {

/// What a page shows: --figure, and the sliders of --slide or the experiment's own. Throws Error (usage) for
/// sliders that cannot be read, more than two of them, or more than 400 frames.
PageRequest read_sliders(const ParsedCommand& parsed, const Experiment& experiment);

/// What was typed with a pattern of --slide as its first value.
ParsedCommand without_patterns(ParsedCommand parsed, const PageRequest& page);

/// What stands behind `--flag`. A text with an @ under the parameter's own flag is the pattern. Throws Error
/// (usage) for a parameter that the experiment has not, for one that has a value already, and as sweep_values
/// does.
Swept read_swept(const ParsedCommand& parsed, const Experiment& experiment, const std::string& flag,
                 const std::string& typed);

}  // namespace attnlab
