#include "attnlab/lecture/lecture_building.hpp"

#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/lecture/block_building.hpp"
#include "attnlab/lecture/slide_pictures.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/sha256.hpp"
#include "core/utf8.hpp"
#include "io/report_files.hpp"
#include "io/zip_archive.hpp"
#include "lecture/notebook.hpp"
#include "lecture/pptx.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// The figure of that name, or all of them for "".
std::vector<const Figure*> chosen_figures(const Report& report, const std::string& name) {
  std::vector<const Figure*> chosen;
  for (const Figure& figure : report.figures) {
    if (name.empty() || figure.name == name) chosen.push_back(&figure);
  }
  if (chosen.empty()) refuse_name({"図", "figure"}, name, names_of(report.figures));
  return chosen;
}

// --- Figures ----------------------------------------------------------------------------------------------

/// What comes of one entry: its figures in every language, and all their files.
struct DrawnEntry {
  std::vector<std::vector<BuiltFigure>> by_language;
  std::vector<BuiltFile> files;
  std::vector<Text> warnings;  // with their place in the manifest
  std::vector<fs::path> inputs;
};

std::string painted(const Page& page, const std::string& format, const Look& look) {
  if (format == "svg") return paint_svg(page, look.lettering);
  if (format == "png") return paint_png(page, look.dpi);
  return paint_pdf(page);
}

std::string name_of(const LectureFigure& entry, const Figure& figure) {
  return entry.name.empty() ? stem_of(entry.experiment, figure.name) : entry.name;
}

/// One figure of an entry in one language, and what it says of itself; its files join the others.
BuiltFigure draw_figure(const Figure& figure, const Lecture& lecture, const LectureFigure& entry,
                        const Look& look, const RenderedPage& rendered, std::vector<BuiltFile>& files) {
  BuiltFigure drawn;
  drawn.name = name_of(entry, figure);
  drawn.title = figure.title.in(look.language);
  drawn.description = figure.description.in(look.language);
  drawn.caption = (entry.caption ? *entry.caption : figure.caption).in(look.language);
  const bool is_drawn = layout_options(look, figure.page).caption == Wording::drawn;
  drawn.caption_place = is_drawn && !entry.caption ? CaptionPlace::in_picture : CaptionPlace::beside_picture;
  drawn.command = rendered.page.metadata.command;
  if (writes(lecture, LectureOutput::html)) {
    const ThemeBy chooser = theme_chooser(lecture, entry);
    drawn.wide = themed_picture(figure, look, chooser);
    drawn.narrow = telephone_picture(figure, look, chooser);
    drawn.hovers = hover_texts(figure, look.language);
  }
  if (!writes(lecture, LectureOutput::figures)) return drawn;
  for (const std::string& format : lecture.formats) {
    if (format == "png") check_pixels(page_of(look, figure.page), look.dpi);
    const std::string path = fmt::format("{}/{}.{}", code_of(look.language), drawn.name, format);
    drawn.files.push_back(path);
    files.push_back({path, painted(rendered.page, format, look)});
  }
  return drawn;
}

void add_warnings(const std::vector<Text>& warnings, const std::string& place, DrawnEntry& entry) {
  for (const Text& warning : warnings)
    add_once(entry.warnings, attnlab::text("{}: {}", "{}: {}", place, warning));
}

/// What a lecturer would say of the run.
std::vector<std::string> said_of(const Report& report, Language language) {
  std::vector<std::string> sentences;
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr && paragraph->role == Role::say)
      sentences.push_back(paragraph->text.in(language));
  }
  return sentences;
}

/// For a notebook, which does without where a run has no program, as one that learns, or one that needs more
/// than NumPy.
std::string program_of(const Report& report, Language language) {
  if (draws_from(report.origins, "torch")) return "";
  try {
    return python_program(report, Library::numpy, language, command_of(report));
  } catch (const Error&) {
    return "";
  }
}

