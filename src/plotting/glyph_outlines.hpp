// Text as outlines: which glyph stands where, and the curves of each.
#pragma once

#include <string>
#include <vector>

#include "plotting/display_list.hpp"

namespace attnlab {

/// One glyph of a label, in the label's own frame (see Label) at the reference size of typesetting.hpp.
struct PlacedGlyph {
  std::string outline;  // SVG path data around the glyph's origin; empty for a space
  double x = 0.0;
  double y = 0.0;
};

std::vector<PlacedGlyph> glyphs_of(const Label& label);

}  // namespace attnlab
