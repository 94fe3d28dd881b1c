// Runs the experiments of a lecture and draws their figures, in every language that it has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "lecture/built_lecture.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

struct BuiltFile {
  std::filesystem::path path;  // from the lecture's folder
  std::string bytes;
};

struct DrawnFigure {
  BuiltFigure built;
  std::vector<BuiltFile> files;
};

/// Everything that comes of one entry: its figures in every language, and their data once.
struct DrawnEntry {
  std::vector<std::vector<DrawnFigure>> by_language;
  std::vector<BuiltFile> data;
  std::vector<Text> warnings;  // with their place in the manifest
};

bool writes(const Lecture& lecture, LectureOutput output);

/// "ja", "en".
std::string code_of(Language language);

/// The entries in order. Throws Error (failed) that names the manifest's line for whatever an experiment or a
/// look refuses, and for a name that two figures have.
std::vector<DrawnEntry> draw_lecture(const Lecture& lecture, const std::string& manifest);

}  // namespace attnlab
