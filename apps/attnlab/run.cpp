// Runs one experiment or all of them, and writes what was asked for.
#include "attnlab/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>

#include "attnlab/check_files.hpp"
#include "attnlab/console.hpp"
#include "attnlab/page_size.hpp"
#include "attnlab/pdf_of_all.hpp"
#include "attnlab/run_build.hpp"
#include "attnlab/run_claims.hpp"
#include "attnlab/run_inspect.hpp"
#include "attnlab/run_steps.hpp"
#include "attnlab/run_sweep.hpp"
#include "attnlab/run_verify.hpp"
#include "attnlab/targets.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/check_json.hpp"
#include "io/report_files.hpp"
#include "io/tensor_file.hpp"
#include "plotting/text_measure.hpp"
#include "results/check_text.hpp"
#include "results/explanation.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

using DataWriter = std::string (*)(const Report&);

/// The writer for arrays that are saved. Throws Error (usage) for another extension.
DataWriter data_writer(const SavedArrays& saved) {
  const std::string extension = lower_case(saved.file.extension().string());
  if (extension == ".json") return arrays_json;
  if (extension == ".npz") return arrays_npz;
  if (extension == ".csv") return arrays_csv;
  if (extension == ".npy" && !saved.array.empty()) {
    return [](const Report& report) { return array_npy(report.stages.at(0).array); };
  }
  const std::string file = quotation(saved.file.string());
  const Text formats = saved.array.empty() ? Text{".json, .npz, .csv", ".json, .npz or .csv"}
                                           : Text{".json, .npz, .csv, .npy", ".json, .npz, .csv or .npy"};
  throw Error(ErrorKind::usage,
              {fmt::format("配列を保存する {} の拡張子では形式が決まりません", file),
               fmt::format("the extension of {}, for arrays, names no format", file)},
              {fmt::format("拡張子は {} のどれかにしてください", formats.ja()),
               fmt::format("end the name in {}", formats.en())});
}

/// What goes into the file. Throws Error (failed) when the run kept no such array.
std::string contents(const SavedArrays& saved, Report& report) {
  const DataWriter write = data_writer(saved);
  if (saved.array.empty()) return write(report);
  const auto found = std::find_if(report.stages.begin(), report.stages.end(),
                                  [&](const Stage& stage) { return stage.name == saved.array; });
  if (found == report.stages.end()) {
    throw Error(ErrorKind::failed,
                {fmt::format("{} は残していないので保存できません", saved.array),
                 fmt::format("the {} were not kept and cannot be saved", saved.array)},
                {"--weights keep を付けてください", "add --weights keep"});
  }
  Report one{report.experiment, report.parameters, {}, {}, {}, {}, {}};
  one.stages.push_back(std::move(*found));  // lent: an array may take most of the memory
  std::string bytes = write(one);
  *found = std::move(one.stages.front());
  return bytes;
}

std::vector<fs::path> files_of(const std::vector<SavedArrays>& saves) {
  std::vector<fs::path> files;
  files.reserve(saves.size());
  for (const SavedArrays& saved : saves) files.push_back(saved.file);
  return files;
}

using ExplanationWriter = std::string (*)(const Explanation&, Language);

/// The writer for an --explain-to file. Throws Error (usage) for another extension.
ExplanationWriter explanation_writer(const fs::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".md") return explanation_markdown;
  if (extension == ".tex") return explanation_latex;
  throw Error(ErrorKind::usage,
              {fmt::format("--explain-to {} の拡張子では形式が決まりません", quotation(file.string())),
               fmt::format("the extension of --explain-to {} names no format", quotation(file.string()))},
              {"拡張子は.md（Markdown）か .tex（LaTeX）にしてください",
               "end the name in .md (Markdown) or .tex (LaTeX)"});
}

/// Where figures go when no -o names their files.
fs::path folder_of(const OutputOptions& output) {
  return output.folder.value_or("figures");
}

bool writes_folder(const OutputOptions& output) {
  return output.drawing == Drawing::figures && output.files.empty();
}

/// The files that the experiment itself reads: those of `attend`. Words that name none do no harm here.
std::vector<fs::path> inputs_of(const Request& request) {
  std::vector<fs::path> files;
  if (!request.arguments) return files;
  for (const Parameter& parameter : request.arguments->parameters()) {
    if (!request.arguments->given(parameter.name)) continue;
    if (std::holds_alternative<FileKind>(parameter.kind)) {
      files.emplace_back(file_of(request.arguments->text(parameter.name)));
    } else if (std::holds_alternative<ItemsKind>(parameter.kind)) {
      for (const std::string& word : request.arguments->words(parameter.name))
        files.emplace_back(file_of(word));
    } else if (std::holds_alternative<SyntaxKind>(parameter.kind)) {
      files.emplace_back(request.arguments->text(parameter.name));
    }
  }
  return files;
}

