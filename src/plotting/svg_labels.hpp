// A label as SVG: as the outlines of its letters, or as text.
#pragma once

#include <string>

#include "plotting/layout/display_list.hpp"
#include "plotting/text/glyph_outlines.hpp"
#include "plotting/svg_parts.hpp"

namespace attnlab {

/// An element of that id made of outlines; each outline is defined once.
std::string label_as_outlines(const std::string& id, const Label& label, GlyphOutlines& outlines,
                              SvgDefinitions& definitions);

/// A <text> element of that id. Every run has its place and its width, so that the layout holds with another
/// font, too.
std::string label_as_text(const std::string& id, const Label& label, SvgDefinitions& definitions);

/// The attributes that the root needs for such elements.
std::string attributes_of_text_root();

/// And a style sheet that keeps their spaces.
std::string style_of_texts();

}  // namespace attnlab
