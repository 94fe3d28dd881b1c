// How PowerPoint's slides look: pandoc's own, but for the room that a figure has in a lecture hall.
#pragma once

#include "plotting/colour/palette.hpp"

namespace attnlab {

/// Points of a slide of 720 by 405 in which a picture stands: below the title, and beside text.
constexpr int slide_picture_width = 670;
constexpr int slide_picture_beside = 450;
constexpr int slide_picture_height = 320;

/// pandoc's reference.pptx with a title of one line (two, where it is long) at the left, almost all the rest
/// for the content, a line above it or a column beside it for text, and numbered slides, in the theme of its
/// figures. What another version of pandoc writes in another way stays as it is. Throws Error (failed) for
/// what is no archive.
std::string slide_design(const std::string& reference, Theme theme);

/// The slides with code as small as text beside a picture: programs break a line behind any hyphen, and so
/// most commands are one line. Throws Error (failed) for what is no archive.
std::string with_narrow_code(const std::string& slides);

/// The slides with each of the pictures, PNG by SVG, as both: PowerPoint shows the SVG, what cannot shows the
/// PNG. Throws Error (failed) for what is no archive.
std::string with_vectors(const std::string& slides, const std::map<std::string, std::string>& pictures);

}  // namespace attnlab
