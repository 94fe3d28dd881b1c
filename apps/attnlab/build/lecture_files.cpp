#include "attnlab/build/lecture_building.hpp"

#include <algorithm>

namespace attnlab {
namespace {

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

}  // namespace

std::vector<BuiltFile> lecture_files(const Lecture& lecture, const std::vector<DrawnEntry>& drawn) {
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
  std::string checksums;
  for (const BuiltFile& file : files) checksums += sha256(file.bytes) + "  " + file.path.string() + "\n";
  files.push_back({"SHA256SUMS", checksums});
  return files;
}

}  // namespace attnlab
