// `attnlab build`: a whole lecture from its manifest.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "attnlab/request.hpp"
#include "core/text.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {

struct BuiltFile {
  std::filesystem::path path;  // from the lecture's folder
  std::string bytes;
};

/// The manifest: a file, or the name of one that ships. Throws Error (failed) when there is neither.
Lecture load_lecture(const std::string& name);

/// "book  Attention, from ...", one line each.
std::string lecture_list(Language language);

/// Every file of the lecture, SHA256SUMS last; nothing is written. The same manifest gives the same bytes.
/// Throws Error (failed) that names the manifest's line for whatever an experiment or a look refuses.
std::vector<BuiltFile> build_lecture(const Lecture& lecture, const std::string& manifest);

/// Builds the lecture into the folder and prints what it wrote.
void run_build(const std::string& manifest, const std::filesystem::path& folder, Language language,
               Printing printing);

}  // namespace attnlab
