// The palettes by name: what each is for, and its colours from the small end to the large one; numbers to
// colours, and how well two colours can be told apart.
#pragma once

#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// In the order of --theme's words. `print` is for paper without colour: greys, and patterns where a colour
/// would carry the meaning.
enum class Theme { light, dark, print };

/// Sequential: little to much. Diverging: below and above zero. Qualitative: colours that only tell one
/// series from the next.
enum class PaletteKind { sequential, diverging, qualitative };
PaletteKind kind_of(Palette palette);

/// The colours of curves, points and bars, which only tell one series from the next.
enum class SeriesPalette { okabe_ito, tol_bright };

/// What stands in the tables of palettes: the name as --palette takes it; its kind; what the palette is and
/// who made it ("ColorBrewer's Blues, by Cynthia Brewer"); on what terms it may be used, and whose
/// ("Apache-2.0, (c) 2002 Cynthia Brewer, ..."); its colours as they are on light paper and on dark.
template <class Which>
struct PaletteEntry {
  Which palette;
  std::string name;
  PaletteKind kind = PaletteKind::sequential;
  Text origin;
  Text licence;
  std::vector<Colour> light;
  std::vector<Colour> dark;
};

/// Those that --palette offers, the default of each kind first.
const std::vector<PaletteEntry<Palette>>& palettes();
const std::vector<PaletteEntry<SeriesPalette>>& series_palettes();

/// The sentence that ColorBrewer's licence asks for wherever its colours are passed on.
constexpr const char* colour_brewer_notice =
    "This product includes color specifications and designs developed by Cynthia Brewer (http://colorbrewer.org/).";

/// The anchors between which a palette runs. On a dark page small is dark and large is bright, so that "more"
/// always stands out from the paper.
const std::vector<Colour>& anchors_of(Palette palette, Theme theme);

/// Whether colours change in steps, one per anchor, instead of running from one to the next.
bool is_stepped(Palette palette);

/// The names of a stepped palette's colours, one per anchor; none for the others.
std::vector<Text> band_names(Palette palette, Theme theme);

/// Seven colours in an order in which neighbours differ for every colour vision and in grey; for print,
/// greys.
std::vector<Colour> series_colours(SeriesPalette palette, Theme theme);

/// Where a value stands between the ends of its scale, clamped to 0..1, and the value that stands there.
double fraction_of(const ColourScale& scale, double value);
double value_at(const ColourScale& scale, double fraction);

/// The palette at `fraction` in 0..1 (clamped), linear in sRGB between its anchors, or in steps.
Colour palette_colour(Palette palette, double fraction, Theme theme);

/// Cells use the whole palette. Thin marks on bare paper leave out the third of a sequential one that would
/// vanish there, and so does their colour bar.
enum class Coloured { cells, marks };

/// The colour of a value; values beyond the scale take its end colours. `value` must be finite.
Colour colour_of(const ColourScale& scale, double value, Theme theme, Coloured what = Coloured::cells);

/// Whether the sign of this value is told by hatching: greys that are dark at both ends. Not where it is as
/// good as 0.
bool is_hatched(const ColourScale& scale, double value);

/// WCAG 2 contrast ratio, 1..21.
double contrast(const Colour& one, const Colour& other);

/// Pure black or pure white, whichever reads better on `background`: the worst case is 4.58 : 1, and any
/// other pair would fall below 4.5 on some colour of a sequential map.
Colour black_or_white_on(const Colour& background);

/// 0xRRGGBB
Colour from_hex(unsigned int rgb);
unsigned int to_hex(const Colour& colour);

/// From one colour to the other, linear in sRGB.
Colour mixed(const Colour& one, const Colour& other, double share_of_other);

}  // namespace attnlab
