#include "plotting/layout/style.hpp"

#include "core/named.hpp"

namespace attnlab {
namespace {

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
    case Ink::Role::foreground: return ink;
    case Ink::Role::muted: return muted;
    case Ink::Role::series: return series[which.series % series.size()];
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

const std::vector<Preset>& presets() {
  // title, panel title, body, tick, caption, smallest, margin, line
  static const std::vector<Preset> all{
      {"slide-16x9",
       {"16:9 のスライド全面", "a whole slide of 16:9"},
       {40.0 / 3.0, 7.5},
       {30.0, 23.0, 20.0, 18.5, 18.0, 18.0, 27.0, 2.6}},
      {"slide-4x3",
       {"4:3 のスライド全面", "a whole slide of 4:3"},
       {10.0, 7.5},
       {27.0, 22.0, 20.0, 18.5, 18.0, 18.0, 24.0, 2.4}},
      {"book",
       {"A5 の書籍の版面幅", "the width of the text in an A5 book"},
       {4.6, 3.2},
       {10.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.0, 0.9},
       Wording::left_to_text},
      {"column",
       {"二段組の一段", "one of a paper's two columns"},
       {3.4, 2.7},
       {9.0, 8.0, 7.5, 7.0, 7.0, 7.0, 4.0, 0.75},
       Wording::left_to_text},
      {"poster",
       {"A0 のポスターの横幅の半分ほど", "about half the width of an A0 poster"},
       {18.0, 12.0},
       {46.0, 36.0, 32.0, 29.0, 27.0, 24.0, 36.0, 4.0}},
      {"square",
       {"正方形。1080 ピクセルなら --dpi 135", "a square; 1080 pixels with --dpi 135"},
       {8.0, 8.0},
       {24.0, 19.0, 17.0, 16.0, 14.5, 13.0, 22.0, 2.0}}};
  return all;
}

const Preset& preset_named(const std::string& name) {
  const Preset* found = find_named(presets(), name);
  if (found == nullptr) throw std::out_of_range("no preset " + name);
  return *found;
}

}  // namespace attnlab
