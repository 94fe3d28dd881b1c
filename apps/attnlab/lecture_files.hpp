// Every file of a lecture whose figures are drawn.
#pragma once

#include <vector>

#include "attnlab/build/lecture_building.hpp"

namespace attnlab {

/// Figures, data, a page with captions and snippets in each language, by name; SHA256SUMS last, as sha256sum
/// writes it.
std::vector<BuiltFile> lecture_files(const Lecture& lecture, const std::vector<DrawnEntry>& drawn);

}  // namespace attnlab