DrawnEntry draw_entry(const Lecture& lecture, const LectureFigure& entry, const std::string& place,
                      LectureRuns& runs) {
  const Experiment& experiment = experiment_of(entry);
  const Arguments arguments = with_files(experiment, arguments_of(entry, experiment, lecture.folder));
  const Report& report = runs.report(entry);
  const std::vector<const Figure*> chosen = chosen_figures(report, entry.figure);
  DrawnEntry drawn;
  drawn.inputs = inputs_of(arguments);
  add_warnings(report.warnings, place, drawn);
  std::vector<std::string> data;
  if (writes(lecture, LectureOutput::data)) {
    const std::string stem = "data/" + name_of(entry, *chosen.front());
    data = {stem + ".npz", stem + ".csv"};
    drawn.files = {{data[0], arrays_npz(report)}, {data[1], arrays_csv(report)}};
  }
  if (writes(lecture, LectureOutput::code) && report.no_program) {
    add_warnings({text("プログラムはありません：{}", "there is no program of it: {}", *report.no_program)},
                 place, drawn);
  } else if (writes(lecture, LectureOutput::code)) {
    const std::string path = "code/" + name_of(entry, *chosen.front()) + ".py";
    drawn.files.push_back(
        {path, python_program(report, Library::numpy, lecture.languages.front(), command_of(report))});
  }
  for (const Language language : lecture.languages) {
    const Look look = look_of(look_texts(lecture, entry), language);
    std::vector<BuiltFigure> figures;
    for (const Figure* figure : chosen) {
      const Figure shown = dressed(*figure, report, experiment.shows, look);
      const std::string command = drawing_command(command_of(report), figure->name, look);
      const RenderedPage rendered = render_page(shown, command, look);
      add_warnings(rendered.warnings,
                   fmt::format("{}: {} ({})", place, name_of(entry, *figure), code_of(language)), drawn);
      figures.push_back(draw_figure(shown, lecture, entry, look, rendered, drawn.files));
      draw_slide_picture(shown, lecture, look, command_of(report), figures.back(), drawn.files);
      figures.back().data = data;
      figures.back().say = said_of(report, language);
    }
    if (writes(lecture, LectureOutput::notebook)) figures.front().program = program_of(report, language);
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

struct PlacedName {
  std::string name;
  std::size_t line = 0;
};

/// Of all figures: those that stand still, and those that move.
std::vector<PlacedName> placed_names(const std::vector<DrawnEntry>& drawn,
                                     const std::vector<LectureFigure>& entries, const BuiltBlocks& blocks) {
  std::vector<PlacedName> names;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (const BuiltFigure& figure : drawn[i].by_language.front())
      names.push_back({figure.name, entries[i].line});
  }
  for (const auto& [block, built] : blocks.of) {
    if (const auto* sliders = std::get_if<BuiltSliders>(&built.front()))
      names.push_back({sliders->name, block->line});
    if (const auto* film = std::get_if<BuiltFilm>(&built.front())) names.push_back({film->name, block->line});
  }
  std::stable_sort(names.begin(), names.end(),
                   [](const PlacedName& one, const PlacedName& other) { return one.line < other.line; });
  return names;
}

/// Upper and lower case are one: a USB stick's file system takes them so.
void refuse_twins(const std::vector<PlacedName>& names, const std::string& manifest) {
  std::map<std::string, std::size_t> lines;
  for (const auto& [name, line] : names) {
    const auto [twin, is_new] = lines.emplace(lower_case(name), line);
    if (is_new) continue;
    throw Error(ErrorKind::failed,
                text("{} という図が 2 つになります（もう 1 つは {} 行目）",
                     "there would be two figures {}, the other one of line {}", name, twin->second),
                {"一方の図に name を付けてください", "give one of the figures a name"})
        .at(place_of(manifest, line));
  }
}

/// The entries in order.
std::vector<DrawnEntry> draw_lecture(const Lecture& lecture, const std::string& manifest, LectureRuns& runs) {
  check_look(lecture, manifest);
  const std::vector<LectureFigure> entries = entries_of(lecture);
  std::vector<DrawnEntry> drawn(entries.size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "build"); });
  for_each(entries.size(), [&](std::size_t i) {
    const std::string place = place_of(manifest, entries[i].line);
    try {
      drawn[i] = draw_entry(lecture, entries[i], place, runs);
    } catch (const Error& error) {
      throw error.at(place);
    }
  });
  return drawn;
}

// --- Pages ------------------------------------------------------------------------------------------------

std::string page_name(const Lecture& lecture, std::size_t language) {
  return language == 0 ? "index.html" : "index." + code_of(lecture.languages[language]) + ".html";
}

/// The section's blocks; those of figures count the figures that were drawn of each entry.
std::vector<BuiltBlock> blocks_in(const LectureSection& section,
                                  const std::vector<std::size_t>& first_figures, std::size_t language,
                                  const BuiltBlocks& built) {
  std::vector<BuiltBlock> blocks;
  for (const LectureBlock& block : section.blocks) {
    if (const auto* figure = std::get_if<FigureBlock>(&block.content)) {
      const std::size_t first = first_figures[figure->entry];
      blocks.emplace_back(BuiltFigures{first, first_figures[figure->entry + 1] - first});
    } else if (const auto* steps = std::get_if<StepsBlock>(&block.content)) {
      blocks.emplace_back(BuiltSteps{first_figures[steps->first], steps->count});
    } else {
      blocks.push_back(built.of.at(&block)[language]);
    }
  }
  return blocks;
}

