// Turns a figure into a display list: measures text, places panels, thins what does not fit.
#pragma once

#include <vector>

#include "core/text.hpp"
#include "plotting/colour.hpp"
#include "plotting/display_list.hpp"
#include "plotting/figure.hpp"

namespace attnlab {

struct LayoutOptions {
  Language language = Language::en;
  Theme theme = Theme::light;
  PageSize page;  // inches
};

struct Layout {
  DisplayList list;
  std::vector<Text> warnings;  // what had to be left out, and how to get it back; a glyph that no font has
};

/// Throws Error (failed) when the page is too small for the figure or a font is missing.
Layout lay_out(const Figure& figure, const LayoutOptions& options);

}  // namespace attnlab
