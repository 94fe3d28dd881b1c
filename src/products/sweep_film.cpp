#include "products/sweep_film.hpp"

#include "products/render.hpp"

namespace attnlab {
namespace {

/// Where the page is a preset's own, it grows as that of a still figure does.
Shot in_a_page(FrameGrid grid, const Look& look) {
  Shot shot{{}, std::move(grid.names), std::move(grid.warnings), {}};
  shot.figures = with_slider(std::move(grid));
  shot.look = with_space_for(shot.figures, look, shot.warnings);
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

Metadata metadata_of(const SweptRun& request, const Figure& first) {
  const Slider& slider = *first.slider;
  Metadata metadata = metadata_of(first, film_command(request, first.name), request.look);
  metadata.title =
      fmt::format("{} ({} = {}, ..., {})", request.run.experiment->shows.in(request.look.language),
                  slider.name, slider.values.front(), slider.values.back());
  return metadata;
}

}  // namespace

std::string film_command(const SweptRun& request, const std::string& figure) {
  std::vector<TypedFlag> flags = typed_flags(request.run.arguments, {request.over}, "over");
  flags.insert(flags.end(), request.typed.begin(), request.typed.end());
  return drawing_command(command_with("attnlab sweep " + request.run.experiment->name, flags), figure,
                         request.look);
}

FrameGrid swept_frames(const SweptRun& request, const std::string& figure, const Progress& progress) {
  const Context context{steady_seconds, [](double) {}, on_all_processors(progress)};
  return frame_grid(
      *request.run.experiment, request.run.arguments, {request.over.values},
      [&](Report report) {
        report = as_drawn(std::move(report), *request.run.experiment, request.look);
        return GridFrame{ranged(std::move(chosen_figure(report, figure)), request.look), {}};
      },
      context);
}

Shot shot_of(const SweptRun& request, const Progress& progress) {
  Shot main = in_a_page(swept_frames(request, request.figure, progress), request.look);
  if (moves(main)) return main;
  const std::string& shown = main.figures.front().name;
  main.warnings.push_back(attnlab::text("図 {} は {} を変えても変わりません",
                                        "the figure {} does not change with {}", shown,
                                        request.over.values.parameter));
  if (!request.figure.empty()) return main;
  for (const std::string& name : main.names) {
    if (name == shown) continue;
    Shot other = in_a_page(swept_frames(request, name, progress), request.look);
    if (moves(other)) return other;
  }
  return main;
}

Film film_of(const SweptRun& request, const Shot& shot, const FrameLayouts& layouts) {
  const Figure& first = shot.figures.front();
  const PageSize page = page_of(shot.look, first.page);
  const double dpi = request.is_sized ? shot.look.dpi : film_dpi(page);
  check_film_pixels(page, dpi);
  const Sequence sequence = sequence_of(shot.figures.size(), request.course, request.seconds);
  Film film = painted_film(layouts, sequence, dpi, metadata_of(request, first));
  film.repeat = request.repeat;
  return film;
}

}  // namespace attnlab
