// How PowerPoint's slides look: pandoc's own, but for the room that a figure has in a lecture hall.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Inches of a slide in which a picture stands, above the line that pandoc keeps for what is written below
/// it.
constexpr double slide_picture_width = 9.3;
constexpr double slide_picture_height = 3.85;

/// pandoc's reference.pptx with a title of one line (two, where it is long) at the left, almost all the rest
/// for the content, and numbered slides. What another version of pandoc writes in another way stays as it is.
/// Throws Error (failed) for what is no archive.
std::string slide_design(const std::string& reference);

}  // namespace attnlab
