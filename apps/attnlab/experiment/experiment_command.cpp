// Runs one experiment, and writes what was asked for; everything else has a file of its own.
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/watch.hpp"
#include "attnlab/terminal/console.hpp"
#include "attnlab/terminal/terminal_picture.hpp"
#include "io/interruption.hpp"
#include "io/report_files.hpp"
#include "products/blank_sheet.hpp"
#include "products/render.hpp"
#include "results/report/reading_order.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

void report_left_out(const std::vector<Made>& products, const std::string& experiment, Language language) {
  std::vector<std::string> left_out;
  for (const Made& made : products)
    left_out.insert(left_out.end(), made.left_out.begin(), made.left_out.end());
  if (left_out.empty()) return;
  const std::string others = fmt::format("--figure {}", joined(left_out, ", --figure "));
  write_note(attnlab::text("{} にはほかの図もあります: {}（すべてなら --figure all）",
                           "{} has more figures; also: {} (or --figure all)", experiment, others),
             language);
}

void report_interrupted(const std::vector<fs::path>& beside, Language language) {
  std::vector<std::string> names;
  names.reserve(beside.size());
  for (const fs::path& file : beside) names.push_back(file.string());
  const Text rest = attnlab::text("。すでにあるファイルはそのままにして、{} に書きました",
                                  "; what was there is kept, and this is beside it: {}", joined(names, ", "));
  write_note(attnlab::text("中断しました{}", "interrupted{}", names.empty() ? Text::none() : rest), language);
}

/// What a run says, apart from the files that it writes.
struct Findings {
  std::optional<Explanation> explanation;
  std::string program;  // in Python, printed
  CheckedFiles checked;
  std::optional<Exercise> exercise;  // --blank
};

/// For people: the verdict on the student's arrays, the explanation, the exercise, or the report.
std::string text_of(const Report& report, const Findings& findings, const ExperimentRequest& request) {
  const Language language = request.look.language;
  if (!findings.checked.checks.empty()) {
    return check_text(findings.checked.checks, language, output_colouring());
  }
  if (request.printing == Printing::explanation) {
    return explanation_text(*findings.explanation, language, output_colouring());
  }
  if (findings.exercise) return exercise_text(*findings.exercise, language, output_colouring());
  const std::string invariants =
      invariants_text(report.invariants, request.invariants, language, output_colouring());
  std::vector<Block> body =
      request.reading == Reading::brief ? in_brief(report.body) : in_reading_order(report.body);
  if (request.invariants != InvariantLines::each) body = without_matrices(body);
  return to_terminal(body, language, output_colouring()) + (invariants.empty() ? "" : "\n") + invariants;
}

/// What was written: of a json the pictures alone.
struct Written {
  std::vector<fs::path> all;
  std::vector<fs::path> pictures;
  std::vector<fs::path> beside;  // an earlier run's, of which it replaces none
};

void print(const Report& report, const Findings& findings, const std::string& shown, const Written& written,
           const ExperimentRequest& request) {
  if (request.printing == Printing::nothing) {
    return write_output((findings.checked.checks.empty() ? "" : text_of(report, findings, request)) + shown);
  }
  if (request.printing == Printing::code) return write_output(findings.program);
  if (request.printing == Printing::json) {
    write_output(findings.checked.checks.empty() ? report_json(report, written.pictures, findings.explanation)
                                                 : check_json(report, findings.checked.checks));
    return;
  }
  const std::string text = text_of(report, findings, request) + shown;
  write_output(written.all.empty() ? text : text + "\n" + lines_of(written.all));
}

/// Some seconds have shown that the whole will take ten minutes or more.
bool is_known_to_be_long(double seconds, double fraction) {
  constexpr double enough = 2.0;
  constexpr double is_long = 600.0;
  return seconds > enough && fraction > 0.0 && seconds / fraction > is_long;
}

