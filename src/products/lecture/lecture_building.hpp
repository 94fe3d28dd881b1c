// From the documents of a lecture, one in each language, to its files.
#pragma once

#include "products/lecture/block_building.hpp"

namespace attnlab {

struct BuiltFolder {
  std::vector<BuiltFile> files;               // by name; SHA256SUMS last, as sha256sum writes it
  std::vector<Text> warnings;                 // with their place in the document
  std::vector<std::filesystem::path> inputs;  // files that the lecture's experiments read
};

/// Throws Error (failed) that names the document's line for whatever an experiment refuses, for a
/// name that does not exist (with the nearest one), for a name that two figures have, and where pandoc is
/// wanted and missing.
BuiltFolder built_folder(const std::vector<Lecture>& lectures, const LectureOutputs& outputs,
                         const ReadBlock& read, const Progress& progress);

/// The documents for pages, their blocks built side by side: the sections of each. What they warn of and the
/// files that they read join the folder.
std::vector<std::vector<BuiltSection>> built_sections(const std::vector<Lecture>& documents,
                                                      const ReadBlock& read, LectureRuns& runs,
                                                      const Progress& progress, BuiltFolder& folder);

/// Sorts the files by name and adds their checksums.
void add_checksums(BuiltFolder& folder);

/// The document with its commands carried out, as Markdown; its figures are left as they are.
std::string resolved_document(const Lecture& lecture, const ReadBlock& read);

/// The figure of the document's first block, in the first of its formats, as its command alone draws it.
std::string first_figure(const Lecture& lecture, const ReadBlock& read);

}  // namespace attnlab
