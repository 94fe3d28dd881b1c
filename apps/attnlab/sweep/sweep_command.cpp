// Runs, lays out, encodes and writes a film.
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/film.hpp"
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
  targets.spare(inputs_of(request.arguments));
  targets.check();
  if (request.look.page || request.look.preset)
    check_film_pixels(page_of(request.look, {}), request.look.dpi);
}

FrameGrid run_all(const SweepRequest& request, const std::string& figure, ProgressBar& bar) {
  const Context context{steady_seconds, [](double) {}, on_all_processors([&](double fraction) {
                          bar.show(share_of_runs * fraction, request.experiment->name);
                        })};
  return frame_grid(
      *request.experiment, request.arguments, {request.over.values},
      [&](Report report) {
        report = as_drawn(std::move(report), *request.experiment, request.look);
        return GridFrame{ranged(std::move(chosen_figure(report, figure)), request.look), {}};
      },
      context);
}

/// The frames, and the look with a page on which every one of them has room.
struct Shot {
  std::vector<Figure> figures;
  std::vector<std::string> names;  // of all figures that the experiment has
  std::vector<Text> warnings;
  Look look;
};

/// Where the page is a preset's own, it grows as that of a still figure does.
Shot in_a_page(FrameGrid grid, const Look& look) {
  Shot shot{{}, std::move(grid.names), std::move(grid.warnings), {}};
  shot.figures = with_slider(std::move(grid));
  shot.look = with_room_for(shot.figures, look, shot.warnings);
  return shot;
}

/// A small picture of the figure without its slider.
Pixels thumbnail(Figure figure, const Look& look) {
  constexpr double coarse = 36.0;
  figure.slider.reset();
  return paint_pixels({lay_out(figure, frame_options(look, figure)).list, {}}, coarse);
}

bool moves(const Shot& shot) {
  const Pixels first = thumbnail(shot.figures.front(), shot.look);
  return std::any_of(shot.figures.begin() + 1, shot.figures.end(), [&](const Figure& figure) {
    return thumbnail(figure, shot.look).values != first.values;
  });
}

/// The figure that was asked for; without a wish the main one, or the first in which something moves.
Shot run_figure(const SweepRequest& request, ProgressBar& bar) {
  Shot main = in_a_page(run_all(request, request.figure, bar), request.look);
  if (moves(main)) return main;
  const std::string& shown = main.figures.front().name;
  main.warnings.push_back(attnlab::text("図 {} は {} を変えても変わりません",
                                        "the figure {} does not change with {}", shown,
                                        request.over.values.parameter));
  if (!request.figure.empty()) return main;
  for (const std::string& name : main.names) {
    if (name == shown) continue;
    Shot other = in_a_page(run_all(request, name, bar), request.look);
    if (moves(other)) return other;
  }
  return main;
}

/// "attnlab sweep scaling --keys 30 --over high-dim=2:1024:log:40 --figure scatter --lang en".
std::string film_command(const SweepRequest& request, const std::string& figure) {
  std::vector<TypedFlag> flags = typed_flags(request.arguments, {request.over}, "over");
  flags.insert(flags.end(), request.typed.begin(), request.typed.end());
  return drawing_command(command_with("attnlab sweep " + request.experiment->name, flags), figure,
                         request.look);
}

Metadata metadata_of(const SweepRequest& request, const Figure& first) {
  const Language language = request.look.language;
  const Slider& slider = *first.slider;
  const std::string ends =
      fmt::format("{} = {}, ..., {}", slider.name, slider.values.front(), slider.values.back());
  return {request.experiment->shows.in(language) + " (" + ends + ")", first.description.in(language),
          code_of(language), film_command(request, first.name)};
}

std::vector<fs::path> files_of(const SweepRequest& request, const Figure& figure) {
  if (!request.files.empty()) return request.files;
  const std::string name =
      fmt::format("{}-{}-{}.gif", request.experiment->name, figure.name, request.over.values.parameter);
  return {usual_folder / name};
}

}  // namespace

Ending run_sweep(const ParsedCommand& parsed, Language language) {
  const SweepRequest request = read_sweep_request(parsed, language);
  check_before_run(request);
  ProgressBar bar;
  const Shot shot = run_figure(request, bar);
  const Figure& first = shot.figures.front();
  Look look = shot.look;
  const PageSize page = page_of(look, first.page);
  if (request.resolution == SweepRequest::Resolution::film) look.dpi = film_dpi(page);
  check_film_pixels(page, look.dpi);
  const FrameLayouts layouts(shot.figures, look);
  const Sequence sequence = sequence_of(shot.figures.size(), request.course, request.pace);
  const Film film{sequence.pictures.size(), {},       sequence.centiseconds,
                  request.repeat,           look.dpi, metadata_of(request, first)};
  const std::vector<fs::path> files = files_of(request, first);
  if (request.files.empty()) create_folder(usual_folder);
  for (const fs::path& file : files) write_film(file, film, layouts, sequence, share_of_runs, bar);
  bar.clear();
  write_warnings(shot.warnings, look.language);
  write_warnings(layouts.warnings(), look.language);
  if (request.printing == Printing::nothing) return Ending::done;
  tell_length(film, page, look.language);
  write_output(lines_of(files));
  return Ending::done;
}

}  // namespace attnlab
