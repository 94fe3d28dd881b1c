// What a page looks like before anything is placed: the colours of its theme, the sizes of its letters and
// lines, and presets, which choose a page for a purpose.
#pragma once

#include "plotting/colour/palette.hpp"

namespace attnlab {

/// No text is set smaller than this, in points, on any page.
constexpr double smallest_text = 7.0;

/// The sizes of a page, in points.
struct Measures {
  double title = 0.0;
  double panel_title = 0.0;
  double body = 0.0;  // axis titles, labels in the picture
  double tick = 0.0;
  double caption = 0.0;
  double smallest = smallest_text;  // numbers in cells and at bars shrink down to this, then are left out
  double margin = 0.0;
  double line = 0.0;
};

/// Text grows with the page, because what counts in a lecture hall is its share of the screen.
Measures measures_of(const PageSize& page);

struct Style : Measures {
  Theme theme = Theme::light;
  Colour paper;
  Colour ink;                  // text and axes
  Colour muted;                // captions, guides
  Colour grid;                 // hairlines behind the data
  std::vector<Colour> series;  // seven colours that every colour vision tells apart
  double gap = 0.0;            // between a mark and its label

  Colour colour(const Ink& which) const;
};

Style style_for(Theme theme, const Measures& measures, SeriesPalette series = SeriesPalette::okabe_ito);

/// Whether the title, or the caption, stands in the picture, or is left to the text around it.
enum class Wording { drawn, left_to_text };

/// A page for a purpose: its size, its letters, its lines and margins, chosen together.
struct Preset {
  std::string name;  // what --preset takes
  Text purpose;
  PageSize page;
  Measures measures;
  Wording caption = Wording::drawn;
};

/// slide-16x9, slide-4x3, book, column, poster, square. On slides no text is smaller than 18 points.
const std::vector<Preset>& presets();

/// Throws std::out_of_range for a name that none has.
const Preset& preset_named(const std::string& name);

}  // namespace attnlab
