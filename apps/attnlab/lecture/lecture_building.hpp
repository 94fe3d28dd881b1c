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

struct BuiltFolder {
  std::vector<BuiltFile> files;               // by name; SHA256SUMS last, as sha256sum writes it
  std::vector<Text> warnings;                 // with their place in the manifest
  std::vector<std::filesystem::path> inputs;  // files that the lecture's experiments read
};

bool writes(const Lecture& lecture, LectureOutput output);

/// Figures, data, a page with captions and snippets in each language. Throws Error (failed) that names the
/// manifest's line for whatever an experiment or a look refuses, for a name that does not exist (with the
/// nearest one), and for a name that two figures have.
BuiltFolder built_folder(const Lecture& lecture, const std::string& manifest);

}  // namespace attnlab
