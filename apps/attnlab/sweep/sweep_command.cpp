// `attnlab sweep`: runs, lays out, encodes and writes a film.
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/sweep/sweep_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

const fs::path usual_folder = "figures";
constexpr double share_of_runs = 0.3;  // of the time, for the progress bar

void check_before_run(const SweepRequest& request) {
  Targets targets;
  targets.add(request.files);
  if (request.files.empty()) targets.add_folder(usual_folder);
  targets.spare(inputs_of(request.film.run.arguments));
  targets.check();
  if (request.film.look.page || request.film.look.preset)
    check_film_pixels(page_of(request.film.look, {}), request.film.look.dpi);
}

std::vector<fs::path> files_of(const SweepRequest& request, const Figure& figure) {
  if (!request.files.empty()) return request.files;
  const std::string name = fmt::format("{}-{}-{}.gif", request.film.run.experiment->name, figure.name,
                                       request.film.over.values.parameter);
  return {usual_folder / name};
}

/// "40 frames of 960 x 640 pixels, 4.0 s", on standard error.
void tell_length(const Film& film, const PageSize& page, Language language) {
  const double seconds = std::accumulate(film.centiseconds.begin(), film.centiseconds.end(), 0) / 100.0;
  const double width = std::round(page.width * film.dpi);
  const double height = std::round(page.height * film.dpi);
  write_note(
      attnlab::text("{} コマ、{:.0f}×{:.0f} ピクセル、{:.1f} 秒",
                    "{} frames of {:.0f} x {:.0f} pixels, {:.1f} s", film.frames, width, height, seconds),
      language);
}

}  // namespace

Ending run_sweep(const ParsedCommand& parsed, Language language) {
  const SweepRequest request = read_sweep_request(parsed, language);
  check_before_run(request);
  ProgressBar bar;
  const Shot shot = shot_of(request.film, [&](double fraction) {
    bar.show(share_of_runs * fraction, request.film.run.experiment->name);
  });
  const Figure& first = shot.figures.front();
  const Sequence sequence = sequence_of(shot.figures.size(), request.film.course, request.film.seconds);
  const Film film = film_of(request.film, shot, sequence);
  const FrameLayouts layouts(shot.figures, shot.look);
  const std::vector<fs::path> files = files_of(request, first);
  if (request.files.empty()) create_folder(usual_folder);
  for (const fs::path& file : files) {
    const auto progress = [&, name = file.filename().string()](double fraction) {
      bar.show(share_of_runs + (1.0 - share_of_runs) * fraction, name);
    };
    write_file(file, film_bytes(film_format_of(file), film, layouts, sequence, progress));
  }
  bar.clear();
  write_warnings(shot.warnings, language);
  write_warnings(layouts.warnings(), language);
  if (request.printing == Printing::nothing) return Ending::done;
  tell_length(film, page_of(shot.look, first.page), language);
  write_output(lines_of(files));
  return Ending::done;
}

}  // namespace attnlab