/// What can be known before the run. The names of the figures cannot, so the files are checked again after
/// it.
void check_before_run(const Request& request) {
  std::vector<fs::path> targets = request.output.files;
  for (const SavedArrays& saved : request.data) targets.push_back(saved.file);
  targets.insert(targets.end(), request.explain_to.begin(), request.explain_to.end());
  check_distinct(targets);
  check_spares(targets, inputs_of(request));
  for (const fs::path& file : request.output.files) {
    const bool is_named_by_figure = request.output.figure == "all" && format_of(file) != Format::pdf;
    check_target(is_named_by_figure ? with_figure_name(file, "all") : file);
  }
  for (const SavedArrays& saved : request.data) {
    data_writer(saved);
    check_target(saved.file);
  }
  for (const fs::path& file : request.explain_to) {
    explanation_writer(file);
    check_target(file);
  }
  if (writes_folder(request.output)) check_folder(folder_of(request.output));
  if (request.steps) check_folder(*request.steps);
  const bool page_is_known = request.look.page || request.look.preset;
  if (page_is_known && writes(request.output, Format::png))
    check_pixels(page_of(request.look, {}), request.look.dpi);
}

/// The plan for this report's figures, its targets checked: none of them was `read`.
OutputPlan checked_plan(const Report& report, const Request& request, const std::vector<fs::path>& read) {
  std::vector<std::string> names;
  for (const Figure& figure : report.figures) names.push_back(figure.name);
  OutputPlan plan = plan_output(report.experiment, names, request.output);
  std::vector<fs::path> targets = files_of(request.data);
  targets.insert(targets.end(), request.explain_to.begin(), request.explain_to.end());
  for (PlannedFile& file : plan.files) {
    const bool names_itself = writes_folder(request.output);
    if (request.look.filling == Filling::blank && names_itself)
      file.path = with_figure_name(file.path, "blank");
    targets.push_back(file.path);
    if (writes_folder(request.output)) {
      check_target_below(folder_of(request.output), file.path);
    } else {
      check_target(file.path);
    }
  }
  check_distinct(targets);
  check_spares(targets, read);
  check_spares(targets, inputs_of(request));
  return plan;
}

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

struct DrawnExperiment {
  Rendering rendering;
  std::vector<std::string> bytes;  // of the rendering's files, where each figure gets its own
};

DrawnExperiment draw_experiment(const Experiment& experiment, const Request& request) {
  const Report report = as_drawn(run(experiment, Arguments(experiment.parameters)), experiment, request.look);
  DrawnExperiment drawn{render(report, checked_plan(report, request, {}), request.look), {}};
  if (!writes_folder(request.output)) return drawn;
  for (const RenderedFile& file : drawn.rendering.files) drawn.bytes.push_back(paint(file, request.look));
  return drawn;
}

/// Each processor draws one experiment after the other, with the fonts that it opened for its first.
std::vector<DrawnExperiment> draw_every_experiment(const Request& request) {
  std::vector<DrawnExperiment> drawn(experiments().size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "all"); });
  for_each(drawn.size(), [&](std::size_t i) { drawn[i] = draw_experiment(experiments()[i], request); });
  return drawn;
}

/// Nothing is written before everything is drawn, so that a page too small for one figure leaves nothing
/// behind.
std::vector<fs::path> write_every_figure(const std::vector<DrawnExperiment>& drawn, const Request& request) {
  std::vector<fs::path> paths;
  if (writes_folder(request.output)) create_folder(folder_of(request.output));
  for (const DrawnExperiment& experiment : drawn) {
    for (std::size_t i = 0; i < experiment.bytes.size(); ++i) {
      write_file(experiment.rendering.files[i].path, experiment.bytes[i]);
      paths.push_back(experiment.rendering.files[i].path);
    }
  }
  for (const fs::path& file : request.output.files) {  // one lecture at most
    std::vector<const Rendering*> renderings;
    renderings.reserve(drawn.size());
    for (const DrawnExperiment& experiment : drawn) renderings.push_back(&experiment.rendering);
    write_file(file, paint_lecture(renderings, request.look));
    paths.push_back(file);
  }
  return paths;
}

void draw_all(const Request& request) {
  check_before_run(request);
  const std::vector<DrawnExperiment> drawn = draw_every_experiment(request);
  const std::vector<fs::path> paths = write_every_figure(drawn, request);
  for (const DrawnExperiment& experiment : drawn)
    write_warnings(experiment.rendering.warnings, request.look.language);
  if (request.printing != Printing::nothing) write_output(lines_of(paths));
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
      draw_all(request);
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