/// Also where no progress bar is seen.
void announce(double seconds, const std::string& name, Language language) {
  const auto minutes = std::lround(seconds / 60.0);
  const Text time = minutes < 120 ? text("約 {} 分", "about {} minutes", minutes)
                                  : text("約 {} 時間", "about {} hours", minutes / 60);
  write_note(text("{} は{}かかる見込みです。Ctrl-C を押すと、そこまでの結果で終わります",
                  "{} will take {}; Ctrl-C ends it with what there is by then", name, time),
             language);
}

/// The run, with a progress bar where the experiment reports progress: only one that measures or learns
/// does. One that learns is asked by Ctrl-C to end with what it has.
Report run_with_clock(const ExperimentRequest& request) {
  std::optional<ProgressBar> bar;
  const Experiment& experiment = *request.run.experiment;
  if (request.printing != Printing::nothing || !experiment.may_be_stopped) bar.emplace();
  std::string state;
  const double began = steady_seconds();
  bool is_announced = false;
  const auto progress = [&](double fraction) {
    const double seconds = steady_seconds() - began;
    if (!is_announced && experiment.may_be_stopped && is_known_to_be_long(seconds, fraction)) {
      is_announced = true;
      if (bar) bar->clear();
      announce(seconds / fraction, experiment.name, request.look.language);
    }
    if (bar) bar->show(fraction, experiment.name + state);
  };
  const auto report_state = [&](const Text& text) { state = "  " + text.in(request.look.language); };
  Context context{steady_seconds, progress, on_all_processors(), report_state};
  if (!experiment.may_be_stopped) return run(experiment, request.run.arguments, context);
  const InterruptionRequest interruption;
  context.stops = InterruptionRequest::requested;
  Report report = run(experiment, request.run.arguments, context);
  const double seconds = steady_seconds() - began;
  if (bar) bar->clear();
  if (seconds >= 1.0)  // said, not reported: the same run takes another time
    write_note(text("{} に {:.1f} 秒かかりました", "{} took {:.1f} s", experiment.name, seconds),
               request.look.language);
  return report;
}

/// What can be known before the run. The names of the figures cannot, so the files are checked again after
/// it.
void check_before_run(const ExperimentRequest& request) {
  const std::vector<std::string>& figures = request.run.experiment->figures;
  if (!figures.empty() && !request.output.figure.empty())
    shown_indices(request.run.experiment->name, figures, request.output.figure);
  Targets targets;
  for (const Product& product : request.products) product.announce(targets);
  targets.spare(inputs_of(request.run.arguments));
  targets.check();
}

std::vector<Made> made_of(const ExperimentRequest& request, Report& report) {
  ProgressBar bar;
  const Progress progress = [&](double fraction) { bar.show(fraction, request.run.experiment->name); };
  std::vector<Made> made;
  for (const Product& product : request.products)
    made.push_back(product.make({request.run, request.look, report, progress}));
  return made;
}

/// All names together, as nothing is written yet. `read` are files of the run.
void check_names(const std::vector<Made>& products, const std::vector<fs::path>& read,
                 const ExperimentRequest& request) {
  Targets targets;
  std::vector<fs::path> paths;  // with standard output, which is one, too
  for (const Made& made : products) {
    for (const MadeFile& file : made.files) {
      paths.push_back(file.path);
      if (is_standard_output(file.path)) continue;
      if (made.folder) {
        targets.add_below(*made.folder, file.path);
      } else {
        targets.add(file.path);
      }
    }
  }
  check_distinct(paths);
  targets.spare(read);
  targets.spare(inputs_of(request.run.arguments));
  targets.check();
}

bool is_interrupted(const ExperimentRequest& request) {
  return request.run.experiment->may_be_stopped && InterruptionRequest::requested();
}

/// Of a run that was interrupted "d.unfinished.npz" in the place of a file that is there.
fs::path place_for(const fs::path& file, const ExperimentRequest& request) {
  std::error_code problem;
  if (!is_interrupted(request) || !fs::is_regular_file(file, problem)) return file;
  return fs::path(file).replace_extension(".unfinished" + file.extension().string());
}

