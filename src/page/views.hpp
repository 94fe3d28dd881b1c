// The panels of a figure, each of which a reader may see alone.
#pragma once

#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// A panel in one frame: what it is called, and where it stands in the picture of each language.
struct PanelView {
  Text name;
  Box ja = {};
  Box en = {};
};

/// Those of a figure with several panels, else none; `list` is the figure in that language.
void add_views(std::vector<PanelView>& views, const Figure& figure, const DisplayList& list,
               Language language);

}  // namespace attnlab
