// Explorable figures and films inside a lecture's page.
#include "attnlab/lecture/block_building.hpp"
#include "attnlab/output/film.hpp"
#include "attnlab/page/experiment_page.hpp"

namespace attnlab {
namespace {

/// With its caption left to the page around it.
Look look_inside(const Lecture& lecture, const LectureFigure& entry, Language language) {
  Look look = look_of(look_texts(lecture, entry), language);
  look.has_caption = false;
  return look;
}

std::string name_inside(const LectureFigure& entry, const std::string& figure, const std::string& kind) {
  if (!entry.name.empty()) return entry.name;
  return fmt::format("{}-{}", stem_of(entry.experiment, figure), kind);
}

std::string caption_of(const LectureFigure& entry, const Figure& figure, Language language) {
  return (entry.caption ? *entry.caption : figure.caption).in(language);
}

/// Where the parameter's own value is a text with an @, its values take the place of that.
Swept swept_in(const LectureFigure& entry, const std::string& flag, const std::string& words) {
  const auto own = entry.parameters.find(swept_name(words));
  const bool is_pattern = own != entry.parameters.end() && own->second.find('@') != std::string::npos;
  return read_swept(experiment_of(entry), flag, words, is_pattern ? own->second : "");
}

Arguments arguments_without(const std::vector<Swept>& swept, LectureFigure entry, const Lecture& lecture) {
  for (const Swept& one : swept) {
    if (!one.pattern.empty()) entry.parameters.erase(one.values.parameter);
  }
  return arguments_of(entry, experiment_of(entry), lecture.folder);
}

// --- Films

struct Frames {
  std::vector<Figure> figures;
  std::vector<Text> warnings;
  std::string command;
  std::vector<std::filesystem::path> inputs = {};
};

/// What a training kept on its way.
Frames frames_of_training(const FilmBlock& film, const Look& look, LectureRuns& runs) {
  const Report& report = runs.report(film.figure);
  if (report.film.empty()) {
    refuse_usage(text("{} の動画には over が要ります", "a film of {} needs over", report.experiment),
                 choose_parameter(experiment_of(film.figure)));
  }
  const std::string command = command_with(command_of(report), {{"film", "film.webp"}});
  return {aligned(report.film), {}, drawing_command(command, "", look)};
}

Figure figure_named(Report report, const std::string& name) {
  if (name.empty() && !report.figures.empty()) return std::move(report.figures.front());
  if (Figure* found = find_named(report.figures, name)) return std::move(*found);
  refuse_name({"図", "figure"}, name, names_of(report.figures));
}

Frames frames_of_sweep(const FilmBlock& film, const Lecture& lecture, const Look& look) {
  const Experiment& experiment = experiment_of(film.figure);
  const Swept swept = swept_in(film.figure, "over", film.over);
  const Arguments arguments = arguments_without({swept}, film.figure, lecture);
  const Context context{steady_seconds, [](double) {}, on_all_processors()};
  FilmFrames frames = film_frames(
      experiment, arguments, swept.values,
      [&](Report report) { return ranged(figure_named(std::move(report), film.figure.figure), look); },
      context);
  const std::string command = drawing_command(
      command_with("attnlab sweep " + experiment.name, typed_flags(arguments, {swept}, "over")),
      film.figure.figure, look);
  return {std::move(frames.figures), std::move(frames.warnings), command, inputs_of(arguments)};
}

FilmPictures film_pictures(const std::vector<Figure>& figures, const Look& look, const Metadata& metadata) {
  const FrameLayouts layouts(figures, look);
  const Sequence sequence = sequence_of(figures.size(), Course::forth, {});
  Film film{sequence.pictures.size(), {}, sequence.centiseconds, Repeat::for_ever, look.dpi, metadata};
  film.frame_at = [&](std::size_t index) {
    return paint_pixels({layouts.at(sequence.pictures[index]).list, {}}, look.dpi);
  };
  return {encode_webp(film), paint_png({layouts.at(figures.size() - 1).list, metadata}, look.dpi)};
}

}  // namespace

MovingBlock sliders_in(const SlidersBlock& sliders, const Lecture& lecture, Language language) {
  const LectureFigure& entry = sliders.figure;
  PageRun request;
  request.experiment = &experiment_of(entry);
  std::vector<Swept> slides;
  for (const std::string& words : sliders.slides) slides.push_back(swept_in(entry, "slide", words));
  request.arguments = arguments_without(slides, entry, lecture);
  request.page =
      page_of_sliders(*request.experiment, request.arguments, language, std::move(slides), entry.figure);
  request.look = look_inside(lecture, entry, language);
  const Explorable wide = explorable_page(request, {language});
  request.look = on_telephone(request.look);
  request.page.arranged = [&request](Figure figure) {
    return arranged_on_telephone(std::move(figure), request.look);
  };
  const Explorable narrow = explorable_page(request, {language});
  WrittenPage wide_page = page_fragment(wide.page);
  WrittenPage narrow_page = page_fragment(narrow.page);
  MovingBlock moving{BuiltSliders{name_inside(entry, wide.figure, "sliders"), wide.page.title.in(language),
                                  entry.caption ? entry.caption->in(language) : "", std::move(wide_page.html),
                                  std::move(narrow_page.html)},
                     wide.warnings, inputs_of(request.arguments)};
  for (const Text& warning : wide_page.warnings) add_once(moving.warnings, warning);
  return moving;
}

MovingBlock film_in(const FilmBlock& asked, const Lecture& lecture, Language language, LectureRuns& runs) {
  const LectureFigure& entry = asked.figure;
  Look look = on_telephone(look_inside(lecture, entry, language));
  look.has_title = false;  // it stands below the film
  Frames frames =
      asked.over.empty() ? frames_of_training(asked, look, runs) : frames_of_sweep(asked, lecture, look);
  look = with_room_for(frames.figures, look, frames.warnings);
  const PageSize page = page_of(look, frames.figures.front().page);
  look.dpi = points_per_inch * 2.0;  // sharp on a telephone
  check_film_pixels(page, look.dpi);
  const Figure& last = frames.figures.back();
  const Metadata metadata{last.title.in(language), last.description.in(language), code_of(language),
                          frames.command};
  BuiltFilm film{name_inside(entry, last.name, "film"),
                 metadata.title,
                 metadata.description,
                 caption_of(entry, last, language),
                 frames.command,
                 film_pictures(frames.figures, look, metadata),
                 {},
                 static_cast<std::size_t>(std::lround(page.width * look.dpi / 2.0)),
                 static_cast<std::size_t>(std::lround(page.height * look.dpi / 2.0))};
  if (theme_chooser(lecture, entry) == ThemeBy::reader) {
    look.theme = Theme::dark;
    film.dark = film_pictures(frames.figures, look, metadata);
  }
  return {std::move(film), frames.warnings, frames.inputs};
}

}  // namespace attnlab
