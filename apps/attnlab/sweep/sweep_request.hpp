// What `attnlab sweep scaling --over high-dim=2:1024:log:40` is to do.
#pragma once

#include "attnlab/output/look.hpp"
#include "attnlab/sweep/swept.hpp"
#include "motion/film.hpp"

namespace attnlab {

struct SweepRequest {
  const Experiment* experiment = nullptr;
  Arguments arguments{{}};  // without what is swept
  Swept over;
  std::string figure;                        // "" for the main one
  std::vector<std::filesystem::path> files;  // empty: one in the folder for figures
  std::vector<TypedFlag> typed;              // for its pace and course
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
