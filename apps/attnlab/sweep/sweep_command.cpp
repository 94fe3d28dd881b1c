// Runs, lays out, encodes and writes a film.
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/output/render.hpp"
#include "attnlab/sweep/sweep_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

const fs::path usual_folder = "figures";
constexpr double usual_pixels = 960.0 * 640.0;   // of a frame: text is as large in every shape of page
constexpr double most_pixels = 4096.0 * 4096.0;  // of a frame; a few of them are in memory
constexpr double most_pixels_a_side = 16383.0;   // of WebP
constexpr double share_of_runs = 0.3;            // of the time, for the progress bar

void check_film_pixels(const PageSize& page, double dpi) {
  const double width = std::round(page.width * dpi);
  const double height = std::round(page.height * dpi);
  if (width * height <= most_pixels && std::max(width, height) <= most_pixels_a_side) return;
  refuse_usage(attnlab::text("{:.0f}×{:.0f} ピクセルの動画は大きすぎます",
                             "a film of {:.0f} x {:.0f} pixels is too large", width, height),
               {"1677 万ピクセル、一辺 16383 ピクセルまでです。--dpi か --size を小さくしてください",
                "the most is 4096 x 4096 pixels, and 16383 a side: lower --dpi or --size"});
}

void check_before_run(const SweepRequest& request) {
  Targets targets;
  targets.add(request.files);
  if (request.files.empty()) targets.add_folder(usual_folder);
  targets.spare(inputs_of(request.arguments));
  targets.check();
  if (request.look.page || request.look.preset)
    check_film_pixels(page_of(request.look, {}), request.look.dpi);
}

/// With the ends of its colours as --range and its kin choose them for this value.
Figure ranged(Figure figure, const Look& look) {
  const Text caption = figure.caption;  // the layout adds what is to be said of colours
  figure = recolour(std::move(figure), look.colours, look.theme).figure;
  figure.caption = caption;
  return figure;
}

Figure chosen_figure(Report report, const std::string& name, const SweepRequest& request) {
  report = as_drawn(std::move(report), *request.experiment, request.look);
  const bool is_main = name.empty() && !report.figures.empty();
  Figure* chosen = is_main ? &report.figures.front() : find_named(report.figures, name);
  if (chosen == nullptr) refuse_figure(report.experiment, names_of(report.figures), name);
  return ranged(std::move(*chosen), request.look);
}

FilmFrames run_all(const SweepRequest& request, const std::string& figure, ProgressBar& bar) {
  const Context context{steady_seconds, [](double) {}, on_all_processors([&](double fraction) {
                          bar.show(share_of_runs * fraction, request.experiment->name);
                        })};
  return film_frames(
      *request.experiment, request.arguments, request.values,
      [&](Report report) { return chosen_figure(std::move(report), figure, request); }, context);
}

/// The ends of the colours stay what they are in common to all frames.
LayoutOptions frame_options(const Look& look, const Figure& figure) {
  LayoutOptions options = layout_options(look, figure.page);
  options.colours.range = RangeOfFigure{};
  return options;
}

/// The frames, each laid out in the same room.
class FramePainter {
 public:
  FramePainter(const std::vector<Figure>& figures, const Look& look) : figures_(figures), look_(look) {
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const LayoutOptions options = frame_options(look, figures[i]);
      const Layout layout = lay_out(figures[i], options);
      room_ = i == 0 ? layout.room : united(room_, layout.room);
      // That a frame is almost one colour is no fault of it: others are not.
      add_warnings(layout.warnings, recolour(figures[i], options.colours, options.theme).warnings);
    }
  }

  Pixels paint(std::size_t index) const { return paint_pixels({laid_out(index).list, {}}, look_.dpi); }

  /// Throws NoRoom when a frame does not fit with what the others need around their data.
  void check_room() const {
    for (std::size_t i = 0; i < figures_.size(); ++i) laid_out(i);
  }

  const std::vector<Text>& warnings() const { return warnings_; }

 private:
  Layout laid_out(std::size_t index) const {
    LayoutOptions options = frame_options(look_, figures_[index]);
    options.reserved = room_;
    return lay_out(figures_[index], options);
  }

  void add_warnings(const std::vector<Text>& warnings, const std::vector<Text>& of_colours) {
    for (const Text& warning : warnings) {
      if (!contains(of_colours, warning)) add_once(warnings_, warning);
    }
  }

  const std::vector<Figure>& figures_;
  const Look& look_;
  Room room_;
  std::vector<Text> warnings_;
};

/// The frames, and the look with a page on which every one of them has room.
struct Shot {
  FilmFrames frames;
  Look look;
};

