// Roots in running text: what stands under a radical sign, a sign as high as that, and the bar over it.
#pragma once

#include <pango/pangocairo.h>

#include <string>
#include <vector>

#include "plotting/text/typesetting.hpp"

namespace attnlab {

/// Markup in which what stands under each √ is marked with an overline: a number, a letter with its scripts,
/// or a whole in parentheses, which the bar then replaces. A √ that stands alone stays as it is.
std::string mark_radicands(const std::string& markup);

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
