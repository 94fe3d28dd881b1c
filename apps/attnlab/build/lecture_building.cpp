#include "attnlab/build/lecture_building.hpp"

#include "attnlab/build/slide_pictures.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/utf8.hpp"
#include "io/report_files.hpp"
#include "io/zip_archive.hpp"
#include "lecture/notebook.hpp"
#include "lecture/pptx.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

// --- What an entry asks for, read as the command line reads it --------------------------------------------

namespace fs = std::filesystem;

[[noreturn]] void refuse_name(const Text& kind, const std::string& name,
                              const std::vector<std::string>& known) {
  refuse_usage(text("{1} という{0}はありません", "there is no {} {}", kind, quotation(name)),
               suggestion_or(name, known, choose_from(known)));
}

/// The flags of a look that a lecture can have: it writes no TeX of its own.
std::vector<Flag> lecture_look_flags() {
  std::vector<Flag> flags = look_flags();
  const auto is_of_tex = [](const Flag& flag) { return flag.name == "tex-body"; };
  flags.erase(std::remove_if(flags.begin(), flags.end(), is_of_tex), flags.end());
  return flags;
}

Flag look_flag_named(const std::string& name) {
  const std::vector<Flag> flags = lecture_look_flags();
  if (const Flag* flag = find_named(flags, name)) return *flag;
  refuse_name({"見た目の項目", "look"}, name, names_of(flags));
}

bool is_on(const Flag& flag, const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  refuse_usage(attnlab::text("{} に {} は書けません", "{} cannot be {}", flag.name, quotation(text)),
               {"true か false を書いてください", "write true or false"});
}

const Experiment& experiment_of(const LectureFigure& entry) {
  if (entry.experiment == attend_experiment().name) return attend_experiment();
  if (const Experiment* found = find_named(experiments(), entry.experiment)) return *found;
  if (const Experiment* found = find_named(tasks(), entry.experiment)) return *found;
  std::vector<std::string> names = names_of(experiments());
  names.push_back(attend_experiment().name);
  for (const Experiment& task : tasks()) names.push_back(task.name);
  refuse_name({"実験", "experiment"}, entry.experiment, names);
}

/// Names of files count from `folder`.
Arguments arguments_of(const LectureFigure& entry, const Experiment& experiment, const fs::path& folder) {
  Arguments arguments(experiment.parameters);
  for (const auto& [name, value] : entry.parameters) {
    const Parameter* parameter = find_named(experiment.parameters, name);
    if (parameter == nullptr) refuse_name({"パラメータ", "parameter"}, name, names_of(experiment.parameters));
    const bool is_relative =
        std::holds_alternative<FileKind>(parameter->kind) && !fs::path(value).is_absolute();
    arguments.set(name, is_relative ? (folder / value).lexically_normal().string() : value);
  }
  read_inputs(arguments, experiment, folder);
  read_contents(arguments, experiment.name);
  return arguments;
}

/// The lecture's look with the entry's own over it.
FlagTexts look_texts(const Lecture& lecture, const LectureFigure& entry) {
  FlagTexts texts = lecture.look;
  for (const auto& [name, text] : entry.look) texts[name] = text;
  return texts;
}

Look look_of(const FlagTexts& texts, Language language) {
  ParsedCommand parsed;
  parsed.command.groups = {{{"図", "Figures"}, look_flags()}};
  for (const auto& [name, text] : texts) {
    const Flag flag = look_flag_named(name);
    const bool is_given = flag.takes != Flag::Takes::nothing || is_on(flag, text);
    if (is_given) parsed.values[name] = {text};
  }
  refuse_both(parsed, "annotate", "blank");
  return read_look(parsed, language);
}

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

std::string place_of(const std::string& manifest, std::size_t line) {
  return fmt::format("{}:{}", printable(manifest), line);
}

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
  const bool is_drawn = layout_options(look, figure.page).captions == Captions::drawn;
  drawn.caption_place = is_drawn && !entry.caption ? CaptionPlace::in_picture : CaptionPlace::beside_picture;
  drawn.command = rendered.page.metadata.command;
  if (writes(lecture, LectureOutput::html)) {
    drawn.svg = paint_svg(rendered.page);
    drawn.hovers = hover_texts(figure, look.language);
  }
  draw_slide_picture(figure, lecture, look, drawn.command, drawn, files);
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

