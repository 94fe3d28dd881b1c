// What one call of attnlab is to do, checked as far as that is possible without doing it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "attnlab/output/figure_files.hpp"
#include "attnlab/output/render.hpp"
#include "attnlab/experiment/show.hpp"
#include "attnlab/sweep/sweep_request.hpp"
#include "experiments/framework/experiment.hpp"
#include "io/tensor_summary.hpp"
#include "verification/verify.hpp"

namespace attnlab {

/// What goes to standard output.
enum class Printing { report, explanation, json, nothing };

/// Whether the computation is written out (--explain, --explain-to).
enum class Explaining { nothing, steps };

/// --data FILE, or one array of it: --save-output FILE.
struct SavedArrays {
  std::filesystem::path file;
  std::string array;  // "" for all
};

struct Request {
  enum class Action { show_text, run_experiment, draw_all, verify, claims, inspect, sweep, build };

  Action action = Action::show_text;
  std::string text;                        // of show_text: help, the list, the version
  const Experiment* experiment = nullptr;  // of run_experiment and sweep
  std::optional<Arguments> arguments;      // of both, without what is swept
  Selection selection;                     // of verify
  std::string document;                    // of claims: "A" to "E", or "" for all
  std::string inspected;                   // of inspect: FILE or FILE:TENSOR
  Extent extent = Extent::quick;           // of inspect
  std::string lecture;                     // of build: a manifest, or the name of one that ships
  std::optional<SweepOptions> sweep;       // of sweep
  OutputOptions output;
  std::vector<SavedArrays> data;
  Explaining explaining = Explaining::nothing;
  std::size_t row = 0;                            // that is explained
  std::vector<std::filesystem::path> explain_to;  // .md or .tex
  std::vector<std::string> checks;                // FILE or STAGE=FILE
  std::optional<std::filesystem::path> steps;     // the folder for a figure per stage
  Look look;
  Showing showing = Showing::nothing;
  Printing printing = Printing::report;
  std::vector<Text> warnings;
};

/// `arguments` without the program's name; `language` is used unless --lang chooses. Throws Error (usage).
Request read_request(const std::vector<std::string>& arguments, Language language);

}  // namespace attnlab
