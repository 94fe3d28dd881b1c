// Runs one experiment, and writes what was asked for; everything else has a file of its own.
#include <future>

#include "attnlab/exercise/blank_sheet.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/film.hpp"
#include "attnlab/page/experiment_page.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/learned_model.hpp"
#include "io/report_files.hpp"
#include "io/tensor_file.hpp"
#include "plotting/text/text_measure.hpp"
#include "results/report/reading_order.hpp"
#include "sweep/sweep.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

// --- Arrays and explanations as files: the extension chooses the format

using DataWriter = std::string (*)(const Report&);
using ExplanationWriter = std::string (*)(const Explanation&, Language);

std::string extension_in_lower_case(const fs::path& file) {
  return lower_case(file.extension().string());
}

/// The writer for arrays that are saved. Throws Error (usage) for another extension.
DataWriter data_writer(const SavedArrays& saved) {
  const std::string extension = extension_in_lower_case(saved.file);
  if (extension == ".json") return arrays_json;
  if (extension == ".npz") return arrays_npz;
  if (extension == ".csv") return arrays_csv;
  if (extension == ".npy" && !saved.array.empty()) {
    return [](const Report& report) { return array_npy(report.stages.at(0).array); };
  }
  const std::string file = quotation(saved.file.string());
  const Text formats = saved.array.empty() ? Text{".json, .npz, .csv", ".json, .npz or .csv"}
                                           : Text{".json, .npz, .csv, .npy", ".json, .npz, .csv or .npy"};
  refuse_usage(text("配列を保存する {} の拡張子では形式が決まりません",
                    "the extension of {}, for arrays, names no format", file),
               text("拡張子は {} のどれかにしてください", "end the name in {}", formats));
}

/// What goes into the file; the report is as before afterwards. Throws Error (failed) when the run kept no
/// such array.
std::string contents(const SavedArrays& saved, Report& report) {
  const DataWriter write = data_writer(saved);
  if (saved.array.empty()) return write(report);
  Stage* found = find_named(report.stages, saved.array);
  if (found == nullptr) {
    refuse_failed(
        text("{} は残していないので保存できません", "the {} were not kept and cannot be saved", saved.array),
        {"--weights keep を付けてください", "add --weights keep"});
  }
  Report one{report.experiment, report.parameters, {}, {}, {}, {}, {}};
  one.stages.push_back(std::move(*found));  // lent: an array may take most of the memory
  std::string bytes = write(one);
  *found = std::move(one.stages.front());
  return bytes;
}

/// The writer for an --explain-to file. Throws Error (usage) for another extension.
ExplanationWriter explanation_writer(const fs::path& file) {
  const std::string extension = extension_in_lower_case(file);
  if (extension == ".md") return explanation_markdown;
  if (extension == ".tex") return explanation_latex;
  refuse_usage(text("--explain-to {} の拡張子では形式が決まりません",
                    "the extension of --explain-to {} names no format", quotation(file.string())),
               {"拡張子は.md（Markdown）か .tex（LaTeX）にしてください",
                "end the name in .md (Markdown) or .tex (LaTeX)"});
}

/// Where a flag's files have one ending. Throws Error (usage) for another one.
void check_ending(const std::string& flag, const std::vector<fs::path>& files, const std::string& ending) {
  for (const fs::path& file : files) {
    if (extension_in_lower_case(file) == ending) continue;
    refuse_usage(text("--{} {} は {} ではありません", "--{} {} does not end in {}", flag,
                      quotation(file.string()), ending),
                 text("拡張子は {} にしてください", "end the name in {}", ending));
  }
}

// --- The run

/// What is written as it stands.
struct SavedText {
  fs::path path;
  std::string bytes;
};

/// The programs of --code-to, and beside each the arrays that it loads. Throws Error (usage) where many
/// values are to be printed.
std::vector<SavedText> saved_programs(const Report& report, const ExperimentRequest& request) {
  std::vector<SavedText> files;
  if (!request.code) return files;
  Report arrays;
  arrays.stages = report.no_program ? std::vector<Stage>{} : arrays_beside(report);
  const bool beside = !arrays.stages.empty();
  if (beside && request.code_to.empty()) {
    refuse_usage(
        {"--code のプログラムに書く値が多すぎます", "the program of --code has too many values to write out"},
        {"--code-to FILE.py なら FILE.arrays.npz に保存して読み込みます",
         "--code-to FILE.py loads them from FILE.arrays.npz, written beside it"});
  }
  for (const fs::path& file : request.code_to) {
    files.push_back({file, python_program(report, *request.code, request.look.language, command_of(report),
                                          beside ? ProgramValues::beside : ProgramValues::written)});
    if (beside) files.push_back({fs::path(file).replace_extension(".arrays.npz"), arrays_npz(arrays)});
  }
  return files;
}

