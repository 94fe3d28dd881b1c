#include "plotting/colour/palette.hpp"

#include "plotting/colour/colour.hpp"

namespace attnlab {
namespace {

std::vector<Colour> colours(const std::vector<unsigned int>& hex) {
  std::vector<Colour> all;
  all.reserve(hex.size());
  for (const unsigned int rgb : hex) all.push_back(from_hex(rgb));
  return all;
}

/// One palette as it is on light paper and on dark; print takes the light one.
struct Variants {
  std::vector<Colour> light;
  std::vector<Colour> dark;

  const std::vector<Colour>& on(Theme theme) const { return theme == Theme::dark ? dark : light; }
};

const Variants& blues() {
  static const Variants variants{
      colours({0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6, 0x4292c6, 0x2171b5, 0x08519c, 0x08306b}),
      colours({0x18243a, 0x12315c, 0x08519c, 0x2171b5, 0x4292c6, 0x6baed6, 0x9ecae1, 0xc6dbef, 0xeaf3fb})};
  return variants;
}

// Dark at the small end everywhere: that is how these two are known.
const Variants& viridis() {
  static const std::vector<Colour> steps = colours(
      {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725});
  static const Variants variants{steps, steps};
  return variants;
}
const Variants& cividis() {
  static const std::vector<Colour> steps = colours(
      {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838});
  static const Variants variants{steps, steps};
  return variants;
}

const Variants& greys() {
  static const Variants variants{
      colours({0xffffff, 0xf0f0f0, 0xd9d9d9, 0xbdbdbd, 0x969696, 0x737373, 0x525252, 0x252525, 0x000000}),
      colours({0x1c1f24, 0x2e3238, 0x474b52, 0x646a72, 0x868c94, 0xa7adb4, 0xc6cacf, 0xe2e5e8, 0xffffff})};
  return variants;
}

// Six colours that everybody can name, each darker than the one before (brighter on dark paper).
const Variants& bands() {
  static const std::vector<unsigned int> white_to_black{0xf6f6f2, 0xfccc00, 0xf07f13,
                                                        0xc9252d, 0x6f2a86, 0x140d28};
  static const Variants variants{
      colours(white_to_black),
      colours(std::vector<unsigned int>(white_to_black.rbegin(), white_to_black.rend()))};
  return variants;
}

const Variants& rdbu() {
  static const Variants variants{colours({0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7,
                                          0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061}),
                                 colours({0xffd0bf, 0xf99a7c, 0xdd5a45, 0xa02f2c, 0x5a2327, 0x24262d,
                                          0x1f3d5c, 0x2a659b, 0x4c97d1, 0x93c8ef, 0xcfe9ff})};
  return variants;
}

const Variants& puor() {
  static const Variants variants{colours({0x7f3b08, 0xb35806, 0xe08214, 0xfdb863, 0xfee0b6, 0xf7f7f7,
                                          0xd8daeb, 0xb2abd2, 0x8073ac, 0x542788, 0x2d004b}),
                                 colours({0xffe3b8, 0xfdb863, 0xe08214, 0xa3520b, 0x54300f, 0x24262d,
                                          0x372a52, 0x5c4392, 0x8b7cc0, 0xb9b0dd, 0xe4e2f4})};
  return variants;
}

// Dark at both ends: the sign is in the hatching of the negative half.
const Variants& signed_greys() {
  static const Variants variants{
      colours({0x252525, 0x737373, 0xbdbdbd, 0xffffff, 0xbdbdbd, 0x737373, 0x252525}),
      colours({0xe2e5e8, 0xa7adb4, 0x646a72, 0x1c1f24, 0x646a72, 0xa7adb4, 0xe2e5e8})};
  return variants;
}

const Variants& variants_of(Palette palette) {
  switch (palette) {
    case Palette::blues:
      return blues();
    case Palette::viridis:
      return viridis();
    case Palette::cividis:
      return cividis();
    case Palette::greys:
      return greys();
    case Palette::bands:
      return bands();
    case Palette::rdbu:
      return rdbu();
    case Palette::puor:
      return puor();
    case Palette::signed_greys:
      return signed_greys();
  }
  return blues();
}

const Text colour_brewer{"ColorBrewer（Cynthia Brewer）", "ColorBrewer, by Cynthia Brewer"};

}  // namespace

PaletteKind kind_of(Palette palette) {
  const bool diverging =
      palette == Palette::rdbu || palette == Palette::puor || palette == Palette::signed_greys;
  return diverging ? PaletteKind::diverging : PaletteKind::sequential;
}

std::string name_of(Palette palette) {
  switch (palette) {
    case Palette::blues:
      return "blues";
    case Palette::viridis:
      return "viridis";
    case Palette::cividis:
      return "cividis";
    case Palette::greys:
      return "greys";
    case Palette::bands:
      return "bands";
    case Palette::rdbu:
      return "rdbu";
    case Palette::puor:
      return "puor";
    case Palette::signed_greys:
      return "signed-greys";
  }
  return "";
}

std::string name_of(SeriesPalette palette) {
  return palette == SeriesPalette::okabe_ito ? "okabe-ito" : "tol-bright";
}

const std::vector<Palette>& palettes() {
  static const std::vector<Palette> all{Palette::blues, Palette::viridis,     Palette::cividis,
                                        Palette::greys, Palette::bands,       Palette::rdbu,
                                        Palette::puor,  Palette::signed_greys};
  return all;
}

const std::vector<SeriesPalette>& series_palettes() {
  static const std::vector<SeriesPalette> all{SeriesPalette::okabe_ito, SeriesPalette::tol_bright};
  return all;
}

Text origin_of(Palette palette) {
  switch (palette) {
    case Palette::blues:
    case Palette::greys:
    case Palette::rdbu:
    case Palette::puor:
    case Palette::signed_greys:
      return colour_brewer;
    case Palette::viridis:
      return {"matplotlib の viridis（Stéfan van der Walt, Nathaniel Smith）",
              "matplotlib's viridis, by Stéfan van der Walt and Nathaniel Smith"};
    case Palette::cividis:
      return {"cividis（Nuñez, Anderton, Renslow 2018）", "cividis, by Nuñez, Anderton and Renslow (2018)"};
    case Palette::bands:
      break;
  }
  return {"attnlab が作ったもの", "attnlab's own"};
}

Text origin_of(SeriesPalette palette) {
  if (palette == SeriesPalette::okabe_ito)
    return {"岡部正隆と伊藤啓（2008）による。緑と桃を、灰色でも区別できる明るさに変えた",
            "after Masataka Okabe and Kei Ito (2008); green and pink in other lightnesses, to differ in grey "
            "too"};
  return {"Paul Tol の bright と light", "Paul Tol's bright and light schemes"};
}

Text licence_of(Palette palette) {
  switch (palette) {
    case Palette::blues:
    case Palette::greys:
    case Palette::rdbu:
    case Palette::puor:
    case Palette::signed_greys:
      return Text::same(
          "Apache-2.0, (c) 2002 Cynthia Brewer, Mark Harrower, The Pennsylvania State University");
    case Palette::viridis:
      return Text::same("CC0-1.0");
    case Palette::cividis:
      return {"BSD 型（Battelle）, (c) 2017 Battelle Memorial Institute",
              "BSD-style (Battelle), (c) 2017 Battelle Memorial Institute"};
    case Palette::bands:
      break;
  }
  return {"attnlab と同じ", "as attnlab"};
}

Text licence_of(SeriesPalette palette) {
  if (palette == SeriesPalette::okabe_ito)
    return {"公開された推奨配色。ライセンスの定めはありません",
            "a published recommendation, without a licence"};
  return Text::same("BSD-3-Clause, (c) 2022 Paul Tol");
}

const std::vector<Colour>& anchors_of(Palette palette, Theme theme) {
  return variants_of(palette).on(theme);
}

bool is_stepped(Palette palette) {
  return palette == Palette::bands;
}

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
  if (palette == SeriesPalette::tol_bright) {
    return theme == Theme::dark
               ? colours({0x77aadd, 0xeedd88, 0xee8866, 0xffaabb, 0xaaaa00, 0xdddddd, 0x44bb99})
               : colours({0x4477aa, 0xccbb44, 0xaa3377, 0xbbbbbb, 0x228833, 0x66ccee, 0xee6677});
  }
  return theme == Theme::dark
             ? colours({0x56b4e9, 0xe8651a, 0x2fc59b, 0xf0e442, 0xd98cc0, 0xb0741a, 0xe6e8ec})
             : colours({0x0072b2, 0xd55e00, 0x007a5a, 0xe69f00, 0xc26e9e, 0x56b4e9, 0x5f6368});
}

}  // namespace attnlab
