// From a lecture's manifest to its files: what an entry asks for, its figures drawn, the pages around them.
#pragma once

#include "attnlab/output/look.hpp"
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

// --- What an entry asks for, read as the command line reads it (lecture_entry.cpp). All throw Error for a
// name that does not exist (with the nearest one), and for a value out of its range.

const Experiment& experiment_of(const LectureFigure& entry);

/// Names of files count from `folder`.
Arguments arguments_of(const LectureFigure& entry, const Experiment& experiment,
                       const std::filesystem::path& folder);

/// A switch is "on" or "off".
Look look_of(const FlagTexts& texts, Language language);

/// The lecture's look with the entry's own over it.
FlagTexts look_texts(const Lecture& lecture, const LectureFigure& entry);

/// The figure of that name, or all of them for "".
std::vector<const Figure*> chosen_figures(const Report& report, const std::string& name);

// --- The work

/// The entries in order. Throws Error (failed) that names the manifest's line for whatever an experiment or a
/// look refuses, and for a name that two figures have.
std::vector<DrawnEntry> draw_lecture(const Lecture& lecture, const std::string& manifest);

/// Figures, data, a page with captions and snippets in each language, by name; SHA256SUMS last, as sha256sum
/// writes it.
std::vector<BuiltFile> lecture_files(const Lecture& lecture, const std::vector<DrawnEntry>& drawn);

}  // namespace attnlab
