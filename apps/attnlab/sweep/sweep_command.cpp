// `attnlab sweep`: reads its flags, then runs, lays out, encodes and writes a film.
#include "attnlab/sweep/sweep_command.hpp"

#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/look_flags.hpp"
#include "attnlab/output/page_flags.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

// --- Its flags

const std::string example = "attnlab sweep scaling --over high-dim=2:1024:log:40 -o scaling.gif";

Swept read_values(const ParsedCommand& parsed, const Experiment& experiment) {
  if (!parsed.is_set("over"))
    refuse_without_values(experiment, "--over", {"--over がありません", "--over is missing"});
  return read_swept(parsed, experiment, "over", parsed.value("over"));
}

/// Without the flag whose value is swept: what was typed there is a pattern.
ParsedCommand without_swept(ParsedCommand parsed) {
  parsed.values.erase(swept_name(parsed.value("over")));
  return parsed;
}

/// How long and how often its frames are shown.
std::vector<Flag> course_flags() {
  return {flag("seconds", NumberKind{{0.1, 600.0}}), flag("bounce"), flag("once")};
}

FlagGroup film_group(const Experiment* experiment) {
  Text names = Text::none();
  if (experiment != nullptr) names = text("。{}", "; {}", choose_parameter(*experiment));
  const Text over = text(
      "変えるパラメータと値の範囲。例：high-dim=2:1024:log:40。NAME=A,B,C なら値を並べます。--mask window:@ --over mask=1:6 のように書くと、@ に値が入ります{}",
      "the parameter and its values, for example high-dim=2:1024:log:40; NAME=A,B,C lists them; with --mask window:@ --over mask=1:6 they take the place of the @{}",
      names);
  FlagGroup group{{"動画", "Film"}, {flag("over", "NAME=FROM:TO[:lin|log][:FRAMES]", over.ja(), over.en())}};
  for (const Flag& flag : course_flags()) group.flags.push_back(flag);
  return group;
}

/// Where the film goes and how it looks.
FlagGroup film_figure_group() {
  FlagGroup group{{"図", "Figures"}, {}};
  group.flags = {
      flag(
          "output", "FILE",
          "動画のファイル。拡張子 gif か mp4（ffmpeg が要ります）で形式が決まります。何度でも指定できます（既定値 figures/実験名-図-パラメータ.gif）",
          "film file, may be repeated; the extension gif or mp4 (made by ffmpeg) chooses the format (default figures/EXPERIMENT-FIGURE-NAME.gif)")
          .shortened('o')
          .repeated(),
      flag("figure", "NAME", "描く図（既定値は、値とともに変わる最初の図）",
           "the figure (default: the first that changes with the values)")};
  for (Flag flag : look_flags({"svg-text", "no-title", "blank"})) {
    if (flag.name == "dpi") {
      flag.default_text = "";
      flag.help = {
          "1 インチあたりのピクセル数（--size, --preset, --dpi のどれもなければ、960x640 と同じ画素数）",
          "pixels per inch (without --size, --preset and --dpi: as many pixels as 960x640)"};
    }
    group.flags.push_back(flag);
  }
  return group;
}

// --- What it does

const fs::path usual_folder = "figures";
constexpr double share_of_runs = 0.3;  // of the time, for the progress bar

/// Without files a film goes into the folder for figures.
void check_before_run(const SweptRun& request, const std::vector<fs::path>& files) {
  Targets targets;
  targets.add(files);
  if (files.empty()) targets.add_folder(usual_folder);
  targets.spare(inputs_of(request.run.arguments));
  targets.check();
  if (request.look.page || request.look.preset)
    check_film_pixels(page_of(request.look, {}), request.look.dpi);
}

/// "40 frames of 960 x 640 pixels, 4.0 s", on standard error.
void report_length(const Film& film, const PageSize& page, Language language) {
  const double seconds = std::accumulate(film.centiseconds.begin(), film.centiseconds.end(), 0) / 100.0;
  const double width = std::round(page.width * film.dpi);
  const double height = std::round(page.height * film.dpi);
  write_note(
      attnlab::text("{} コマ、{:.0f}×{:.0f} ピクセル、{:.1f} 秒",
                    "{} frames of {:.0f} x {:.0f} pixels, {:.1f} s", film.frames, width, height, seconds),
      language);
}

Ending run_sweep(const ParsedCommand& parsed, Language language) {
  std::vector<fs::path> files = parsed.files("output");
  for (const fs::path& file : files) check_film_file(file);
  const SweptRun request = read_swept_run(parsed, language);
  check_before_run(request, files);
  ProgressBar bar;
  const std::string& experiment = request.run.experiment->name;
  const Shot shot =
      shot_of(request, [&](double fraction) { bar.show(share_of_runs * fraction, experiment); });
  const Figure& first = shot.figures.front();
  const FrameLayouts layouts(shot.figures, shot.look);
  const Film film = film_of(request, shot, layouts);
  if (files.empty()) {
    create_folder(usual_folder);
    files.push_back(usual_folder /
                    fmt::format("{}-{}-{}.gif", experiment, first.name, request.over.values.parameter));
  }
  for (const fs::path& file : files) {
    const auto progress = [&, name = file.filename().string()](double fraction) {
      bar.show(share_of_runs + (1.0 - share_of_runs) * fraction, name);
    };
    write_file(file, film_bytes(file, film, progress));
  }
  bar.clear();
  write_warnings(shot.warnings, language);
  write_warnings(layouts.warnings(), language);
  if (read_printing(parsed) == Printing::nothing) return Ending::done;
  report_length(film, page_of(shot.look, first.page), language);
  write_output(lines_of(files));
  return Ending::done;
}

}  // namespace

SweptRun read_swept_run(const ParsedCommand& parsed, Language language) {
  const Experiment& experiment = experiment_behind(parsed, example);
  SweptRun film;
  film.over = read_values(parsed, experiment);
  film.run = {&experiment, read_arguments(without_swept(parsed), experiment)};
  film.figure = parsed.value("figure");
  film.typed = typed_flags(parsed, course_flags());
  if (parsed.is_set("seconds")) film.seconds = parsed.checked("seconds").number("seconds");
  if (parsed.is_set("bounce")) film.course = Course::forth_and_back;
  if (parsed.is_set("once")) film.repeat = Repeat::once;
  film.is_sized = parsed.is_set("size") || parsed.is_set("preset") || parsed.is_set("dpi");
  film.look = read_look(parsed, language);
  return film;
}

Command sweep_command(const Experiment* experiment) {
  Command command;
  command.name = "sweep";
  command.shows = {
      "パラメータを少しずつ変えながら図を描き、動画（GIF, MP4）にします。軸と色の範囲は全コマ共通です",
      "draw a figure for many values of a parameter, as a film (GIF or MP4) with the same axes and colours in all frames"};
  command.groups = {film_group(experiment), film_figure_group(), report_group({quiet_flag()}),
                    general_group()};
  command.run = run_sweep;
  command.of_word = of_experiment<sweep_command, ExperimentKind::book, ExperimentKind::user_files>;
  return with_experiment(std::move(command), experiment);
}

}  // namespace attnlab
