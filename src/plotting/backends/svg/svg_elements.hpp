// The pieces of an SVG: elements with their attributes, and the outlines and clipping boxes that they name.
#pragma once

#include "plotting/layout/display_list.hpp"

namespace attnlab {

class GlyphOutlines;

struct SvgElement {
  std::string name;                                             // "path"
  std::vector<std::pair<std::string, std::string>> attributes;  // in the order in which they are written
};

/// ` fill="#1b1e23" d="M0 0h9z"`
std::string written_attributes(const SvgElement& element);

/// The same behind the name: `path fill="#1b1e23" d="M0 0h9z"`.
std::string written_element(const SvgElement& element);

std::string svg_colour(const Colour& colour);

/// A rectangle as path data, shorter than an element of its own.
std::string rectangle_data(double x, double y, double width, double height);

/// Each definition is written once and known by a short name.
class SvgDefinitions {
 public:
  /// The name of a glyph's outline: "g0", "g1", ...
  std::string outline(const std::string& data);
  /// The name of a clipping box.
  std::string clip(const Box& box);
  /// A name for what stands in the body and is used again there.
  std::string next_name() { return "h" + std::to_string(names_++); }
  /// The name of an image of these pixels, one wide and one high: "p0", "p1", ...
  std::string image(const Raster& raster);

  const std::string& written() const { return written_; }

 private:
  std::string written_;
  std::map<std::string, std::string> outlines_;
  std::map<std::string, std::string> clips_;
  std::size_t names_ = 0;
  std::vector<Raster> images_;
};

// --- What an item is drawn as

SvgElement svg_element(const FilledBox& filled, SvgDefinitions& definitions);
SvgElement svg_element(const Path& path, SvgDefinitions& definitions);
SvgElement svg_element(const Disc& disc, SvgDefinitions& definitions);
SvgElement svg_element(const Raster& raster, SvgDefinitions& definitions);

/// A label as outlines: the group that places and colours the letters, and the letters on their baseline, in
/// thousandths of the label's size.
struct SvgLetters {
  SvgElement group;
  std::vector<SvgElement> letters;  // <use>, and <path> for the bar of a root
  std::string rim_width;            // of the label's halo, or ""
};

/// For who draws several pictures with the same letters, and need not know Pango.
std::shared_ptr<GlyphOutlines> no_outlines_yet();

SvgLetters svg_letters(const Label& label, GlyphOutlines& outlines, SvgDefinitions& definitions);

}  // namespace attnlab
