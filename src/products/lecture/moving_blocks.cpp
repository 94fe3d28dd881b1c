// Explorable figures and films inside a lecture's page.
#include "core/named.hpp"
#include "products/experiment_page.hpp"
#include "products/figure_files.hpp"
#include "products/lecture/block_building.hpp"
#include "products/render.hpp"
#include "products/sweep_film.hpp"
#include "products/telephone.hpp"

namespace attnlab {
namespace {

/// Places among so many, evenly from the first to the last; one of them is `own`.
std::vector<std::size_t> spread(std::size_t count, std::size_t own) {
  constexpr std::size_t most = 4;
  std::vector<std::size_t> places;
  const std::size_t last = std::min(count, most) - 1;
  for (std::size_t i = 0; i <= last; ++i) places.push_back(last == 0 ? 0 : i * (count - 1) / last);
  const auto away = [own](std::size_t place) { return std::max(place, own) - std::min(place, own); };
  *std::min_element(places.begin(), places.end(),
                    [&](std::size_t one, std::size_t other) { return away(one) < away(other); }) = own;
  return places;
}

/// Slides stand still: some of the figures after one another.
std::vector<BuiltFigure> moments_of(const std::vector<Figure>& figures, const std::string& name,
                                    const BlockRun& requested, const Workshop& workshop, BuiltPart& part) {
  std::vector<BuiltFigure> moments;
  for (const Figure& figure : figures) {
    const std::string numbered = fmt::format("{}-{}", name, moments.size() + 1);
    moments.push_back(draw_still(figure, numbered, nullptr, requested, workshop, part));
  }
  return moments;
}

/// The figure at some values of the first slider, the run's own among them, each with the slider beside it.
std::vector<Figure> figures_at_values(const BlockRun& requested, const std::string& name) {
  const Experiment& experiment = *requested.run.experiment;
  const SweepValues& all = requested.page.slides.front().values;
  const Parameter& parameter = *find_named(experiment.parameters, all.parameter);
  const std::string own = current_value(requested.run.arguments, parameter, requested.look.language);
  SweepValues some{all.parameter, {}, {}};
  for (const std::size_t place : spread(all.texts.size(), place_of(all.texts, own))) {
    some.texts.push_back(all.texts[place]);
    some.places.push_back(all.places[place]);
  }
  const auto keep = [&](Report report) {
    report = as_drawn(std::move(report), experiment, requested.look);
    return GridFrame{*find_named(report.figures, name), {}};
  };
  const Context context{steady_seconds, [](double) {}, on_all_processors([](double) {})};
  return with_slider(frame_grid(experiment, requested.run.arguments, {some}, keep, context));
}

/// With its caption left to the page around it.
Look look_inside(Look look) {
  look.has_caption = false;
  return look;
}

std::string name_inside(const BlockRun& requested, const BlockAttributes& attributes,
                        const std::string& figure, const char* kind) {
  if (!attributes.name.empty()) return attributes.name;
  return fmt::format("{}-{}", stem_of(requested.run.experiment->name, figure), kind);
}

// --- Films

struct Frames {
  std::vector<Figure> figures;
  std::string command;
};

/// What a training kept on its way.
Frames frames_of_training(const BlockRun& requested, LectureRuns& runs) {
  const Report& report = runs.report(requested.run);
  if (report.trained.film.empty()) {
    refuse_usage(text("{} の動画には sweep と --over が要ります", "a film of {} needs sweep and --over",
                      report.experiment),
                 choose_parameter(*requested.run.experiment));
  }
  const std::string command = command_with(command_of(report), {{"film", "film.gif"}});
  return {aligned(report.trained.film), drawing_command(command, "", requested.look)};
}

Frames frames_of_sweep(const SweptRun& sweep, std::vector<Text>& warnings) {
  FrameGrid frames = swept_frames(sweep, sweep.figure, [](double) {});
  warnings.insert(warnings.end(), frames.warnings.begin(), frames.warnings.end());
  return {with_slider(std::move(frames)), film_command(sweep, sweep.figure)};
}

FilmPictures film_pictures(const std::vector<Figure>& figures, const Look& look, const Metadata& metadata) {
  const FrameLayouts layouts(figures, look);
  const Sequence sequence = sequence_of(figures.size(), Course::forth, {});
  return {encode_gif(painted_film(layouts, sequence, look.dpi, metadata)),
          paint_png({layouts.at(figures.size() - 1).list, metadata}, look.dpi)};
}

}  // namespace

BuiltSliders sliders_of(const BlockRun& requested, const BlockAttributes& attributes,
                        const Workshop& workshop, BuiltPart& part) {
  if (requested.page.slides.empty()) {
    refuse_without_values(*requested.run.experiment, "slide",
                          text("{} には決まったスライダーがありません", "{} has no slider of its own",
                               requested.run.experiment->name));
  }
  const PageRun page{
      {requested.run.experiment, requested.run.arguments}, look_inside(requested.look), requested.page};
  const DrawnPage drawn = explorable_page(page, {page.look.language});
  WrittenPage fragment = page_fragment(drawn.page);
  const auto caption = attributes.values.find("caption");
  BuiltSliders built{name_inside(requested, attributes, drawn.figure, "sliders"),
                     drawn.page.title.in(page.look.language),
                     caption == attributes.values.end() ? "" : caption->second,
                     std::move(fragment.html),
                     {}};
  part.warnings.insert(part.warnings.end(), drawn.warnings.begin(), drawn.warnings.end());
  for (const Text& warning : fragment.warnings) add_once(part.warnings, warning);
  if (!workshop.pictures.empty()) {
    const Report& report = workshop.runs.report(requested.run);
    const Figure& figure = *find_named(report.figures, drawn.figure);
    built.still = draw_still(figure, built.name, &report, requested, workshop, part);
    built.still.caption = caption_of(attributes, figure, page.look.language);
    if (has_slides(workshop.outputs) && built.still.on_slide)
      built.moments =
          moments_of(figures_at_values(requested, drawn.figure), built.name, requested, workshop, part);
  }
  return built;
}

BuiltFilm film_of(const BlockRun& requested, const BlockAttributes& attributes, const Workshop& workshop,
                  BuiltPart& part) {
  Frames frames = requested.sweep ? frames_of_sweep(*requested.sweep, part.warnings)
                                  : frames_of_training(requested, workshop.runs);
  Look look = look_inside(on_telephone(requested.look));
  look.has_title = false;  // it stands below the film
  look = with_space_for(frames.figures, look, part.warnings);
  const PageSize page = page_of(look, frames.figures.front().page);
  look.dpi = points_per_inch * 2.0;  // sharp on a telephone
  check_film_pixels(page, look.dpi);
  const Figure& last = frames.figures.back();
  const Metadata metadata = metadata_of(last, frames.command, look);
  BuiltFilm film{name_inside(requested, attributes, last.name, "film"),
                 metadata.title,
                 metadata.description,
                 caption_of(attributes, last, look.language),
                 frames.command,
                 {},
                 {},
                 static_cast<std::size_t>(std::lround(page.width * look.dpi / 2.0)),
                 static_cast<std::size_t>(std::lround(page.height * look.dpi / 2.0)),
                 {}};
  const bool has_page = workshop.wants(LectureOutput::html);
  if (has_page) film.pictures = film_pictures(frames.figures, look, metadata);
  if (has_page && requested.chooser == ThemeBy::reader) {
    look.theme = Theme::dark;
    film.dark = film_pictures(frames.figures, look, metadata);
  }
  film.still = draw_still(last, film.name, nullptr, requested, workshop, part);
  film.still.caption = film.caption;
  if (has_slides(workshop.outputs) && film.still.on_slide) {
    std::vector<Figure> some;
    for (const std::size_t place : spread(frames.figures.size(), frames.figures.size() - 1))
      some.push_back(frames.figures[place]);
    film.moments = moments_of(some, film.name, requested, workshop, part);
  }
  return film;
}

}  // namespace attnlab
