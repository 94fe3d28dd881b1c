// What a page looks like before anything is placed: colours of the theme, sizes that follow the page.
#pragma once

#include <vector>

#include "plotting/colour.hpp"
#include "plotting/display_list.hpp"
#include "plotting/figure.hpp"

namespace attnlab {

/// No text is set smaller than this, in points.
constexpr double smallest_text = 7.0;

struct Style {
  Theme theme = Theme::light;
  Colour paper;
  Colour ink;                  // text and axes
  Colour muted;                // captions, guides
  Colour grid;                 // hairlines behind the data
  std::vector<Colour> series;  // seven colours that every colour vision tells apart

  // Points.
  double title = 0.0;
  double panel_title = 0.0;
  double body = 0.0;  // axis titles, labels in the picture
  double tick = 0.0;
  double caption = 0.0;
  double margin = 0.0;
  double gap = 0.0;  // between a mark and its label
  double line = 0.0;

  Colour colour(const Ink& which) const;
};

/// Text grows with the page, because what counts in a lecture hall is its share of the screen.
Style style_for(Theme theme, const PageSize& page);

}  // namespace attnlab
