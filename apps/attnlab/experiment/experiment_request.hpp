// What a call such as `attnlab vectors --count 12 -o x.png` is to do.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "attnlab/command_line/parser.hpp"
#include "attnlab/experiment/saved_files.hpp"
#include "attnlab/experiment/show.hpp"
#include "attnlab/output/figure_files.hpp"
#include "attnlab/output/look.hpp"

namespace attnlab {

struct ExperimentRequest {
  const Experiment* experiment = nullptr;
  Arguments arguments{{}};
  OutputOptions output;
  Look look;
  Printing printing = Printing::report;
  std::vector<SavedArrays> saves;
  bool explains = false;                          // --explain, --explain-to
  std::size_t row = 0;                            // that is explained
  std::vector<std::filesystem::path> explain_to;  // .md or .tex
  std::vector<std::string> checks;                // FILE or STAGE=FILE
  std::optional<std::filesystem::path> steps;     // the folder for a figure per stage
  Showing showing = Showing::nothing;
  std::vector<Text> warnings;
};

/// Throws Error (usage) for what cannot be read, or does not go together.
ExperimentRequest read_experiment_request(const ParsedCommand& parsed, Language language);

/// Runs one experiment, of the table or over the user's files: everything is checked, then computed, then
/// laid out, then written, then printed.
Ending run_experiment(const ParsedCommand& parsed, Language language);

/// The experiment's own parameters, and --seed where it draws random numbers or not.
FlagGroup parameter_group(const Experiment& experiment);

/// What was typed for them.
Arguments read_arguments(const ParsedCommand& parsed, const Experiment& experiment);

}  // namespace attnlab