BuiltLecture lecture_in(const Lecture& lecture, std::size_t language, const std::vector<DrawnEntry>& drawn,
                        const BuiltBlocks& blocks) {
  const Language spoken = lecture.languages[language];
  BuiltLecture built{spoken, lecture.title.in(spoken), {}, ""};
  if (lecture.languages.size() > 1) built.other_page = page_name(lecture, 1 - language);
  std::size_t entry = 0;
  for (const LectureSection& section : lecture.sections) {
    BuiltSection figures{section.title.in(spoken), {}, {}};
    std::vector<std::size_t> first_figures{0};
    for (std::size_t i = 0; i < section.figures.size(); ++i, ++entry) {
      const std::vector<BuiltFigure>& drawn_ones = drawn[entry].by_language[language];
      figures.figures.insert(figures.figures.end(), drawn_ones.begin(), drawn_ones.end());
      first_figures.push_back(figures.figures.size());
    }
    figures.blocks = blocks_in(section, first_figures, language, blocks);
    built.sections.push_back(std::move(figures));
  }
  return built;
}

std::string presentation(const BuiltLecture& lecture) {
  std::vector<ArchiveEntry> entries;
  for (PackagePart& part : lecture_pptx(lecture))
    entries.push_back({std::move(part.path), std::move(part.bytes)});
  return zip_archive(entries, Packing::deflated);
}

void add_pages(const Lecture& lecture, const std::vector<DrawnEntry>& drawn, const BuiltBlocks& blocks,
               std::vector<BuiltFile>& files) {
  for (std::size_t language = 0; language < lecture.languages.size(); ++language) {
    const BuiltLecture built = lecture_in(lecture, language, drawn, blocks);
    const std::string code = code_of(lecture.languages[language]);
    if (writes(lecture, LectureOutput::html))
      files.push_back({page_name(lecture, language), lecture_html(built)});
    if (writes(lecture, LectureOutput::captions))
      files.push_back({"captions." + code + ".txt", lecture_captions(built)});
    if (writes(lecture, LectureOutput::beamer))
      files.push_back({"beamer." + code + ".tex", lecture_beamer(built)});
    if (writes(lecture, LectureOutput::markdown))
      files.push_back({"slides." + code + ".md", lecture_markdown(built)});
    if (writes(lecture, LectureOutput::pptx))
      files.push_back({"slides." + code + ".pptx", presentation(built)});
    if (writes(lecture, LectureOutput::notebook))
      files.push_back({"notebook." + code + ".ipynb", lecture_notebook(built)});
  }
}

}  // namespace

bool writes(const Lecture& lecture, LectureOutput output) {
  return std::find(lecture.outputs.begin(), lecture.outputs.end(), output) != lecture.outputs.end();
}

BuiltFolder built_folder(const Lecture& lecture, const std::string& manifest) {
  LectureRuns runs(lecture);
  const std::vector<DrawnEntry> drawn = draw_lecture(lecture, manifest, runs);
  const BuiltBlocks blocks = built_blocks(lecture, manifest, runs);  // checked where no page is written, too
  refuse_twins(placed_names(drawn, entries_of(lecture), blocks), manifest);
  BuiltFolder folder;
  std::vector<BuiltFile>& files = folder.files;
  for (const DrawnEntry& entry : drawn) {
    files.insert(files.end(), entry.files.begin(), entry.files.end());
    folder.warnings.insert(folder.warnings.end(), entry.warnings.begin(), entry.warnings.end());
    folder.inputs.insert(folder.inputs.end(), entry.inputs.begin(), entry.inputs.end());
  }
  if (writes(lecture, LectureOutput::html))
    folder.warnings.insert(folder.warnings.end(), blocks.warnings.begin(), blocks.warnings.end());
  folder.inputs.insert(folder.inputs.end(), blocks.inputs.begin(), blocks.inputs.end());
  add_pages(lecture, drawn, blocks, files);
  std::sort(files.begin(), files.end(), [](const BuiltFile& one, const BuiltFile& other) {
    return one.path.native() < other.path.native();
  });
  std::string checksums;
  for (const BuiltFile& file : files) checksums += sha256(file.bytes) + "  " + file.path.string() + "\n";
  files.push_back({"SHA256SUMS", checksums});
  return folder;
}

}  // namespace attnlab