/// The files that take arrays and explanations, and those that must not be overwritten.
void add_saves(const ExperimentRequest& request, const std::vector<fs::path>& read, Targets& targets) {
  for (const SavedArrays& saved : request.saves) targets.add(saved.file);
  targets.add(request.explain_to);
  targets.add(request.code_to);
  targets.add(request.save_model);
  targets.add(request.films);
  targets.add(request.page.files);
  targets.spare(read);
  targets.spare(inputs_of(request.arguments));
}

/// What can be known before the run. The names of the figures cannot, so the files are checked again after
/// it.
void check_before_run(const ExperimentRequest& request) {
  const std::vector<std::string>& figures = request.experiment->figures;
  if (!figures.empty() && !request.output.figure.empty())
    shown_indices(request.experiment->name, figures, request.output.figure);
  for (const SavedArrays& saved : request.saves) data_writer(saved);
  for (const fs::path& file : request.explain_to) explanation_writer(file);
  check_ending("code-to", request.code_to, ".py");
  check_ending("save-model", request.save_model, ".safetensors");
  for (const fs::path& file : request.films) film_format_of(file);
  Targets targets;
  add_figures(request.output, targets);
  add_saves(request, {}, targets);
  if (request.steps) targets.add_folder(*request.steps);
  targets.check();
  check_pixels(request.output, request.look);
}

/// --steps: a page per stage and format. Throws Error (failed) when the experiment has no weights to lead up
/// to or its matrices are too large to be drawn side by side.
Rendering render_steps(const Report& report, const ExperimentRequest& request) {
  Report steps;
  steps.experiment = report.experiment;
  steps.parameters = report.parameters;
  steps.figures = step_figures(report);
  if (steps.figures.empty()) {
    refuse_failed(
        text("{} には --steps で描ける段階がありません", "{} has no stages that --steps could draw",
             report.experiment),
        {"クエリから注意度までを 48 行 48 列以下で計算する実験（self-attention, masks, heads など）で使えます",
         "it is for experiments that go from queries to weights in at most 48 rows and columns, such as self-attention, masks or heads"});
  }
  OutputPlan plan;
  plan.asked = {{"steps", request.steps->filename().string()}};
  const std::vector<Format> formats =
      request.output.formats.empty() ? std::vector{Format::png} : request.output.formats;
  for (std::size_t i = 0; i < steps.figures.size(); ++i) {
    for (const Format format : formats) {
      plan.files.push_back({*request.steps / (steps.figures[i].name + extension_of(format)), format, {i}});
    }
  }
  return render(steps, plan, request.look);
}

/// --film: what the run kept on its way. Throws Error (failed) where it kept nothing.
void write_films(const Report& report, const ExperimentRequest& request) {
  if (request.films.empty()) return;
  if (report.film.empty()) {
    refuse_failed({"学習していないので、--film で描く経過がありません",
                   "nothing was trained, so there is no course for --film"},
                  {"--model を外してください", "leave --model out"});
  }
  constexpr double seconds = 5.0;
  const std::vector<Figure> frames = aligned(report.film);
  Look look = request.look;
  const PageSize page = page_of(look, frames.front().page);
  if (!look.page && !look.preset) look.dpi = film_dpi(page);
  check_film_pixels(page, look.dpi);
  const FrameLayouts layouts(frames, look);
  const Sequence sequence = sequence_of(frames.size(), Course::forth, {std::nullopt, seconds});
  const Figure& last = frames.back();
  Film film{sequence.pictures.size(),
            {},
            sequence.centiseconds,
            Repeat::for_ever,
            look.dpi,
            {last.title.in(look.language), last.description.in(look.language), code_of(look.language), ""}};
  ProgressBar bar;
  for (const fs::path& file : request.films) {
    film.metadata.command = drawing_command(
        command_with(command_of(report), {{"film", "film" + film_format_of(file).extension}}), "", look);
    write_film(file, film, layouts, sequence, 0.0, bar);
  }
}

/// The page; none where no file is to hold it.
WrittenPage page_of(const ExperimentRequest& request, const Report& report) {
  if (request.page.files.empty()) return {};
  ProgressBar bar;
  return experiment_page(request, report,
                         [&](double fraction) { bar.show(fraction, request.experiment->name); });
}

