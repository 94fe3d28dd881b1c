// Runs one experiment, and writes what was asked for; everything else has a file of its own.
#include "attnlab/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>

#include "attnlab/experiment/check_files.hpp"
#include "attnlab/terminal/console.hpp"
#include "attnlab/run_all.hpp"
#include "attnlab/run_build.hpp"
#include "attnlab/run_claims.hpp"
#include "attnlab/run_inspect.hpp"
#include "attnlab/run_steps.hpp"
#include "attnlab/run_sweep.hpp"
#include "attnlab/run_targets.hpp"
#include "attnlab/verify/verify_command.hpp"
#include "attnlab/experiment/saved_files.hpp"
#include "attnlab/targets.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/check_json.hpp"
#include "io/report_files.hpp"
#include "plotting/text/text_measure.hpp"
#include "results/check/check_text.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// Paints and writes one file after the other, so that one picture at a time is in memory.
std::vector<fs::path> write_figures(const Rendering& rendering, const Request& request) {
  if (writes_folder(request.output) && !rendering.files.empty()) create_folder(folder_of(request.output));
  std::vector<fs::path> paths;
  for (const RenderedFile& file : rendering.files) {
    write_file(file.path, paint(file, request.look));
    paths.push_back(file.path);
  }
  return paths;
}

void write_steps(const Rendering& steps, const Request& request, std::vector<fs::path>& paths) {
  create_folder(*request.steps);
  for (const RenderedFile& file : steps.files) {
    write_file(file.path, paint(file, request.look));
    paths.push_back(file.path);
  }
}

void tell_left_out(const std::vector<std::string>& left_out, const std::string& experiment,
                   Language language) {
  if (left_out.empty()) return;
  const std::string others = fmt::format("--figure {}", fmt::join(left_out, ", --figure "));
  write_note({fmt::format("{} にはほかの図もあります: {}（すべてなら --figure all）", experiment, others),
              fmt::format("{} has more figures; also: {} (or --figure all)", experiment, others)},
             language);
}

/// What a run says, apart from the files that it writes.
struct Findings {
  std::optional<Explanation> explanation;
  CheckedFiles checked;
};

Findings find_out(const Report& report, const Request& request) {
  Findings findings;
  if (request.explaining == Explaining::steps) {
    findings.explanation = explain(report, request.experiment->shows, request.row);
  }
  findings.checked = check_files(report, request.checks);
  return findings;
}

std::string json_of(const Report& report, const Findings& findings, const std::vector<fs::path>& figures) {
  if (!findings.checked.checks.empty()) return check_json(report, findings.checked.checks);
  return report_json(report, figures, findings.explanation);
}

/// For people: the verdict on the student's arrays, the explanation, or the report.
std::string text_of(const Report& report, const Findings& findings, const Request& request) {
  const Language language = request.look.language;
  if (!findings.checked.checks.empty()) {
    return check_text(findings.checked.checks, language, output_colouring());
  }
  if (request.printing == Printing::explanation) {
    return explanation_text(*findings.explanation, language, output_colouring());
  }
  return to_terminal(report, language, output_colouring());
}

void print(const Report& report, const Findings& findings, const ShownFigures& shown,
           const std::vector<fs::path>& figures, const Request& request) {
  if (request.printing == Printing::nothing) return;
  if (request.printing == Printing::json) {
    write_output(json_of(report, findings, figures));
    return;
  }
  std::vector<fs::path> paths = files_of(request.data);
  paths.insert(paths.end(), request.explain_to.begin(), request.explain_to.end());
  paths.insert(paths.end(), figures.begin(), figures.end());
  const std::string text = text_of(report, findings, request) + shown.text;
  write_output(paths.empty() ? text : text + "\n" + lines_of(paths));
}

/// The run, with a progress bar where the experiment reports progress: only one that measures does.
Report run_with_clock(const Request& request) {
  ProgressBar bar;
  const Experiment& experiment = *request.experiment;
  const Context context{steady_seconds, [&](double fraction) { bar.show(fraction, experiment.name); },
                        on_all_processors()};
  return run(experiment, *request.arguments, context);
}

/// The fonts of the figures are opened meanwhile: that takes as long as many an experiment.
Report run_while_fonts_open(const Request& request, Showing showing) {
  const bool draws = request.output.drawing == Drawing::figures || shows_pixels(showing);
  if (!draws) return run_with_clock(request);
  std::future<Report> report = std::async(std::launch::async, [&request] { return run_with_clock(request); });
  open_fonts();
  return report.get();
}

Outcome verdict(const Findings& findings) {
  const std::vector<Check>& checks = findings.checked.checks;
  return std::all_of(checks.begin(), checks.end(), agrees) ? Outcome::done : Outcome::disagreement;
}

Outcome run_experiment(const Request& request) {
  check_before_run(request);
  const Showing showing = resolved(request.showing);
  Report report = as_drawn(run_while_fonts_open(request, showing), *request.experiment, request.look);
  const Findings findings = find_out(report, request);
  const OutputPlan plan = checked_plan(report, request, findings.checked.files);
  const Rendering rendering = render(report, plan, request.look);
  const Rendering steps = request.steps ? render_steps(report, request) : Rendering{};
  const ShownFigures shown = show_figures(report, request.output, request.look, showing);
  std::vector<std::string> saved;  // before the first is written: an array may be missing
  for (const SavedArrays& arrays : request.data) saved.push_back(contents(arrays, report));
  write_warnings(request.warnings, request.look.language);
  write_warnings(report.warnings, request.look.language);
  write_warnings(findings.checked.warnings, request.look.language);
  write_warnings(rendering.warnings, request.look.language);
  write_warnings(steps.warnings, request.look.language);
  if (rendering.files.empty()) write_warnings(shown.warnings, request.look.language);
  for (std::size_t i = 0; i < saved.size(); ++i) write_file(request.data[i].file, saved[i]);
  for (const fs::path& file : request.explain_to) {
    write_file(file, explanation_writer(file)(*findings.explanation, request.look.language));
  }
  std::vector<fs::path> figures = write_figures(rendering, request);
  if (request.steps) write_steps(steps, request, figures);
  tell_left_out(plan.files.empty() ? shown.left_out : plan.left_out, report.experiment,
                request.look.language);
  print(report, findings, shown, figures, request);
  return verdict(findings);
}

}  // namespace

Outcome carry_out(const Request& request) {
  switch (request.action) {
    case Request::Action::show_text:
      write_output(request.text);
      break;
    case Request::Action::run_experiment:
      return run_experiment(request);
    case Request::Action::draw_all:
      run_all(request);
      break;
    case Request::Action::verify:
      run_verify(request.selection, request.printing, request.look.language);
      break;
    case Request::Action::inspect:
      run_inspect(request.inspected, request.extent, request.printing, request.look.language);
      break;
    case Request::Action::build:
      run_build(request.lecture, *request.output.folder, request.look.language, request.printing);
      break;
    case Request::Action::sweep:
      run_sweep(request);
      break;
    case Request::Action::claims:
      run_claims(request.document, request.printing, request.look.language);
      break;
  }
  return Outcome::done;
}

}  // namespace attnlab
