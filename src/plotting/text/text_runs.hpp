// A label as the stretches of text that Pango sets it in: what SVG and TeX need to write it as text again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// Text of one font at one height. Lengths in points, in the label's frame (see Label).
struct TextRun {
  std::string text;  // plain UTF-8
  double size = 0.0;
  double x = 0.0;
  double baseline = 0.0;   // below the upper edge of the frame
  double width = 0.0;      // advance
  double rise = 0.0;       // of a superscript, positive, or of a subscript, negative
  std::optional<Box> bar;  // the line above it, as over what stands under a root
};

struct RunsOfLabel {
  double width = 0.0;     // advance of all
  double baseline = 0.0;  // below the upper edge of the label's frame
  std::vector<TextRun> runs;
};

/// The runs from left to right.
RunsOfLabel runs_of(const Label& label);

/// The point of the page where the label's baseline begins, or another share of its width along it.
Position on_baseline(const Label& label, const RunsOfLabel& runs, double share);

}  // namespace attnlab
