// Slides, books and notebooks, which pandoc (2.17 or newer) makes of a lecture's document.
#pragma once

#include "products/lecture/block_building.hpp"

namespace attnlab {

/// In which a document of that kind has its pictures: "png", or "" where it has none.
std::string picture_format(LectureOutput output);

/// Whether one of the outputs is pandoc's.
bool makes_pandocs(const LectureOutputs& outputs);

/// Throws Error (failed) where there is no pandoc on the path.
void require_pandoc();

/// What pandoc makes of the lecture's document with its commands carried out, of the pictures among the
/// files, and of the document's own: those of the outputs that are pandoc's. It reads the document in its
/// sandbox, without code and front matter, and writes it once nothing in it reads a file or asks a server.
/// The same lecture gives the same bytes. Throws Error (failed) with what pandoc says, or as checked_tree.
std::vector<BuiltFile> pandocs_files(const Lecture& lecture, const std::vector<BuiltSection>& sections,
                                     const LectureOutputs& outputs, const std::vector<BuiltFile>& files,
                                     const std::vector<BuiltFile>& pictures);

/// All but pictures that no document shows from beside itself.
bool is_left_beside(const BuiltFile& file, const LectureOutputs& outputs);

}  // namespace attnlab