std::vector<fs::path> written_by(const Rendering& figures, const Rendering& steps) {
  std::vector<fs::path> paths;
  for (const Rendering* rendering : {&figures, &steps}) {
    for (const RenderedFile& file : rendering->files) paths.push_back(file.path);
  }
  return paths;
}

/// What a run says, apart from the files that it writes.
struct Findings {
  std::optional<Explanation> explanation;
  std::string program;  // in Python, printed
  CheckedFiles checked;
  std::optional<Exercise> exercise;  // --blank
};

/// Arrays, explanations, programs and models. Throws Error where one of them cannot be made.
std::vector<SavedText> saved_texts(Report& report, const Findings& findings, std::vector<SavedText> programs,
                                   const ExperimentRequest& request) {
  std::vector<SavedText> files;
  for (const SavedArrays& arrays : request.saves) files.push_back({arrays.file, contents(arrays, report)});
  for (const fs::path& file : request.explain_to)
    files.push_back({file, explanation_writer(file)(*findings.explanation, request.look.language)});
  std::move(programs.begin(), programs.end(), std::back_inserter(files));
  for (const fs::path& file : request.save_model)
    files.push_back({file, model_safetensors(report, command_of(report))});
  return files;
}

void tell_left_out(const std::vector<std::string>& left_out, const std::string& experiment,
                   Language language) {
  if (left_out.empty()) return;
  const std::string others = fmt::format("--figure {}", joined(left_out, ", --figure "));
  write_note(attnlab::text("{} にはほかの図もあります: {}（すべてなら --figure all）",
                           "{} has more figures; also: {} (or --figure all)", experiment, others),
             language);
}

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
  const bool is_brief = request.reading == Reading::brief;
  const std::vector<Block> body = is_brief ? in_brief(report.body) : in_reading_order(report.body);
  return to_terminal(body, language, output_colouring()) + (invariants.empty() ? "" : "\n") + invariants;
}

void print(const Report& report, const Findings& findings, const ShownFigures& shown,
           const std::vector<SavedText>& texts, const std::vector<fs::path>& figures,
           const ExperimentRequest& request) {
  if (request.printing == Printing::nothing) {
    return write_output(findings.checked.checks.empty() ? "" : text_of(report, findings, request));
  }
  if (request.printing == Printing::code) return write_output(findings.program);
  if (request.printing == Printing::json) {
    write_output(findings.checked.checks.empty() ? report_json(report, figures, findings.explanation)
                                                 : check_json(report, findings.checked.checks));
    return;
  }
  std::vector<fs::path> paths(texts.size());
  std::transform(texts.begin(), texts.end(), paths.begin(), [](const SavedText& file) { return file.path; });
  paths.insert(paths.end(), request.films.begin(), request.films.end());
  paths.insert(paths.end(), figures.begin(), figures.end());
  const std::string text = text_of(report, findings, request) + shown.text;
  write_output(paths.empty() ? text : text + "\n" + lines_of(paths));
}

/// The run, with a progress bar where the experiment reports progress: only one that measures or learns
/// does. One that learns is asked by Ctrl-C to end with what it has.
Report run_with_clock(const ExperimentRequest& request) {
  std::optional<ProgressBar> bar;
  const Experiment& experiment = *request.experiment;
  if (request.printing != Printing::nothing || !experiment.may_be_stopped) bar.emplace();
  std::string state;
  const auto progress = [&](double fraction) {
    if (bar) bar->show(fraction, experiment.name + state);
  };
  const auto tell = [&](const Text& text) { state = "  " + text.in(request.look.language); };
  Context context{steady_seconds, progress, on_all_processors(), tell};
  if (!experiment.may_be_stopped) return run(experiment, request.arguments, context);
  const InterruptionAsks asks;
  context.stops = InterruptionAsks::asked;
  return run(experiment, request.arguments, context);
}

/// A model whose training was stopped does not take the place of a finished one: it goes beside that,
/// "m.unfinished.safetensors", and the program ends with 1. Whether it was.
bool sets_unfinished_aside(ExperimentRequest& request, const Report& report) {
  if (request.save_model.empty() || report.model->metadata.count("stopped") == 0) return false;
  for (fs::path& file : request.save_model) {
    const fs::path asked = file;
    file.replace_extension(".unfinished" + asked.extension().string());
    request.warnings.push_back(
        attnlab::text("学習が終わっていないので、モデルは {1} に保存し、{0} は書きません",
                      "the training is unfinished: the model goes to {1}, and {0} is not written",
                      quotation(asked.string()), quotation(file.string())));
  }
  return true;
}

