#include "attnlab/run_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "attnlab/attend_command.hpp"
#include "attnlab/console.hpp"
#include "attnlab/look_flags.hpp"
#include "attnlab/suggestions.hpp"
#include "attnlab/targets.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/report_files.hpp"
#include "lecture/built_lecture.hpp"
#include "lecture/hover.hpp"
#include "plotting/backends.hpp"
#include "plotting/blank.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

std::string code_of(Language language) {
  return language == Language::ja ? "ja" : "en";
}

// --- What an entry of the manifest asks for
// ------------------------------------------------------------------

[[noreturn]] void refuse_name(const std::string& what_ja, const std::string& what_en, const std::string& name,
                              const std::vector<std::string>& known) {
  const std::optional<std::string> meant = did_you_mean(name, known);
  const std::string choices = fmt::format("{}", fmt::join(known, ", "));
  throw Error(ErrorKind::failed,
              {fmt::format("{} という{}はありません", quotation(name), what_ja),
               fmt::format("there is no {} {}", what_en, quotation(name))},
              {meant ? fmt::format("{} のことですか", *meant) : fmt::format("選べるのは {} です", choices),
               meant ? fmt::format("did you mean {}?", *meant) : fmt::format("choose from {}", choices)});
}

const Experiment& experiment_named(const std::string& name) {
  if (name == attend_experiment().name) return attend_experiment();
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names.push_back(experiment.name);
  }
  refuse_name("実験", "experiment", name, names);
}

Arguments arguments_of(const LectureFigure& entry, const Experiment& experiment, const fs::path& folder) {
  Arguments arguments(experiment.parameters);
  std::vector<std::string> names;
  for (const Parameter& parameter : experiment.parameters) names.push_back(parameter.name);
  for (const auto& [name, text] : entry.parameters) {
    const auto found =
        std::find_if(experiment.parameters.begin(), experiment.parameters.end(),
                     [&, &wanted = name](const Parameter& parameter) { return parameter.name == wanted; });
    if (found == experiment.parameters.end()) refuse_name("パラメータ", "parameter", name, names);
    const bool is_file = std::holds_alternative<FileKind>(found->kind);
    arguments.set(name, is_file && !fs::path(text).is_absolute() ? (folder / text).string() : text);
  }
  return arguments;
}

/// The lecture's look and the entry's own over it, read as the flags of that name are.
Look look_of(const Lecture& lecture, const LectureFigure& entry, Language language) {
  FlagTexts texts = lecture.look;
  for (const auto& [name, text] : entry.look) texts[name] = text;
  const std::vector<std::string> known = look_flag_names();
  ParsedCommand parsed;
  for (const auto& [name, text] : texts) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_name("見た目の項目", "look", name, known);
    if (text != "off") parsed.values[name] = {text};
  }
  return read_look(parsed, language);
}

std::vector<const Figure*> chosen_figures(const Report& report, const std::string& name) {
  std::vector<const Figure*> chosen;
  std::vector<std::string> names;
  for (const Figure& figure : report.figures) {
    names.push_back(figure.name);
    if (name.empty() || figure.name == name) chosen.push_back(&figure);
  }
  if (chosen.empty()) refuse_name("図", "figure", name, names);
  return chosen;
}

// --- Drawing
// -------------------------------------------------------------------------------------------------

struct DrawnFigure {
  BuiltFigure built;
  std::vector<BuiltFile> files;
};

/// Everything that comes of one entry: its figures in every language, and their data once.
struct DrawnEntry {
  std::vector<std::vector<DrawnFigure>> by_language;
  std::vector<BuiltFile> data;
};

bool writes(const Lecture& lecture, LectureOutput output) {
  return std::find(lecture.outputs.begin(), lecture.outputs.end(), output) != lecture.outputs.end();
}

std::string painted(const Page& page, const std::string& format, double dpi) {
  if (format == "svg") return paint_svg(page);
  if (format == "png") return paint_png(page, dpi);
  return paint_pdf(page);
}

DrawnFigure draw_figure(const Figure& figure, const std::string& name, const std::string& command,
                        const Lecture& lecture, const LectureFigure& entry, const Look& look) {
  const RenderedPage rendered = render_page(figure, command, look);
  const std::string caption = (entry.caption ? *entry.caption : figure.caption).in(look.language);
  DrawnFigure drawn{{name,
                     figure.title.in(look.language),
                     figure.description.in(look.language),
                     caption,
                     command,
                     "",
                     {},
                     {},
                     {}},
                    {}};
  if (writes(lecture, LectureOutput::html)) {
    drawn.built.svg = paint_svg(rendered.page);
    drawn.built.hovers = hover_texts(figure, look.language);
  }
  if (!writes(lecture, LectureOutput::figures)) return drawn;
  for (const std::string& format : lecture.formats) {
    const std::string path = fmt::format("{}/{}.{}", code_of(look.language), name, format);
    drawn.built.files.push_back(path);
    drawn.files.push_back({path, painted(rendered.page, format, look.dpi)});
  }
  return drawn;
}

std::string name_of(const LectureFigure& entry, const Figure& figure) {
  return entry.name.empty() ? entry.experiment + "-" + figure.name : entry.name;
}

