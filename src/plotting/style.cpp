#include "plotting/layout/style.hpp"

#include <algorithm>
#include <cmath>

#include "plotting/colour/colour.hpp"

namespace attnlab {
namespace {

constexpr double points_per_inch = 72.0;

/// What is not data: paper, text, muted text, hairlines.
void colour_page(Style& style) {
  const bool dark = style.theme == Theme::dark;
  const bool print = style.theme == Theme::print;
  style.paper = from_hex(dark ? 0x14171c : 0xffffff);
  style.ink = from_hex(dark ? 0xf1f3f5 : print ? 0x000000 : 0x1b1e23);
  style.muted = from_hex(dark ? 0xa3abb5 : print ? 0x4d4d4d : 0x5c636b);
  style.grid = from_hex(dark ? 0x2c323a : print ? 0xdcdcdc : 0xe4e7eb);
}

}  // namespace

Measures measures_of(const PageSize& page) {
  const double side = points_per_inch * std::sqrt(page.width * page.height);
  const auto size = [side](double share) { return std::max(smallest_text, side * share); };
  return {size(0.033),  size(0.0265),  size(0.0240), size(0.0220),
          size(0.0205), smallest_text, side * 0.036, side * 0.0032};
}

Colour Style::colour(const Ink& which) const {
  switch (which.role) {
    case Ink::Role::foreground:
      return ink;
    case Ink::Role::muted:
      return muted;
    case Ink::Role::series:
      return series[which.series % series.size()];
  }
  return ink;
}

Style style_for(Theme theme, const Measures& measures, SeriesPalette series) {
  Style style;
  static_cast<Measures&>(style) = measures;
  style.theme = theme;
  colour_page(style);
  style.series = series_colours(series, theme);
  style.gap = style.body * 0.45;
  return style;
}

}  // namespace attnlab