/// Where the page is a preset's own, it grows as that of a still figure does.
Shot in_a_page(FilmFrames frames, Look look) {
  if (!look.preset || look.page) return {std::move(frames), look};
  const PageSize page = page_with_room(look, {}, [&](const PageSize& larger) {
    Look tried = look;
    tried.page = larger;
    FramePainter(frames.figures, tried).check_room();
  });
  if (page.width > look.preset->page.width)
    frames.warnings.push_back(larger_page(frames.figures.front().name, *look.preset, page));
  look.page = page;
  return {std::move(frames), look};
}

/// A small picture of the figure without its slider.
Pixels thumbnail(Figure figure, const Look& look) {
  constexpr double coarse = 36.0;
  figure.slider.reset();
  return paint_pixels({lay_out(figure, frame_options(look, figure)).list, {}}, coarse);
}

bool moves(const Shot& shot) {
  const std::vector<Figure>& figures = shot.frames.figures;
  const Pixels first = thumbnail(figures.front(), shot.look);
  return std::any_of(figures.begin() + 1, figures.end(), [&](const Figure& figure) {
    return thumbnail(figure, shot.look).values != first.values;
  });
}

/// The figure that was asked for; without a wish the main one, or the first in which something moves.
Shot run_figure(const SweepRequest& request, ProgressBar& bar) {
  Shot main = in_a_page(run_all(request, request.figure, bar), request.look);
  if (moves(main)) return main;
  const std::string& shown = main.frames.figures.front().name;
  main.frames.warnings.push_back(attnlab::text("図 {} は {} を変えても変わりません",
                                               "the figure {} does not change with {}", shown,
                                               request.values.parameter));
  if (!request.figure.empty()) return main;
  for (const std::string& name : main.frames.names) {
    if (name == shown) continue;
    Shot other = in_a_page(run_all(request, name, bar), request.look);
    if (moves(other)) return other;
  }
  return main;
}

/// "attnlab sweep scaling --keys 30 --over high-dim=2:1024:log:40".
std::string film_command(const SweepRequest& request) {
  Report base;
  base.experiment = "sweep " + request.experiment->name;
  base.parameters = used_parameters(request.arguments);
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) base.parameters.push_back({name, text, false, text});
  };
  add(request.values.parameter, request.pattern);
  add("over", request.values.parameter + "=" + request.words);
  add("figure", request.figure);
  return command_of(base);
}

Metadata metadata_of(const SweepRequest& request, const Figure& first) {
  const Language language = request.look.language;
  const Slider& slider = *first.slider;
  const std::string ends =
      fmt::format("{} = {}, ..., {}", slider.name, slider.values.front(), slider.values.back());
  return {request.experiment->shows.in(language) + " (" + ends + ")", first.description.in(language),
          code_of(language), film_command(request)};
}

std::vector<fs::path> files_of(const SweepRequest& request, const Figure& figure) {
  if (!request.files.empty()) return request.files;
  const std::string name =
      fmt::format("{}-{}-{}.gif", request.experiment->name, figure.name, request.values.parameter);
  return {usual_folder / name};
}

void write_film(const fs::path& file, Film film, const FramePainter& painter, const Sequence& sequence,
                ProgressBar& bar) {
  const FilmFormat& format = film_format_of(file);
  const auto all = static_cast<double>(film.frames * format.passes);
  double painted = 0.0;
  film.frame_at = [&](std::size_t index) {
    bar.show(share_of_runs + (1.0 - share_of_runs) * painted / all, file.filename().string());
    painted += 1.0;
    return painter.paint(sequence.pictures[index]);
  };
  write_file(file, format.encode(film));
}

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
  const Shot shot = run_figure(request, bar);
  const FilmFrames& frames = shot.frames;
  const Figure& first = frames.figures.front();
  Look look = shot.look;
  const PageSize page = page_of(look, first.page);
  if (request.resolution == SweepRequest::Resolution::film)
    look.dpi = std::sqrt(usual_pixels / (page.width * page.height));
  check_film_pixels(page, look.dpi);
  const FramePainter painter(frames.figures, look);
  const Sequence sequence = sequence_of(frames.figures.size(), request.course, request.pace);
  const Film film{sequence.pictures.size(), {},       sequence.centiseconds,
                  request.repeat,           look.dpi, metadata_of(request, first)};
  const std::vector<fs::path> files = files_of(request, first);
  if (request.files.empty()) create_folder(usual_folder);
  for (const fs::path& file : files) write_film(file, film, painter, sequence, bar);
  bar.clear();
  write_warnings(frames.warnings, look.language);
  write_warnings(painter.warnings(), look.language);
  if (request.printing == Printing::nothing) return Ending::done;
  tell_length(film, page, look.language);
  write_output(lines_of(files));
  return Ending::done;
}

}  // namespace attnlab
