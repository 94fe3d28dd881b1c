#include "attnlab/build/lecture_building.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attnlab/output/render.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "io/report_files.hpp"

namespace attnlab {
namespace {

std::string place_of(const std::string& manifest, std::size_t line) {
  return fmt::format("{}:{}", manifest, line);
}

std::string painted(const Page& page, const std::string& format, const Look& look) {
  if (format == "svg") return paint_svg(page, look.lettering);
  if (format == "png") return paint_png(page, look.dpi);
  return paint_pdf(page);
}

std::string name_of(const LectureFigure& entry, const Figure& figure) {
  return entry.name.empty() ? entry.experiment + "-" + figure.name : entry.name;
}

/// One figure of an entry in one language, and what it says of itself.
DrawnFigure draw_figure(const Figure& figure, const Lecture& lecture, const LectureFigure& entry,
                        const Look& look, const RenderedPage& rendered) {
  DrawnFigure drawn;
  drawn.built.name = name_of(entry, figure);
  drawn.built.title = figure.title.in(look.language);
  drawn.built.description = figure.description.in(look.language);
  drawn.built.caption = (entry.caption ? *entry.caption : figure.caption).in(look.language);
  const bool is_drawn = layout_options(look, figure.page).captions == Captions::drawn;
  drawn.built.caption_place =
      is_drawn && !entry.caption ? CaptionPlace::in_picture : CaptionPlace::beside_picture;
  drawn.built.command = rendered.page.metadata.command;
  if (writes(lecture, LectureOutput::html)) {
    drawn.built.svg = paint_svg(rendered.page);
    drawn.built.hovers = hover_texts(figure, look.language);
  }
  if (!writes(lecture, LectureOutput::figures)) return drawn;
  for (const std::string& format : lecture.formats) {
    if (format == "png") check_pixels(page_of(look, figure.page), look.dpi);
    const std::string path = fmt::format("{}/{}.{}", code_of(look.language), drawn.built.name, format);
    drawn.built.files.push_back(path);
    drawn.files.push_back({path, painted(rendered.page, format, look)});
  }
  return drawn;
}

void add_warnings(const std::vector<Text>& warnings, const std::string& place, DrawnEntry& entry) {
  for (const Text& warning : warnings)
    add_once(entry.warnings, attnlab::text("{}: {}", "{}: {}", place, warning));
}

DrawnEntry draw_entry(const Lecture& lecture, const LectureFigure& entry, const std::string& place) {
  const Experiment& experiment = experiment_of(entry);
  const Report report = run(experiment, arguments_of(entry, experiment, lecture.folder));
  const std::vector<const Figure*> chosen = chosen_figures(report, entry.figure);
  DrawnEntry drawn;
  add_warnings(report.warnings, place, drawn);
  std::vector<std::string> data;
  if (writes(lecture, LectureOutput::data)) {
    const std::string stem = "data/" + name_of(entry, *chosen.front());
    drawn.data = {{stem + ".npz", arrays_npz(report)}, {stem + ".csv", arrays_csv(report)}};
    for (const BuiltFile& file : drawn.data) data.push_back(file.path.string());
  }
  for (const Language language : lecture.languages) {
    const Look look = look_of(look_texts(lecture, entry), language);
    std::vector<DrawnFigure> figures;
    for (const Figure* figure : chosen) {
      const Figure shown = dressed(*figure, report, experiment.shows, look);
      const RenderedPage rendered = render_page(shown, command_of(report), look);
      add_warnings(rendered.warnings, place, drawn);
      figures.push_back(draw_figure(shown, lecture, entry, look, rendered));
      figures.back().built.data = data;
    }
    drawn.by_language.push_back(std::move(figures));
  }
  return drawn;
}

std::vector<LectureFigure> entries_of(const Lecture& lecture) {
  std::vector<LectureFigure> entries;
  for (const LectureSection& section : lecture.sections)
    entries.insert(entries.end(), section.figures.begin(), section.figures.end());
  return entries;
}

/// So that what is wrong with the lecture's own look is not told of its first figure.
void check_look(const Lecture& lecture, const std::string& manifest) {
  try {
    look_of(lecture.look, Language::en);
  } catch (const Error& error) {
    throw error.at(place_of(manifest, lecture.look_line));
  }
}

/// Upper and lower case are one: a USB stick's file system takes them so.
void refuse_twins(const std::vector<DrawnEntry>& drawn, const std::vector<LectureFigure>& entries,
                  const std::string& manifest) {
  std::map<std::string, std::size_t> lines;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (const DrawnFigure& figure : drawn[i].by_language.front()) {
      const std::string& name = figure.built.name;
      const auto [twin, is_new] = lines.emplace(lower_case(name), entries[i].line);
      if (is_new) continue;
      throw Error(ErrorKind::failed,
                  text("{} という図が 2 つになります（もう 1 つは {} 行目）",
                       "there would be two figures {}, the other one of line {}", name, twin->second),
                  {"一方の図に name を付けてください", "give one of the figures a name"})
          .at(place_of(manifest, entries[i].line));
    }
  }
}

}  // namespace

bool writes(const Lecture& lecture, LectureOutput output) {
  return std::find(lecture.outputs.begin(), lecture.outputs.end(), output) != lecture.outputs.end();
}

std::string code_of(Language language) {
  return language == Language::ja ? "ja" : "en";
}

std::vector<DrawnEntry> draw_lecture(const Lecture& lecture, const std::string& manifest) {
  check_look(lecture, manifest);
  const std::vector<LectureFigure> entries = entries_of(lecture);
  std::vector<DrawnEntry> drawn(entries.size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "build"); });
  for_each(entries.size(), [&](std::size_t i) {
    const std::string place = place_of(manifest, entries[i].line);
    try {
      drawn[i] = draw_entry(lecture, entries[i], place);
    } catch (const Error& error) {
      throw error.at(place);
    }
  });
  refuse_twins(drawn, entries, manifest);
  return drawn;
}

}  // namespace attnlab
