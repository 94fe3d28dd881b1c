#include "plotting/style.hpp"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr double points_per_inch = 72.0;

// The qualitative colours of Okabe and Ito (2008), reordered so that the first pairs differ most; on dark
// paper lightened where they would sink.
std::vector<Colour> series_colours(Theme theme) {
  if (theme == Theme::dark) {
    return {from_hex(0x56b4e9), from_hex(0xe8651a), from_hex(0x2fc59b), from_hex(0xf0e442),
            from_hex(0xe08cc0), from_hex(0xe69f00), from_hex(0xa8adb7)};
  }
  return {from_hex(0x0072b2), from_hex(0xd55e00), from_hex(0x009e73), from_hex(0xe69f00),
          from_hex(0xcc79a7), from_hex(0x56b4e9), from_hex(0x5f6368)};
}

}  // namespace

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

Style style_for(Theme theme, const PageSize& page) {
  Style style;
  style.theme = theme;
  const bool dark = theme == Theme::dark;
  style.paper = from_hex(dark ? 0x14171c : 0xffffff);
  style.ink = from_hex(dark ? 0xf1f3f5 : 0x1b1e23);
  style.muted = from_hex(dark ? 0xa3abb5 : 0x5c636b);
  style.grid = from_hex(dark ? 0x2c323a : 0xe4e7eb);
  style.series = series_colours(theme);

  const double side = points_per_inch * std::sqrt(page.width * page.height);
  const auto size = [side](double share) { return std::max(smallest_text, side * share); };
  style.title = size(0.033);
  style.panel_title = size(0.0265);
  style.body = size(0.0240);
  style.tick = size(0.0220);
  style.caption = size(0.0205);
  style.margin = side * 0.036;
  style.gap = style.body * 0.45;
  style.line = side * 0.0032;
  return style;
}

}  // namespace attnlab
