// What a call such as `attnlab vectors --count 12 -o x.png` is to do, and the parts of doing it.
#pragma once

#include "attnlab/output/figure_flags.hpp"
#include "attnlab/output/look_flags.hpp"
#include "catalogue/input_files.hpp"
#include "products/check_files.hpp"
#include "products/product.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {

/// The whole report, or --brief.
enum class Reading { whole, brief };

struct ExperimentRequest {
  Run run;
  Look look;
  OutputOptions output;
  Printing printing = Printing::report;
  Reading reading = Reading::whole;
  InvariantLines invariants = InvariantLines::one;
  bool explains = false;            // --explain
  std::size_t row = 0;              // that is explained
  std::optional<Library> code;      // --code
  std::vector<std::string> checks;  // FILE or STAGE=FILE
  std::vector<Product> products;    // in the order in which they are written and named
  bool shows = false;               // --show
};

/// The experiment and its arguments, its files open. Like all that follow, it throws Error (usage) for what
/// cannot be read, or does not go together.
Run read_run(const ParsedCommand& parsed);

/// With a page's sliders, of which each value opens its own files.
std::pair<Run, PageRequest> read_page_run(const ParsedCommand& parsed, Language language);

/// The row of --explain, and the library of --code.
std::size_t read_row(const ParsedCommand& parsed);
std::optional<Library> read_library(const ParsedCommand& parsed);

ExperimentRequest read_experiment_request(const ParsedCommand& parsed, Language language);

/// Runs one experiment, of the table or over the user's files: everything is checked, then computed, then
/// laid out, then written, then printed.
Ending run_experiment(const ParsedCommand& parsed, Language language);

/// Sets what stands behind `sweep`, `explore` and `exercise`: any experiment of the table; or this one, whose
/// parameters follow the command's first group.
Command with_experiment(Command command, const Experiment* experiment);

/// What was typed for them, the files of --input read.
Arguments read_arguments(const ParsedCommand& parsed, const Experiment& experiment);

}  // namespace attnlab