/// The fonts of the figures are opened meanwhile: that takes as long as many an experiment.
Report run_while_fonts_open(const ExperimentRequest& request, Showing showing) {
  const bool draws = request.output.drawing == Drawing::figures || shows_pixels(showing);
  if (!draws) return run_with_clock(request);
  std::future<Report> report = std::async(std::launch::async, [&request] { return run_with_clock(request); });
  open_fonts();
  return report.get();
}

}  // namespace

std::vector<fs::path> inputs_of(const Arguments& arguments) {
  std::vector<fs::path> files;
  for (const Parameter& parameter : arguments.parameters()) {
    if (!arguments.given(parameter.name)) continue;
    if (std::holds_alternative<FileKind>(parameter.kind))
      files.emplace_back(file_of(arguments.text(parameter.name)));
    if (parameter.name != "input" || !std::holds_alternative<ItemsKind>(parameter.kind)) continue;
    for (const std::string& word : arguments.words(parameter.name))
      files.emplace_back(file_of(word.substr(word.find('=') + 1)));  // NAME=FILE
  }
  if (arguments.files())
    files.insert(files.end(), arguments.files()->names.begin(), arguments.files()->names.end());
  return files;
}

Ending run_experiment(const ParsedCommand& parsed, Language language) {
  ExperimentRequest request = read_experiment_request(parsed, language);
  check_before_run(request);
  const Showing showing = resolved(request.showing);
  Report report = as_drawn(run_while_fonts_open(request, showing), *request.experiment, request.look);
  const bool is_unfinished = sets_unfinished_aside(request, report);
  Findings findings;
  if (request.explains) findings.explanation = explain(report, request.experiment->shows, request.row);
  std::vector<SavedText> programs = saved_programs(report, request);
  if (request.printing == Printing::code) {
    findings.program = python_program(report, *request.code, language, command_of(report));
  }
  findings.checked = check_files(report, request.checks);
  find_other_seeds(findings.checked.checks, *request.experiment, request.arguments);
  Targets saves;
  add_saves(request, findings.checked.files, saves);
  for (const SavedText& program : programs) {
    if (program.path.extension() == ".npz") saves.add(program.path);
  }
  const OutputPlan plan = checked_plan(report, request.output, request.look, saves);
  Rendering rendering = render(report, plan, request.look);
  findings.exercise = blank_exercise(report, *request.experiment, request.look);
  if (findings.exercise)
    add_sheet(rendering, *findings.exercise, drawing_command(command_of(report), "", request.look), language);
  const Rendering steps = request.steps ? render_steps(report, request) : Rendering{};
  check_distinct(written_by(rendering, steps));
  const WrittenPage page = page_of(request, report);
  const ShownFigures shown = show_figures(report, request.output, request.look, showing);
  const std::vector<SavedText> texts = saved_texts(report, findings, std::move(programs), request);
  for (const std::vector<Text>* warnings : std::initializer_list<const std::vector<Text>*>{
           &request.warnings, &report.warnings, &findings.checked.warnings, &rendering.warnings,
           &steps.warnings, &page.warnings}) {
    write_warnings(*warnings, language);
  }
  write_warnings(violations(report.invariants), language);
  if (rendering.files.empty()) write_warnings(shown.warnings, language);
  for (const SavedText& file : texts) write_file(file.path, file.bytes);
  write_films(report, request);
  if (writes_folder(request.output) && !rendering.files.empty()) create_folder(folder_of(request.output));
  std::vector<fs::path> figures = write_figures(rendering, request.look);
  if (request.steps) {
    create_folder(*request.steps);
    for (const fs::path& file : write_figures(steps, request.look)) figures.push_back(file);
  }
  for (const fs::path& file : request.page.files) {
    write_file(file, page.html);
    figures.push_back(file);
  }
  tell_left_out(plan.files.empty() ? shown.left_out : plan.left_out, report.experiment, language);
  print(report, findings, shown, texts, figures, request);
  const std::vector<Check>& checks = findings.checked.checks;
  const bool agree = std::all_of(checks.begin(), checks.end(), agrees);
  return agree && all_hold(report.invariants) && !is_unfinished ? Ending::done : Ending::disagreement;
}

}  // namespace attnlab
