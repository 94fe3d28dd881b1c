#include "plotting/colour/colour.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab {
namespace {

constexpr double vanishing = 0.35;  // the share of a sequential palette too close to the paper

// Of a palette that runs from the paper's colour: viridis and cividis stand out at both ends.
bool vanishes(Palette palette) {
  return palette == Palette::blues || palette == Palette::greys;
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

unsigned int to_hex(const Colour& colour) {
  const auto byte = [](double channel) { return static_cast<unsigned int>(std::lround(channel * 255.0)); };
  return (byte(colour.red) << 16U) | (byte(colour.green) << 8U) | byte(colour.blue);
}

Colour mixed(const Colour& one, const Colour& other, double share_of_other) {
  const auto mix = [share_of_other](double from, double to) { return from + (to - from) * share_of_other; };
  return {mix(one.red, other.red), mix(one.green, other.green), mix(one.blue, other.blue)};
}

double fraction_of(const ColourScale& scale, double value) {
  const bool in_decades = scale.spacing == ColourScale::Spacing::logarithmic;
  if (in_decades && value <= scale.low) return 0.0;
  const auto place = [in_decades](double x) { return in_decades ? std::log10(x) : x; };
  const double span = place(scale.high) - place(scale.low);
  return span > 0.0 ? std::clamp((place(value) - place(scale.low)) / span, 0.0, 1.0) : 0.5;
}

double value_at(const ColourScale& scale, double fraction) {
  if (scale.spacing == ColourScale::Spacing::linear) return scale.low + fraction * (scale.high - scale.low);
  return scale.low * std::pow(scale.high / scale.low, fraction);
}

Colour palette_colour(Palette palette, double fraction, Theme theme) {
  const std::vector<Colour>& stops = anchors_of(palette, theme);
  const double share = std::clamp(fraction, 0.0, 1.0);
  if (is_stepped(palette)) {
    const auto count = static_cast<double>(stops.size());
    return stops[static_cast<std::size_t>(std::min(share * count, count - 1.0))];
  }
  const double place = share * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  return mixed(stops[below], stops[below + 1], place - static_cast<double>(below));
}

Colour colour_of(const ColourScale& scale, double value, Theme theme, Coloured what) {
  const double fraction = fraction_of(scale, value);
  const bool shorten = what == Coloured::marks && vanishes(scale.palette);
  return palette_colour(scale.palette, shorten ? vanishing + (1.0 - vanishing) * fraction : fraction, theme);
}

bool is_hatched(const ColourScale& scale, double value) {
  return scale.palette == Palette::signed_greys && value < 0.0;
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
