// A label taken apart: the stretches of text that Pango sets it in, which SVG needs to write it as
// text again; and its outlines: which glyph stands where, and the curves of each.
#pragma once

#include <pango/pango.h>

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

/// Writes path data in whole units, each point relative to the one before, and the curves of TrueType fonts
/// as the quadratic ones that they are.
class OutlinePath {
 public:
  void move_to(Position to);
  void line_to(Position to);
  void curve_to(Position first, Position second, Position to);
  void close();

  const std::string& data() const { return data_; }

 private:
  struct Point {
    long x = 0;
    long y = 0;
  };
  static Point rounded(Position at) { return {std::lround(at.x), std::lround(at.y)}; }
  void begin();
  void write(char command, const std::vector<long>& numbers);

  std::string data_;
  char last_ = 0;      // command
  Point at_;           // where the pen is
  Point start_;        // of the contour
  bool begun_ = true;  // the move to its start is written
  Position exact_;     // where the pen is, before rounding
};

/// Outlines and places are in thousandths of a text's size, as in most fonts.
constexpr double units_per_size = 1000.0;

/// One glyph of a label. Its place is on the label's baseline, seen from where that begins.
struct PlacedGlyph {
  std::string outline;  // SVG path data around the glyph's origin; empty for a space
  double x = 0.0;
  double y = 0.0;      // down
  double scale = 1.0;  // below 1 for a script
};

/// Keeps the outlines it has asked for: one glyph has one outline, in whatever size it is set.
class GlyphOutlines {
 public:
  std::vector<PlacedGlyph> glyphs_of(const Label& label);

 private:
  const std::string& outline(PangoFont* font, PangoGlyph glyph);

  std::map<std::pair<const PangoFontFace*, PangoGlyph>, std::string> outlines_;  // by face
};

}  // namespace attnlab