DrawnEntry draw_entry(const Lecture& lecture, const LectureFigure& entry) {
  const Experiment& experiment = experiment_named(entry.experiment);
  const Report report = run(experiment, arguments_of(entry, experiment, lecture.folder));
  DrawnEntry drawn;
  std::vector<std::string> data;
  if (writes(lecture, LectureOutput::data)) {
    const std::string stem = "data/" + name_of(entry, *chosen_figures(report, entry.figure).front());
    drawn.data = {{stem + ".npz", arrays_npz(report)}, {stem + ".csv", arrays_csv(report)}};
    for (const BuiltFile& file : drawn.data) data.push_back(file.path.string());
  }
  for (const Language language : lecture.languages) {
    const Look look = look_of(lecture, entry, language);
    std::vector<DrawnFigure> figures;
    for (const Figure* figure : chosen_figures(report, entry.figure)) {
      figures.push_back(draw_figure(dressed(*figure, report, experiment.shows, look), name_of(entry, *figure),
                                    command_of(report), lecture, entry, look));
      figures.back().built.data = data;
    }
    drawn.by_language.push_back(std::move(figures));
  }
  return drawn;
}

/// The error of an entry, with its place in the manifest.
DrawnEntry draw_entry_or_tell_where(const Lecture& lecture, const LectureFigure& entry,
                                    const std::string& manifest) {
  try {
    return draw_entry(lecture, entry);
  } catch (const Error& error) {
    const std::string place = fmt::format("{}:{}: ", manifest, entry.line);
    throw Error(ErrorKind::failed, {place + error.message(Language::ja), place + error.message(Language::en)},
                {fmt::format("{} の図を直してください", entry.experiment),
                 fmt::format("mend this figure of {}", entry.experiment)});
  }
}

std::vector<LectureFigure> entries_of(const Lecture& lecture) {
  std::vector<LectureFigure> entries;
  for (const LectureSection& section : lecture.sections)
    entries.insert(entries.end(), section.figures.begin(), section.figures.end());
  return entries;
}

std::vector<DrawnEntry> draw_entries(const Lecture& lecture, const std::string& manifest) {
  const std::vector<LectureFigure> entries = entries_of(lecture);
  std::vector<DrawnEntry> drawn(entries.size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "build"); });
  for_each(entries.size(),
           [&](std::size_t i) { drawn[i] = draw_entry_or_tell_where(lecture, entries[i], manifest); });
  return drawn;
}

// --- Pages
// ---------------------------------------------------------------------------------------------------

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
      for (const DrawnFigure& figure : drawn[entry].by_language[language])
        figures.figures.push_back(figure.built);
    }
    built.sections.push_back(std::move(figures));
  }
  return built;
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
  }
}

/// As sha256sum writes them, to be checked with sha256sum --check.
std::string checksums(const std::vector<BuiltFile>& files) {
  std::string lines;
  for (const BuiltFile& file : files) lines += sha256(file.bytes) + "  " + file.path.string() + "\n";
  return lines;
}

void refuse_twins(const std::vector<BuiltFile>& files, const std::string& manifest) {
  std::set<fs::path> seen;
  for (const BuiltFile& file : files) {
    if (seen.insert(file.path).second) continue;
    throw Error(ErrorKind::failed,
                {fmt::format("{}：{} が 2 つできます", manifest, file.path.string()),
                 fmt::format("{}: there would be two files {}", manifest, file.path.string())},
                {"一方の図に name を付けてください", "give one of the figures a name"});
  }
}

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

Lecture load_lecture(const std::string& name) {
  std::error_code problem;
  if (fs::is_regular_file(name, problem)) return parse_lecture(bytes_of(name), name);
  std::vector<std::string> names;
  for (const ShippedLecture& lecture : shipped_lectures()) {
    if (lecture.name == name) return parse_lecture(lecture.toml, name);
    names.push_back(lecture.name);
  }
  throw Error(ErrorKind::failed,
              {fmt::format("{} というファイルも講義もありません", quotation(name)),
               fmt::format("there is neither a file nor a lecture {}", quotation(name))},
              {fmt::format("付属の講義は {} です", fmt::join(names, ", ")),
               fmt::format("the lectures that come along are {}", fmt::join(names, ", "))});
}

std::string lecture_list(Language language) {
  std::string lines;
  for (const ShippedLecture& shipped : shipped_lectures()) {
    const Lecture lecture = parse_lecture(shipped.toml, shipped.name);
    lines += fmt::format("{:<8}  {}\n", shipped.name, lecture.title.in(language));
  }
  return lines;
}

std::vector<BuiltFile> build_lecture(const Lecture& lecture, const std::string& manifest) {
  const std::vector<DrawnEntry> drawn = draw_entries(lecture, manifest);
  std::vector<BuiltFile> files;
  for (const DrawnEntry& entry : drawn) {
    for (const std::vector<DrawnFigure>& figures : entry.by_language) {
      for (const DrawnFigure& figure : figures)
        files.insert(files.end(), figure.files.begin(), figure.files.end());
    }
    files.insert(files.end(), entry.data.begin(), entry.data.end());
  }
  add_pages(lecture, drawn, files);
  std::sort(files.begin(), files.end(),
            [](const BuiltFile& one, const BuiltFile& other) { return one.path < other.path; });
  refuse_twins(files, manifest);
  files.push_back({"SHA256SUMS", checksums(files)});
  return files;
}

void run_build(const std::string& manifest, const fs::path& folder, Language language, Printing printing) {
  check_folder(folder);
  const std::vector<BuiltFile> files = build_lecture(load_lecture(manifest), manifest);
  create_folder(folder);
  for (const BuiltFile& file : files) {
    if (file.path.has_parent_path()) create_folder(folder / file.path.parent_path());
    write_file(folder / file.path, file.bytes);
  }
  if (printing == Printing::nothing) return;
  const bool has_page = std::any_of(files.begin(), files.end(),
                                    [](const BuiltFile& file) { return file.path == "index.html"; });
  const std::string page = has_page ? (folder / "index.html").string() : folder.string();
  write_output(language == Language::ja ? fmt::format("{} 個のファイルを書きました：{}\n", files.size(), page)
                                        : fmt::format("{} files written: {}\n", files.size(), page));
}

}  // namespace attnlab
