#include "products/lecture/lecture_building.hpp"

#include "core/sha256.hpp"
#include "core/utf8.hpp"
#include "products/lecture/pandoc.hpp"
#include "products/product.hpp"
#include "products/render.hpp"

namespace attnlab {
namespace {

/// A block of one of the documents with what came of it.
struct PlacedPart {
  const Lecture* lecture = nullptr;
  std::size_t section = 0;
  const LectureBlock* block = nullptr;
  BuiltPart built;
};

/// The formats in which documents want their pictures.
std::set<std::string> picture_formats(const LectureOutputs& outputs) {
  std::set<std::string> formats;
  for (const LectureOutput output : outputs) formats.insert(picture_format(output));
  if (outputs.count(LectureOutput::pptx) != 0) formats.insert("svg");  // beside the PNG
  formats.erase("");
  return formats;
}

/// Blocks of all documents side by side, on all processors.
std::vector<PlacedPart> built_parts(const std::vector<Lecture>& lectures, const LectureOutputs& outputs,
                                    const ReadBlock& read, LectureRuns& runs, const Progress& progress) {
  std::vector<PlacedPart> parts;
  for (const Lecture& lecture : lectures) {
    for (std::size_t section = 0; section < lecture.sections.size(); ++section) {
      for (const LectureBlock& block : lecture.sections[section].blocks)
        parts.push_back({&lecture, section, &block, {}});
    }
  }
  const std::set<std::string> pictures = picture_formats(outputs);
  const ForEach for_each = on_all_processors(progress);
  for_each(parts.size(), [&](std::size_t i) {
    parts[i].built = built_part(*parts[i].block, {*parts[i].lecture, outputs, pictures, runs, read});
  });
  return parts;
}

/// The blocks leave the parts.
std::vector<BuiltSection> sections_of(const Lecture& lecture, std::vector<PlacedPart>& parts) {
  std::vector<BuiltSection> sections;
  for (const LectureSection& section : lecture.sections)
    sections.push_back({section.title, {}, section.name});
  for (PlacedPart& part : parts) {
    if (part.lecture == &lecture) sections[part.section].blocks.push_back(std::move(part.built.block));
  }
  return sections;
}

std::vector<BuiltFile> own_pictures(const Lecture& lecture, const std::vector<PlacedPart>& parts) {
  std::vector<BuiltFile> pictures;
  for (const PlacedPart& part : parts) {
    if (part.lecture == &lecture)
      pictures.insert(pictures.end(), part.built.pictures.begin(), part.built.pictures.end());
  }
  return pictures;
}

/// Others have their pictures inside.
bool shows_files_beside(const LectureOutputs& outputs) {
  return outputs.count(LectureOutput::markdown) + outputs.count(LectureOutput::beamer) +
             outputs.count(LectureOutput::revealjs) !=
         0;
}

// --- Names

struct PlacedName {
  std::string name;
  std::size_t line = 0;
};

std::vector<PlacedName> names_in(const LectureBlock& block, const BuiltBlock& built) {
  std::vector<PlacedName> names;
  if (const auto* figures = std::get_if<BuiltFigures>(&built)) {
    for (const BuiltFigure& figure : figures->figures) names.push_back({figure.name, block.line});
  } else if (const auto* steps = std::get_if<BuiltSteps>(&built)) {
    const std::vector<CommandBlock>& commands = std::get<StepsBlock>(block.content).steps;
    for (std::size_t i = 0; i < commands.size(); ++i)
      names.push_back({steps->figures[i].name, commands[i].line});
  } else if (const auto* sliders = std::get_if<BuiltSliders>(&built)) {
    names.push_back({sliders->name, block.line});
  } else if (const auto* film = std::get_if<BuiltFilm>(&built)) {
    names.push_back({film->name, block.line});
  }
  return names;
}

/// Upper and lower case are one: a USB stick's file system takes them so.
void refuse_twins(const std::vector<PlacedPart>& parts) {
  std::map<std::pair<const Lecture*, std::string>, std::size_t> lines;
  for (const PlacedPart& part : parts) {
    for (const auto& [name, line] : names_in(*part.block, part.built.block)) {
      const auto [twin, is_new] = lines.emplace(std::pair(part.lecture, lower_case(name)), line);
      if (is_new) continue;
      throw Error(ErrorKind::failed,
                  text("{} という図が 2 つになります（もう 1 つは {} 行目）",
                       "there would be two figures {}, the other one of line {}", name, twin->second),
                  {"一方の図に {#名前} を付けてください", "name one of them: {.attnlab #name}"})
          .at(place_of(part.lecture->file, line));
    }
  }
}

// --- Files

/// Documents of one lecture share the arrays of their runs.
void add_file(BuiltFile file, BuiltFolder& folder) {
  const auto same = std::find_if(folder.files.begin(), folder.files.end(),
                                 [&](const BuiltFile& one) { return one.path == file.path; });
  if (same == folder.files.end()) {
    folder.files.push_back(std::move(file));
  } else if (same->bytes != file.bytes) {
    refuse_failed(
        text("2 つの文書が別の {} を作ります", "two documents make {} different", file.path.string()),
        {"一方の図に {#名前} を付けてください", "name one of the figures: {.attnlab #name}"});
  }
}

void add_part(PlacedPart& part, BuiltFolder& folder) {
  const std::string place = place_of(part.lecture->file, part.block->line);
  for (const Text& warning : part.built.warnings)
    add_once(folder.warnings, text("{}: {}", "{}: {}", place, warning));
  folder.inputs.insert(folder.inputs.end(), part.built.inputs.begin(), part.built.inputs.end());
  for (BuiltFile& file : part.built.files) add_file(std::move(file), folder);
}

/// "index.html" of the first document, "index.en.html" of another one.
std::string page_name(const std::vector<Lecture>& lectures, std::size_t number) {
  return number == 0 ? "index.html" : "index." + code_of(lectures[number].language) + ".html";
}

std::string other_page(const std::vector<Lecture>& lectures, std::size_t number) {
  return lectures.size() < 2 ? "" : page_name(lectures, 1 - number);
}

}  // namespace

void add_checksums(BuiltFolder& folder) {
  std::sort(folder.files.begin(), folder.files.end(), [](const BuiltFile& one, const BuiltFile& other) {
    return one.path.native() < other.path.native();
  });
  std::string checksums;
  for (const BuiltFile& file : folder.files)
    checksums += sha256(file.bytes) + "  " + file.path.string() + "\n";
  folder.files.push_back({"SHA256SUMS", checksums});
}

std::vector<std::vector<BuiltSection>> built_sections(const std::vector<Lecture>& documents,
                                                      const ReadBlock& read, LectureRuns& runs,
                                                      const Progress& progress, BuiltFolder& folder) {
  std::vector<PlacedPart> parts = built_parts(documents, {LectureOutput::html}, read, runs, progress);
  refuse_twins(parts);
  for (PlacedPart& part : parts) add_part(part, folder);
  std::vector<std::vector<BuiltSection>> sections;
  sections.reserve(documents.size());
  for (const Lecture& document : documents) sections.push_back(sections_of(document, parts));
  return sections;
}

BuiltFolder built_folder(const std::vector<Lecture>& lectures, const LectureOutputs& outputs,
                         const ReadBlock& read, const Progress& progress) {
  if (makes_pandocs(outputs)) require_pandoc();
  LectureRuns runs;
  std::vector<PlacedPart> parts = built_parts(lectures, outputs, read, runs, progress);
  refuse_twins(parts);
  BuiltFolder folder;
  for (PlacedPart& part : parts) add_part(part, folder);
  for (std::size_t i = 0; i < lectures.size(); ++i) {
    const Lecture& lecture = lectures[i];
    const std::vector<BuiltFile> pictures = own_pictures(lecture, parts);
    if (shows_files_beside(outputs)) {
      for (const BuiltFile& picture : pictures) add_file(picture, folder);
    }
    std::vector<BuiltSection> sections = sections_of(lecture, parts);
    if (outputs.count(LectureOutput::markdown) != 0)
      add_file({"lecture." + code_of(lecture.language) + ".md", lecture_markdown(lecture, sections, ".svg")},
               folder);
    if (makes_pandocs(outputs)) {
      for (BuiltFile& file : pandocs_files(lecture, sections, outputs, folder.files, pictures))
        add_file(std::move(file), folder);
    }
    if (outputs.count(LectureOutput::html) == 0) continue;
    folder.files.push_back(
        {page_name(lectures, i), lecture_html({lecture.language, lecture.title, lecture.author,
                                               std::move(sections), other_page(lectures, i)})});
  }
  folder.files.erase(std::remove_if(folder.files.begin(), folder.files.end(),
                                    [&](const BuiltFile& file) { return !is_left_beside(file, outputs); }),
                     folder.files.end());
  add_checksums(folder);
  return folder;
}

std::string resolved_document(const Lecture& lecture, const ReadBlock& read) {
  const std::vector<Lecture> lectures{lecture};
  LectureRuns runs;
  std::vector<PlacedPart> parts = built_parts(lectures, {}, read, runs, [](double) {});
  return lecture_markdown(lectures.front(), sections_of(lectures.front(), parts), "");
}

std::string first_figure(const Lecture& lecture, const ReadBlock& read) {
  const LectureBlock& first = lecture.sections.front().blocks.front();
  try {
    const auto* block = std::get_if<CommandBlock>(&first.content);
    const BlockRun requested = block == nullptr ? BlockRun() : read(*block, lecture);
    if (block == nullptr || requested.shown != Shown::figures)
      refuse_usage({"ブロックに図がありません", "the block shows no figure"},
                   {"例：vectors --figure bars", "for example: vectors --figure bars"});
    OutputOptions output;
    output.files = {"-"};
    output.formats = parse_formats(lecture.formats.front());
    output.figure = requested.figure;
    const Progress progress = [](double) {};
    Report report = as_drawn(run(*requested.run.experiment, requested.run.arguments),
                             *requested.run.experiment, requested.look);
    return figures_product(output, requested.look)
        .make({requested.run, requested.look, report, progress})
        .files.front()
        .bytes(progress);
  } catch (const Error& error) {
    throw error.at(place_of(lecture.file, first.line));
  }
}

}  // namespace attnlab
