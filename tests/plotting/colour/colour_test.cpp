#include "plotting/colour/palette.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "plotting/layout/style.hpp"

namespace attnlab {
namespace {

constexpr std::array<Theme, 3> themes{Theme::light, Theme::dark, Theme::print};

bool same(const Colour& one, const Colour& other) {
  return std::abs(one.red - other.red) + std::abs(one.green - other.green) + std::abs(one.blue - other.blue) <
         1e-12;
}

}  // namespace

TEST_CASE("WCAG contrast is 21 between black and white and 1 between equals") {
  // By hand from the definition: (1 + 0.05) / (0 + 0.05) = 21.
  CHECK(contrast({0, 0, 0}, {1, 1, 1}) == doctest::Approx(21.0));
  CHECK(contrast({0.3, 0.5, 0.7}, {0.3, 0.5, 0.7}) == doctest::Approx(1.0));
  // #777777 on white is 4.48 : 1, the well-known grey that just misses 4.5 (WebAIM's contrast checker).
  CHECK(contrast(from_hex(0x777777), {1, 1, 1}) == doctest::Approx(4.48).epsilon(0.002));
}

TEST_CASE("Text in black or white reads on every colour of every palette") {
  for (const auto& entry : palettes())
    for (const Theme theme : themes)
      for (int i = 0; i <= 1000; ++i) {
        const Colour background = palette_colour(entry.palette, i / 1000.0, theme);
        CHECK(contrast(black_or_white_on(background), background) >= 4.5);
      }
}

TEST_CASE("The light palettes are those of ColorBrewer and matplotlib at their anchors") {
  // Published values: ColorBrewer Blues 9 and RdBu 11, matplotlib viridis.
  CHECK(same(palette_colour(Palette::blues, 0.0, Theme::light), from_hex(0xf7fbff)));
  CHECK(same(palette_colour(Palette::blues, 0.5, Theme::light), from_hex(0x6baed6)));
  CHECK(same(palette_colour(Palette::blues, 1.0, Theme::light), from_hex(0x08306b)));
  CHECK(same(palette_colour(Palette::rdbu, 0.0, Theme::light), from_hex(0x67001f)));
  CHECK(same(palette_colour(Palette::rdbu, 0.5, Theme::light), from_hex(0xf7f7f7)));
  CHECK(same(palette_colour(Palette::viridis, 1.0, Theme::light), from_hex(0xfde725)));
}

TEST_CASE("A sequential palette moves away from the paper as values grow in both themes") {
  for (const Theme theme : themes) {
    const Colour paper = style_for(theme, measures_of({})).paper;
    double before = 0.0;
    for (int i = 0; i <= 100; ++i) {
      const double now = contrast(palette_colour(Palette::blues, i / 100.0, theme), paper);
      CHECK(now > before);
      before = now;
    }
  }
}

TEST_CASE("Values beyond a scale take its end colours") {
  const ColourScale scale{Palette::viridis, -1.0, 1.0, Text::same("")};
  CHECK(same(colour_of(scale, -7.0, Theme::light), colour_of(scale, -1.0, Theme::light)));
  CHECK(same(colour_of(scale, 7.0, Theme::light), colour_of(scale, 1.0, Theme::light)));
  CHECK_FALSE(same(colour_of(scale, 0.0, Theme::light), colour_of(scale, 1.0, Theme::light)));
}

TEST_CASE("A scale without extent gives its middle colour instead of dividing by zero") {
  const ColourScale scale{Palette::rdbu, 2.0, 2.0, Text::same("")};
  CHECK(same(colour_of(scale, 2.0, Theme::light), from_hex(0xf7f7f7)));
}

TEST_CASE("Text colours of both themes have a contrast of 4.5 and marks one of 2 on the paper") {
  for (const Theme theme : themes) {
    const Style style = style_for(theme, measures_of({}));
    CHECK(contrast(style.ink, style.paper) >= 7.0);
    CHECK(contrast(style.muted, style.paper) >= 4.5);
    for (const Colour& colour : style.series) CHECK(contrast(colour, style.paper) >= 2.0);
  }
}

TEST_CASE("Text grows with the page and never falls below seven points") {
  const Style small = style_for(Theme::light, measures_of({1.0, 1.0}));
  const Style large = style_for(Theme::light, measures_of({12.0, 12.0}));
  for (const double size : {small.title, small.panel_title, small.body, small.tick, small.caption})
    CHECK(size >= smallest_text);
  CHECK(large.body > 2.0 * style_for(Theme::light, measures_of({6.0, 6.0})).body * 0.99);
}

}  // namespace attnlab
