// `attnlab all`: every figure of every experiment, each in a file of its own or together in one pdf.
#include "attnlab/output/figure_flags.hpp"
#include "attnlab/output/look_flags.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "products/contact_sheet.hpp"
#include "products/render.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

struct AllRequest {
  OutputOptions output;
  Look look;
};

/// Throws Error (usage) unless the file that `all` is to write can have pages.
void check_lecture(const OutputOptions& options) {
  for (const std::filesystem::path& file : options.files) {
    if (format_of(file, options) == Format::pdf) continue;
    refuse_usage(
        text("すべての図は 1 つのファイル {} に入りません", "{} holds one figure, not all of them",
             quotation(file.string())),
        {"1 つのファイルなら -o lecture.pdf（標準出力なら -o - --format pdf）、図ごとなら --output-dir と --format を使ってください",
         "write -o lecture.pdf for one file (-o - --format pdf for a pipe), or use --output-dir and --format for a file per figure"});
  }
}

struct DrawnExperiment {
  std::vector<std::string> figures;  // their names
  Rendering rendering;
  std::vector<std::string> bytes;  // of the rendering's files, where each figure gets its own
};

DrawnExperiment draw_experiment(const Experiment& experiment, const AllRequest& request) {
  const Report report = as_drawn(run(experiment, Arguments(experiment.parameters)), experiment, request.look);
  require_invariants(report);
  DrawnExperiment drawn{names_of(report.figures),
                        render(report, planned(report, request.output, request.look), request.look),
                        {}};
  if (!writes_folder(request.output)) return drawn;
  for (const RenderedFile& file : drawn.rendering.files) drawn.bytes.push_back(paint(file, request.look));
  return drawn;
}

/// Each processor draws one experiment after the other, with the fonts that it opened for its first.
std::vector<DrawnExperiment> draw_every_experiment(const AllRequest& request) {
  std::vector<DrawnExperiment> drawn(experiments().size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "all"); });
  for_each(drawn.size(), [&](std::size_t i) { drawn[i] = draw_experiment(experiments()[i], request); });
  return drawn;
}

/// `attnlab all -o lecture.pdf`: a page for each figure, and in the outline a heading for each experiment.
std::string paint_lecture(const std::vector<DrawnExperiment>& drawn, const Look& look) {
  std::vector<Chapter> chapters;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Experiment& experiment = experiments()[i];
    for (const RenderedFile& file : drawn[i].rendering.files) {
      chapters.push_back(chapter_of(file, experiment.name + ": " + experiment.shows.in(look.language)));
    }
  }
  Metadata about = chapters.front().pages.front()->metadata;
  about.title =
      Text{"attnlab：アテンションと Transformer の実験", "attnlab: attention and the Transformer"}.in(
          look.language);
  about.description = Text{"すべての実験のすべての図", "every figure of every experiment"}.in(look.language);
  about.command = drawing_command("attnlab all", "", look);
  return paint_pdf(chapters, about);
}

/// Nothing is written before everything is drawn, so that a page too small for one figure leaves nothing
/// behind.
std::vector<fs::path> write_every_figure(const std::vector<DrawnExperiment>& drawn,
                                         const AllRequest& request) {
  Targets targets;
  for (const DrawnExperiment& experiment : drawn) {
    for (std::size_t i = 0; i < experiment.bytes.size(); ++i)
      targets.add_below(folder_of(request.output), experiment.rendering.files[i].path);
  }
  targets.check();
  std::vector<fs::path> paths;
  if (writes_folder(request.output)) create_folder(folder_of(request.output));
  for (const DrawnExperiment& experiment : drawn) {
    for (std::size_t i = 0; i < experiment.bytes.size(); ++i) {
      write_file(experiment.rendering.files[i].path, experiment.bytes[i]);
      paths.push_back(experiment.rendering.files[i].path);
    }
  }
  for (const fs::path& file : request.output.files) {  // one lecture at most
    write_target(file, paint_lecture(drawn, request.look));
    paths.push_back(file);
  }
  return paths;
}

std::vector<SmallFigure> small_figures(const std::vector<DrawnExperiment>& drawn) {
  std::vector<SmallFigure> figures;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::string& experiment = experiments()[i].name;
    for (std::size_t k = 0; k < drawn[i].figures.size(); ++k)
      figures.push_back({stem_of(experiment, drawn[i].figures[k]), drawn[i].rendering.files.front().pages[k],
                         fmt::format("attnlab {} --figure {}", experiment, drawn[i].figures[k])});
  }
  return figures;
}

/// Draws on all processors, then writes. Throws before anything is written where a page is too small.
Ending run_all(const ParsedCommand& parsed, Language language) {
  const AllRequest request{read_output(parsed, parsed.files("output")), read_look(parsed, language)};
  const Printing printing = read_printing(parsed);
  check_format_flags(parsed, request.output);
  check_lecture(request.output);
  check_standard_output(request.output);
  Targets targets;
  add_figures(request.output, targets);
  targets.check();
  check_pixels(request.output, request.look);
  const std::vector<DrawnExperiment> drawn = draw_every_experiment(request);
  const std::vector<fs::path> paths = write_every_figure(drawn, request);
  for (const DrawnExperiment& experiment : drawn) write_warnings(experiment.rendering.warnings, language);
  const bool prints = printing != Printing::nothing && !writes_standard_output(request.output);
  if (prints) write_output(lines_of(paths));
  return Ending::done;
}

}  // namespace

Ending write_contact_sheets(const ParsedCommand& parsed, Language language) {
  AllRequest request{{}, {}};
  request.look.language = language;
  request.output.files = {"sheet.pdf"};  // whose pages are all figures
  const std::filesystem::path path = parsed.files("output").front();
  if (path.extension() == ".html")
    refuse_usage({"--figures は pdf, png, svg に書きます", "--figures writes a pdf, png or svg"},
                 {"すべての図のページは attnlab site pages の gallery.html です",
                  "attnlab site pages writes a page of all figures, gallery.html"});
  const Format format = format_of(path);
  const Metadata about{Text{"attnlab のすべての図", "every figure of attnlab"}.in(language), "",
                       code_of(language), "attnlab list --figures"};
  const std::vector<SmallFigure> figures = small_figures(draw_every_experiment(request));
  const SheetHeight height = format == Format::pdf ? SheetHeight::a4 : SheetHeight::all;
  RenderedFile file{path, format, {}, about.command};
  for (Page& page : contact_sheets(figures, height, about, request.look))
    file.pages.push_back(std::make_shared<const Page>(std::move(page)));
  write_target(path, paint(file, request.look));
  write_output(lines_of({path}));
  return Ending::done;
}

Command all_command() {
  FlagGroup figures{{"図", "Figures"}, folder_flags()};
  figures.flags.insert(
      figures.flags.begin(),
      figure_output(flag("output", "FILE.pdf",
                         "すべての図を 1 つの pdf にまとめます（1 図 1 ページ、実験ごとのしおりつき）",
                         "put every figure into one pdf, a page each, with an outline by experiment")));
  for (const Flag& flag : look_flags({"title"})) figures.flags.push_back(flag);  // each figure has its own
  return {"all", command_words("all"), {figures, report_group({quiet_flag()}), general_group()}, run_all};
}

}  // namespace attnlab
