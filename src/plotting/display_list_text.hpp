// A display list as a few readable lines, rounded: to compare pages without comparing pictures.
#pragma once

#include <string>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// One line per kind of item: name, shape, how many, bounds in whole points, mean colour, words:
///   "title[*] label x1 26 13 262 16 colour 0.11 0.12 0.14 Attention weights"
/// Items whose ids differ in their numbers alone ("weights[2,5]") share a line.
std::string to_text(const DisplayList& list);

}  // namespace attnlab