Written write_all(const std::vector<Made>& products, const ExperimentRequest& request) {
  Written written;
  ProgressBar bar;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (products[i].folder) create_folder(*products[i].folder);
    for (const MadeFile& file : products[i].files) {
      const fs::path place = place_for(file.path, request);
      const std::string name = place.filename().string();
      const std::string bytes = file.bytes([&](double fraction) { bar.show(fraction, name); });
      bar.clear();
      write_target(place, bytes);
      written.all.push_back(place);
      if (place != file.path) written.beside.push_back(place);
      if (request.products[i].is_picture) written.pictures.push_back(place);
    }
  }
  return written;
}

Findings findings_of(const Report& report, const ExperimentRequest& request) {
  Findings findings;
  const bool prints_it = request.printing == Printing::explanation || request.printing == Printing::json;
  if (request.explains && prints_it)
    findings.explanation = explain(report, request.run.experiment->shows, request.row);
  if (request.printing == Printing::code)
    findings.program = printed_program(report, *request.code, request.look.language);
  findings.checked = check_files(report, request.checks, request.run);
  findings.exercise = blank_exercise(report, *request.run.experiment, request.look);
  return findings;
}

void write_every_warning(const Report& report, const Findings& findings, const std::vector<Made>& products,
                         const ExperimentRequest& request) {
  std::vector<Text> once;  // a page's runs may say what the report says
  for (const std::vector<Text>* warnings : {&report.warnings, &findings.checked.warnings})
    for (const Text& warning : *warnings) add_once(once, warning);
  for (const Made& made : products)
    for (const Text& warning : made.warnings) add_once(once, warning);
  for (const Text& warning : violations(report.invariants)) add_once(once, warning);
  write_warnings(once, request.look.language);
}

/// Of --show: the main figure, or those that --figure chooses. What is to be said of their pages, the files
/// say.
std::string shown_figures(const Report& report, const ExperimentRequest& request) {
  std::string text;
  if (!request.shows) return text;
  for (const std::size_t index :
       shown_indices(report.experiment, names_of(report.figures), request.output.figure))
    text += "\n" + terminal_picture(render_page(report.figures[index], "", request.look).page);
  return text;
}

struct CarriedOut {
  Ending ending;
  std::vector<fs::path> files;  // that were written
};

/// Everything is made, all names are checked, all is written, and told.
CarriedOut carry_out(const ExperimentRequest& request) {
  const Language language = request.look.language;
  check_before_run(request);
  Report report = as_drawn(run_with_clock(request), *request.run.experiment, request.look);
  const Findings findings = findings_of(report, request);
  const std::vector<Made> products = made_of(request, report);
  check_names(products, findings.checked.files, request);
  write_every_warning(report, findings, products, request);
  const Written written = write_all(products, request);
  if (is_interrupted(request)) report_interrupted(written.beside, language);
  report_left_out(products, report.experiment, language);
  print(report, findings, shown_figures(report, request), written, request);
  const std::vector<Check>& checks = findings.checked.checks;
  const bool agree = std::all_of(checks.begin(), checks.end(), agrees);
  const bool is_whole =
      std::none_of(products.begin(), products.end(), [](const Made& made) { return made.is_incomplete; });
  if (is_interrupted(request)) return {Ending::interrupted, written.all};
  const bool is_done = agree && all_hold(report.invariants) && is_whole;
  return {is_done ? Ending::done : Ending::disagreement, written.all};
}

}  // namespace

Ending run_experiment(const ParsedCommand& parsed, Language language) {
  if (!parsed.is_set("watch")) return carry_out(read_experiment_request(parsed, language)).ending;
  const auto make = [&](bool is_first, Watched& watched) {
    ExperimentRequest request = read_experiment_request(parsed, language);
    if (!is_first) request.printing = Printing::nothing;
    watched = {inputs_of(request.run.arguments)};
    require_files(watched.inputs);
    watched.made = carry_out(request).files;
    const std::vector<fs::path> pages = typed_files(parsed).pages;
    if (!pages.empty()) watched.page = pages.back();
  };
  return watch(make, language);
}

}  // namespace attnlab
