// What `attnlab sweep scaling --over high-dim=2:1024:log:40` is to do.
#pragma once

#include "attnlab/command_line/parser.hpp"
#include "products/sweep_film.hpp"

namespace attnlab {

struct SweepRequest {
  SweptRun film;
  std::vector<std::filesystem::path> files;  // empty: one in the folder for figures
  Printing printing = Printing::report;
};

/// Both throw Error (usage) without an experiment or a parameter that can be swept.
SweptRun read_swept_run(const ParsedCommand& parsed, Language language);
SweepRequest read_sweep_request(const ParsedCommand& parsed, Language language);

Ending run_sweep(const ParsedCommand& parsed, Language language);

}  // namespace attnlab
