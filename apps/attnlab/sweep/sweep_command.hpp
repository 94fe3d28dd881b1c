// What `attnlab sweep scaling --over high-dim=2:1024:log:40` is to film.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "products/sweep_film.hpp"

namespace attnlab {

/// Throws Error (usage) without an experiment or a parameter that can be swept.
SweptRun read_swept_run(const ParsedCommand& parsed, Language language);

}  // namespace attnlab
