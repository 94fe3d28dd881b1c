// The palettes by name: what each is for, and its colours from the small end to the large one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// `print` is for paper without colour: greys, and patterns where a colour would carry the meaning.
enum class Theme { light, dark, print };

/// Sequential: little to much. Diverging: below and above zero.
enum class PaletteKind { sequential, diverging };
PaletteKind kind_of(Palette palette);

/// The colours of curves, points and bars, which only tell one series from the next.
enum class SeriesPalette { okabe_ito, tol_bright };

/// "viridis", as --palette takes it.
std::string name_of(Palette palette);
std::string name_of(SeriesPalette palette);

/// Those that --palette offers, the default of each kind first.
const std::vector<Palette>& palettes();
const std::vector<SeriesPalette>& series_palettes();

/// What each palette is and who made it: "ColorBrewer's Blues, by Cynthia Brewer".
Text origin_of(Palette palette);
Text origin_of(SeriesPalette palette);

/// On what terms it may be used, and whose: "Apache-2.0, (c) 2002 Cynthia Brewer, ...".
Text licence_of(Palette palette);
Text licence_of(SeriesPalette palette);

/// The sentence that ColorBrewer's licence asks for wherever its colours are passed on.
constexpr const char* colour_brewer_notice =
    "This product includes color specifications and designs developed by Cynthia Brewer "
    "(http://colorbrewer.org/).";

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

}  // namespace attnlab
