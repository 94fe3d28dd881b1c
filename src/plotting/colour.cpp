#include "plotting/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace attnlab {
namespace {

// ColorBrewer's Blues (9) and RdBu (11) by Cynthia Brewer, and matplotlib's viridis in ten steps; the dark
// variants run from near the dark paper to light.
const std::vector<unsigned int>& anchors(Palette palette, Theme theme) {
  static const std::vector<unsigned int> blues{0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6,
                                               0x4292c6, 0x2171b5, 0x08519c, 0x08306b};
  static const std::vector<unsigned int> blues_dark{0x18243a, 0x12315c, 0x08519c, 0x2171b5, 0x4292c6,
                                                    0x6baed6, 0x9ecae1, 0xc6dbef, 0xeaf3fb};
  static const std::vector<unsigned int> rdbu{0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7,
                                              0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061};
  static const std::vector<unsigned int> rdbu_dark{0xffd0bf, 0xf99a7c, 0xdd5a45, 0xa02f2c, 0x5a2327, 0x24262d,
                                                   0x1f3d5c, 0x2a659b, 0x4c97d1, 0x93c8ef, 0xcfe9ff};
  static const std::vector<unsigned int> viridis{0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                                 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
  switch (palette) {
    case Palette::blues:
      return theme == Theme::dark ? blues_dark : blues;
    case Palette::rdbu:
      return theme == Theme::dark ? rdbu_dark : rdbu;
    case Palette::viridis:
      return viridis;
  }
  return viridis;
}

constexpr double vanishing = 0.35;  // the share of a sequential palette too close to the paper

double fraction_of(const ColourScale& scale, double value) {
  const double span = scale.high - scale.low;
  return span > 0.0 ? std::clamp((value - scale.low) / span, 0.0, 1.0) : 0.5;
}

// sRGB to linear light, then the luminance weights of ITU-R BT.709 (WCAG 2.1, "relative luminance").
double luminance(const Colour& colour) {
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

}  // namespace

Colour from_hex(unsigned int rgb) {
  const auto channel = [rgb](unsigned int shift) {
    return static_cast<double>((rgb >> shift) & 0xffU) / 255.0;
  };
  return {channel(16), channel(8), channel(0)};
}

Colour palette_colour(Palette palette, double fraction, Theme theme) {
  const std::vector<unsigned int>& stops = anchors(palette, theme);
  const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(below);
  const Colour one = from_hex(stops[below]);
  const Colour two = from_hex(stops[below + 1]);
  const auto mix = [part](double from, double to) { return from + (to - from) * part; };
  return {mix(one.red, two.red), mix(one.green, two.green), mix(one.blue, two.blue)};
}

Colour colour_of(const ColourScale& scale, double value, Theme theme, Coloured what) {
  const double fraction = fraction_of(scale, value);
  const bool shorten = what == Coloured::marks && scale.palette == Palette::blues;
  return palette_colour(scale.palette, shorten ? vanishing + (1.0 - vanishing) * fraction : fraction, theme);
}

double contrast(const Colour& one, const Colour& other) {
  const double first = luminance(one) + 0.05;
  const double second = luminance(other) + 0.05;
  return std::max(first, second) / std::min(first, second);
}

Colour black_or_white_on(const Colour& background) {
  const Colour black{0.0, 0.0, 0.0};
  const Colour white{1.0, 1.0, 1.0};
  return contrast(black, background) >= contrast(white, background) ? black : white;
}

}  // namespace attnlab
