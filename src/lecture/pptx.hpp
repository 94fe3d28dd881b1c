// A lecture as PowerPoint slides, for every program that reads Office Open XML (ECMA-376).
#pragma once

#include "lecture/built_lecture.hpp"

namespace attnlab {

/// One part of the package: where it stands in the zip archive, and its bytes.
struct PackagePart {
  std::string path;  // "ppt/slides/slide1.xml"
  std::string bytes;
};

/// A slide for the lecture, for each section and for each figure. A figure's slide has the title as its own
/// title, the picture as SVG with a PNG for programs that read none, the caption as text, and the sentences
/// to say as speaker's notes. The parts of the package in their order; no part holds a date.
std::vector<PackagePart> lecture_pptx(const BuiltLecture& lecture);

}  // namespace attnlab
