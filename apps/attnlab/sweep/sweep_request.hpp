// What `attnlab sweep` is asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "attnlab/command_line/parser.hpp"
#include "motion/film.hpp"
#include "motion/pace.hpp"
#include "sweep/sweep_values.hpp"

namespace attnlab {

enum class FilmFormat { gif, webp, apng };

/// The format that a film's extension asks for. Throws Error (usage) naming the three.
FilmFormat film_format_of(const std::filesystem::path& file);

struct SweepOptions {
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
};

/// `attnlab sweep scaling` knows the flags of scaling: puts them into the command `sweep`.
void name_swept_experiment(std::vector<Command>& commands, const std::vector<std::string>& arguments);

/// Throws Error (usage) without an experiment or a parameter that can be swept.
SweepOptions read_sweep(const ParsedCommand& parsed, const std::vector<Command>& commands);

/// Without the flag whose value is swept: what was typed there is a pattern.
ParsedCommand without_swept(ParsedCommand parsed);

}  // namespace attnlab