/// For a notebook, which does without where a run has no program, as one that learns.
std::string program_of(const Report& report, Language language) {
  try {
    return python_program(report, Library::numpy, language, command_of(report));
  } catch (const Error&) {
    return "";
  }
}

DrawnEntry draw_entry(const Lecture& lecture, const LectureFigure& entry, const std::string& place) {
  const Experiment& experiment = experiment_of(entry);
  const Arguments arguments = arguments_of(entry, experiment, lecture.folder);
  const Report report = run(experiment, arguments);
  require_invariants(report);
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
  if (writes(lecture, LectureOutput::code)) {
    const std::string path = "code/" + name_of(entry, *chosen.front()) + ".py";
    drawn.files.push_back(
        {path, python_program(report, Library::numpy, lecture.languages.front(), command_of(report))});
  }
  for (const Language language : lecture.languages) {
    const Look look = look_of(look_texts(lecture, entry), language);
    std::vector<BuiltFigure> figures;
    for (const Figure* figure : chosen) {
      const Figure shown = dressed(*figure, report, experiment.shows, look);
      const RenderedPage rendered = render_page(shown, command_of(report), look);
      add_warnings(rendered.warnings, place, drawn);
      figures.push_back(draw_figure(shown, lecture, entry, look, rendered, drawn.files));
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

/// Upper and lower case are one: a USB stick's file system takes them so.
void refuse_twins(const std::vector<DrawnEntry>& drawn, const std::vector<LectureFigure>& entries,
                  const std::string& manifest) {
  std::map<std::string, std::size_t> lines;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (const BuiltFigure& figure : drawn[i].by_language.front()) {
      const std::string& name = figure.name;
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

/// The entries in order.
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

// --- Pages ------------------------------------------------------------------------------------------------

std::string page_name(const Lecture& lecture, std::size_t language) {
  return language == 0 ? "index.html" : "index." + code_of(lecture.languages[language]) + ".html";
}

BuiltLecture lecture_in(const Lecture& lecture, std::size_t language, const std::vector<DrawnEntry>& drawn) {
  const Language spoken = lecture.languages[language];
  BuiltLecture built{spoken, lecture.title.in(spoken), {}, ""};
  if (lecture.languages.size() > 1) built.other_page = page_name(lecture, 1 - language);
  std::size_t entry = 0;
  for (const LectureSection& section : lecture.sections) {
    BuiltSection figures{section.title.in(spoken), {}};
    for (std::size_t i = 0; i < section.figures.size(); ++i, ++entry) {
      const std::vector<BuiltFigure>& drawn_ones = drawn[entry].by_language[language];
      figures.figures.insert(figures.figures.end(), drawn_ones.begin(), drawn_ones.end());
    }
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

void add_pages(const Lecture& lecture, const std::vector<DrawnEntry>& drawn, std::vector<BuiltFile>& files) {
  for (std::size_t language = 0; language < lecture.languages.size(); ++language) {
    const BuiltLecture built = lecture_in(lecture, language, drawn);
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
  const std::vector<DrawnEntry> drawn = draw_lecture(lecture, manifest);
  BuiltFolder folder;
  std::vector<BuiltFile>& files = folder.files;
  for (const DrawnEntry& entry : drawn) {
    files.insert(files.end(), entry.files.begin(), entry.files.end());
    folder.warnings.insert(folder.warnings.end(), entry.warnings.begin(), entry.warnings.end());
    folder.inputs.insert(folder.inputs.end(), entry.inputs.begin(), entry.inputs.end());
  }
  add_pages(lecture, drawn, files);
  std::sort(files.begin(), files.end(), [](const BuiltFile& one, const BuiltFile& other) {
    return one.path.native() < other.path.native();
  });
  std::string checksums;
  for (const BuiltFile& file : files) checksums += sha256(file.bytes) + "  " + file.path.string() + "\n";
  files.push_back({"SHA256SUMS", checksums});
  return folder;
}

}  // namespace attnlab
