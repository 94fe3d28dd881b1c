// What `attnlab sweep scaling --over high-dim=2:1024:log:40` is to do.
#pragma once

#include "attnlab/output/look.hpp"
#include "motion/film.hpp"
#include "sweep/sweep.hpp"

namespace attnlab {

struct SweepRequest {
  const Experiment* experiment = nullptr;
  Arguments arguments{{}};  // without what is swept
  SweepValues values;
  std::string words;                         // after --over, as typed
  std::string pattern;                       // "window:@", or "" when the value stands alone
  std::string figure;                        // "" for the main one
  std::vector<std::filesystem::path> files;  // empty: one in the folder for figures
  Pace pace;
  Course course = Course::forth;
  Repeat repeat = Repeat::for_ever;
  enum class Resolution { film, chosen };
  Resolution resolution = Resolution::film;  // chosen: by --size or --dpi
  Look look;
  Printing printing = Printing::report;
};

/// Throws Error (usage) without an experiment or a parameter that can be swept.
SweepRequest read_sweep_request(const ParsedCommand& parsed, Language language);

Ending run_sweep(const ParsedCommand& parsed, Language language);

}  // namespace attnlab
