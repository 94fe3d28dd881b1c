// Numbers to colours, and how well two colours can be told apart.
#pragma once

#include "plotting/colour/palette.hpp"
#include "plotting/figure/figure.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

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

/// Whether the sign of this value is told by hatching: greys that are dark at both ends.
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
