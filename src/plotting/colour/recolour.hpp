// The reader's choice of colours, applied to a figure: other palettes, other ends of the scale, decades.
#pragma once

#include "plotting/colour/palette.hpp"

namespace attnlab {

/// The ends of the colours are those of the values drawn.
struct RangeOfData {};

/// The ends of the colours stay as the figure has them, even where the first key is left out: they were
/// chosen for the frames of a film in common.
struct RangeOfFigure {};

using ColourRange = std::variant<RangeOfData, RangeOfFigure, Interval>;

/// Whether the first key, on which many trained heads rest most of their weight, counts for the range.
enum class FirstKey { counts, left_out };

struct ColourChoice {
  std::optional<Palette> sequential;  // default: each figure's own, greys in print
  std::optional<Palette> diverging;
  SeriesPalette series = SeriesPalette::okabe_ito;
  std::optional<ColourRange> range;  // default: each figure's own
  ColourScale::Spacing spacing = ColourScale::Spacing::linear;
  FirstKey first_key = FirstKey::counts;
};

struct Recoloured {
  Figure figure;
  std::vector<Text> warnings;  // values beyond the range, a figure that is almost one colour
};

/// Ranges are chosen for what has a colour bar: heat maps, arrows, bars, diagrams. A scale around zero stays
/// symmetric: it takes the larger of both ends. A logarithmic scale begins at the smallest positive value, at
/// most six decades below the largest; what is 0 or less takes its first colour. The caption tells of every
/// choice, and of values beyond the range.
Recoloured recolour(Figure figure, const ColourChoice& choice, Theme theme);

}  // namespace attnlab
