#include "attnlab/lecture/lecture_building.hpp"

#include "attnlab/lecture/pandoc.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/sha256.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// What one document becomes.
struct BuiltDocument {
  std::vector<BuiltSection> sections;
  std::vector<std::vector<BuiltPart>> parts;  // of the sections' blocks, which stand in `sections`
};

/// The formats in which documents want their pictures.
std::set<std::string> picture_formats(const LectureOutputs& outputs) {
  std::set<std::string> formats;
  for (const LectureOutput output : outputs) formats.insert(picture_format(output));
  formats.erase("");
  return formats;
}

/// Blocks of all documents side by side, on all processors.
std::vector<BuiltDocument> built_documents(const std::vector<Lecture>& lectures,
                                           const LectureOutputs& outputs) {
  const std::set<std::string> pictures = picture_formats(outputs);
  LectureRuns runs;
  std::vector<BuiltDocument> documents(lectures.size());
  std::vector<std::function<void()>> works;
  for (std::size_t i = 0; i < lectures.size(); ++i) {
    check_look(lectures[i]);
    documents[i].parts.resize(lectures[i].sections.size());
    for (std::size_t s = 0; s < lectures[i].sections.size(); ++s) {
      const std::vector<LectureBlock>& blocks = lectures[i].sections[s].blocks;
      documents[i].parts[s].resize(blocks.size());
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        works.push_back([&, i, s, b] {
          documents[i].parts[s][b] =
              built_part(lectures[i].sections[s].blocks[b], {lectures[i], outputs, pictures, runs});
        });
      }
    }
  }
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "build"); });
  for_each(works.size(), [&](std::size_t i) { works[i](); });
  for (std::size_t i = 0; i < lectures.size(); ++i) {
    for (std::size_t s = 0; s < lectures[i].sections.size(); ++s) {
      BuiltSection section{lectures[i].sections[s].title, {}};
      for (BuiltPart& part : documents[i].parts[s]) section.blocks.push_back(std::move(part.block));
      documents[i].sections.push_back(std::move(section));
    }
  }
  return documents;
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
void refuse_twins(const Lecture& lecture, const BuiltDocument& document) {
  std::map<std::string, std::size_t> lines;
  for (std::size_t s = 0; s < document.sections.size(); ++s) {
    for (std::size_t b = 0; b < document.sections[s].blocks.size(); ++b) {
      for (const auto& [name, line] :
           names_in(lecture.sections[s].blocks[b], document.sections[s].blocks[b])) {
        const auto [twin, is_new] = lines.emplace(lower_case(name), line);
        if (is_new) continue;
        throw Error(ErrorKind::failed,
                    text("{} という図が 2 つになります（もう 1 つは {} 行目）",
                         "there would be two figures {}, the other one of line {}", name, twin->second),
                    {"一方の図に {#名前} を付けてください", "name one of them: {.attnlab #name}"})
            .at(place_of(lecture.file, line));
      }
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

void add_parts(const Lecture& lecture, BuiltDocument& document, BuiltFolder& folder) {
  for (std::size_t s = 0; s < document.parts.size(); ++s) {
    for (std::size_t b = 0; b < document.parts[s].size(); ++b) {
      BuiltPart& part = document.parts[s][b];
      const std::string place = place_of(lecture.file, lecture.sections[s].blocks[b].line);
      for (const Text& warning : part.warnings)
        add_once(folder.warnings, text("{}: {}", "{}: {}", place, warning));
      folder.inputs.insert(folder.inputs.end(), part.inputs.begin(), part.inputs.end());
      for (BuiltFile& file : part.files) add_file(std::move(file), folder);
    }
  }
}

std::string other_page(const std::vector<Lecture>& lectures, std::size_t number) {
  return lectures.size() < 2 ? "" : page_name(lectures, 1 - number);
}

}  // namespace

std::string page_name(const std::vector<Lecture>& lectures, std::size_t number) {
  return number == 0 ? "index.html" : "index." + code_of(lectures[number].language) + ".html";
}

BuiltFolder built_folder(const std::vector<Lecture>& lectures, const LectureOutputs& outputs) {
  if (makes_pandocs(outputs)) require_pandoc();
  std::vector<BuiltDocument> documents = built_documents(lectures, outputs);
  BuiltFolder folder;
  for (std::size_t i = 0; i < lectures.size(); ++i) {
    refuse_twins(lectures[i], documents[i]);
    add_parts(lectures[i], documents[i], folder);
  }
  for (std::size_t i = 0; i < lectures.size(); ++i) {
    const Lecture& lecture = lectures[i];
    if (outputs.count(LectureOutput::markdown) != 0)
      add_file({"lecture." + code_of(lecture.language) + ".md",
                lecture_markdown(lecture, documents[i].sections, ".svg")},
               folder);
    if (makes_pandocs(outputs)) {
      const std::string resolved = lecture_markdown(lecture, documents[i].sections, "");
      for (BuiltFile& file : pandocs_files(lecture, resolved, outputs, folder.files))
        add_file(std::move(file), folder);
    }
    if (outputs.count(LectureOutput::html) == 0) continue;
    folder.files.push_back(
        {page_name(lectures, i), lecture_html({lecture.language, lecture.title, lecture.author,
                                               std::move(documents[i].sections), other_page(lectures, i)})});
  }
  folder.files.erase(std::remove_if(folder.files.begin(), folder.files.end(),
                                    [&](const BuiltFile& file) { return !is_left_beside(file, outputs); }),
                     folder.files.end());
  std::sort(folder.files.begin(), folder.files.end(), [](const BuiltFile& one, const BuiltFile& other) {
    return one.path.native() < other.path.native();
  });
  std::string checksums;
  for (const BuiltFile& file : folder.files)
    checksums += sha256(file.bytes) + "  " + file.path.string() + "\n";
  folder.files.push_back({"SHA256SUMS", checksums});
  return folder;
}

std::string resolved_document(const Lecture& lecture) {
  const std::vector<BuiltDocument> documents = built_documents({lecture}, {});
  return lecture_markdown(lecture, documents.front().sections, "");
}

}  // namespace attnlab
