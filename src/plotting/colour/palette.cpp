#include "plotting/colour/palette.hpp"

namespace attnlab {
namespace {

std::vector<Colour> colours(const std::vector<unsigned int>& hex) {
  std::vector<Colour> all;
  all.reserve(hex.size());
  for (const unsigned int rgb : hex) all.push_back(from_hex(rgb));
  return all;
}

const Text brewer{"ColorBrewer（Cynthia Brewer）", "ColorBrewer, by Cynthia Brewer"};
const Text brewer_licence =
    Text::same("Apache-2.0, (c) 2002 Cynthia Brewer, Mark Harrower, The Pennsylvania State University");

template <class Which>
const PaletteEntry<Which>& entry_of(const std::vector<PaletteEntry<Which>>& table, Which palette) {
  return *std::find_if(table.begin(), table.end(),
                       [palette](const auto& entry) { return entry.palette == palette; });
}

constexpr double vanishing = 0.35;  // the share of a sequential palette too close to the paper

// Of a palette that runs from the paper's colour: viridis and cividis stand out at both ends.
bool vanishes(Palette palette) { return palette == Palette::blues || palette == Palette::greys; }

// sRGB to linear light, then the luminance weights of ITU-R BT.709 (WCAG 2.1, "relative luminance").
double luminance(const Colour& colour) {
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

}  // namespace

PaletteKind kind_of(Palette palette) { return entry_of(palettes(), palette).kind; }

const std::vector<PaletteEntry<Palette>>& palettes() {
  // Viridis and cividis are dark at the small end everywhere: that is how these two are known.
  static const auto viridis = colours(
      {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725});
  static const auto cividis = colours(
      {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838});
  // Six colours that everybody can name, each darker than the one before (brighter on dark paper).
  static const auto white_to_black = colours({0xf6f6f2, 0xfccc00, 0xf07f13, 0xc9252d, 0x6f2a86, 0x140d28});
  static const std::vector<PaletteEntry<Palette>> entries{
      {Palette::blues, "blues", PaletteKind::sequential, brewer, brewer_licence,
       colours({0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6, 0x4292c6, 0x2171b5, 0x08519c, 0x08306b}),
       colours({0x18243a, 0x12315c, 0x08519c, 0x2171b5, 0x4292c6, 0x6baed6, 0x9ecae1, 0xc6dbef, 0xeaf3fb})},
      {Palette::viridis,
       "viridis",
       PaletteKind::sequential,
       {"matplotlib の viridis（Stéfan van der Walt, Nathaniel Smith）",
        "matplotlib's viridis, by Stéfan van der Walt and Nathaniel Smith"},
       Text::same("CC0-1.0"),
       viridis,
       viridis},
      {Palette::cividis,
       "cividis",
       PaletteKind::sequential,
       {"cividis（Nuñez, Anderton, Renslow 2018）", "cividis, by Nuñez, Anderton and Renslow (2018)"},
       {"BSD 型（Battelle）, (c) 2017 Battelle Memorial Institute",
        "BSD-style (Battelle), (c) 2017 Battelle Memorial Institute"},
       cividis,
       cividis},
      {Palette::greys, "greys", PaletteKind::sequential, brewer, brewer_licence,
       colours({0xffffff, 0xf0f0f0, 0xd9d9d9, 0xbdbdbd, 0x969696, 0x737373, 0x525252, 0x252525, 0x000000}),
       colours({0x1c1f24, 0x2e3238, 0x474b52, 0x646a72, 0x868c94, 0xa7adb4, 0xc6cacf, 0xe2e5e8, 0xffffff})},
      {Palette::bands,
       "bands",
       PaletteKind::sequential,
       {"attnlab が作ったもの", "attnlab's own"},
       {"attnlab と同じ", "as attnlab"},
       white_to_black,
       {white_to_black.rbegin(), white_to_black.rend()}},
      {Palette::rdbu, "rdbu", PaletteKind::diverging, brewer, brewer_licence,
       colours({0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7, 0xd1e5f0, 0x92c5de, 0x4393c3,
                0x2166ac, 0x053061}),
       colours({0xffd0bf, 0xf99a7c, 0xdd5a45, 0xa02f2c, 0x5a2327, 0x24262d, 0x1f3d5c, 0x2a659b, 0x4c97d1,
                0x93c8ef, 0xcfe9ff})},
      {Palette::puor, "puor", PaletteKind::diverging, brewer, brewer_licence,
       colours({0x7f3b08, 0xb35806, 0xe08214, 0xfdb863, 0xfee0b6, 0xf7f7f7, 0xd8daeb, 0xb2abd2, 0x8073ac,
                0x542788, 0x2d004b}),
       colours({0xffe3b8, 0xfdb863, 0xe08214, 0xa3520b, 0x54300f, 0x24262d, 0x372a52, 0x5c4392, 0x8b7cc0,
                0xb9b0dd, 0xe4e2f4})},
      // Dark at both ends: the sign is in the hatching of the negative half.
      {Palette::signed_greys, "signed-greys", PaletteKind::diverging, brewer, brewer_licence,
       colours({0x252525, 0x737373, 0xbdbdbd, 0xffffff, 0xbdbdbd, 0x737373, 0x252525}),
       colours({0xe2e5e8, 0xa7adb4, 0x646a72, 0x1c1f24, 0x646a72, 0xa7adb4, 0xe2e5e8})}};
  return entries;
}

const std::vector<PaletteEntry<SeriesPalette>>& series_palettes() {
  static const std::vector<PaletteEntry<SeriesPalette>> entries{
      {SeriesPalette::okabe_ito,
       "okabe-ito",
       PaletteKind::qualitative,
       {"岡部正隆と伊藤啓（2008）による。緑と桃を、灰色でも区別できる明るさに変えた",
        "after Masataka Okabe and Kei Ito (2008); green and pink in other lightnesses, to differ in grey too"},
       {"公開された推奨配色。ライセンスの定めはありません", "a published recommendation, without a licence"},
       colours({0x0072b2, 0xd55e00, 0x007a5a, 0xe69f00, 0xc26e9e, 0x56b4e9, 0x5f6368}),
       colours({0x56b4e9, 0xe8651a, 0x2fc59b, 0xf0e442, 0xd98cc0, 0xb0741a, 0xe6e8ec})},
      {SeriesPalette::tol_bright,
       "tol-bright",
       PaletteKind::qualitative,
       {"Paul Tol の bright と light", "Paul Tol's bright and light schemes"},
       Text::same("BSD-3-Clause, (c) 2022 Paul Tol"),
       colours({0x4477aa, 0xccbb44, 0xaa3377, 0xbbbbbb, 0x228833, 0x66ccee, 0xee6677}),
       colours({0x77aadd, 0xeedd88, 0xee8866, 0xffaabb, 0xaaaa00, 0xdddddd, 0x44bb99})}};
  return entries;
}

const std::vector<Colour>& anchors_of(Palette palette, Theme theme) {
  const auto& entry = entry_of(palettes(), palette);
  return theme == Theme::dark ? entry.dark : entry.light;
}

bool is_stepped(Palette palette) { return palette == Palette::bands; }

std::vector<Text> band_names(Palette palette, Theme theme) {
  if (!is_stepped(palette)) return {};
  const std::vector<Text> light{{"白", "white"}, {"黄", "yellow"}, {"橙", "orange"},
                                {"赤", "red"},   {"紫", "purple"}, {"黒", "black"}};
  return theme == Theme::dark ? std::vector<Text>(light.rbegin(), light.rend()) : light;
}

std::vector<Colour> series_colours(SeriesPalette palette, Theme theme) {
  if (theme == Theme::print) {
    return colours({0x1a1a1a, 0x8a8a8a, 0x4d4d4d, 0x949494, 0x333333, 0x757575, 0x5c5c5c});
  }
  const auto& entry = entry_of(series_palettes(), palette);
  return theme == Theme::dark ? entry.dark : entry.light;
}

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
  const double share = (place(value) - place(scale.low)) / span;
  if (!(span > 0.0)) return 0.5;
  return share > 0.0 ? std::min(share, 1.0) : 0.0;  // NaN, too, has a place
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
  constexpr double white = 0.005;  // of the scale: no grey can be seen there, and two digits say 0
  return scale.palette == Palette::signed_greys && value < white * std::min(scale.low, 0.0);
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
