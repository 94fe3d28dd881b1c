// Root signs as high as what stands under them, and the bars that begin at their tips.
#pragma once

#include <pango/pangocairo.h>

#include <vector>

#include "plotting/text/typesetting.hpp"

namespace attnlab {

/// Bytes of a layout's text, end excluded.
struct Stretch {
  int begin = 0;
  int end = 0;
};

/// Takes the overlines out of the attributes and says where they stood: Pango would draw them above the
/// line's ascent, far from the root sign.
std::vector<Stretch> take_overlines(PangoAttrList* attributes);

/// The layout of one line with its root signs grown over the stretches that follow them. Nothing changes
/// without stretches.
Typeset with_roots(GObjectPtr<PangoLayout> layout, const std::vector<Stretch>& radicands);

}  // namespace attnlab
