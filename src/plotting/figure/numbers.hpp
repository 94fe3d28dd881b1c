// A figure with all its numbers and shapes written into the picture, or without them: an exercise sheet.
#pragma once

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Every matrix shows its numbers (two digits after the point, where its cells have none) and its shape; bars
/// show their values; the last finite point of a curve, and each of at most twelve points, says where it is.
Figure annotated(Figure figure);

/// The same panels, axes, labels and names in the same places, but empty: cells are outlined, bars, points,
/// curves, callouts and the arrow of the output are gone, arrows and boxes keep neither colour nor weight,
/// and colour bars are left out. Axis limits stay those of the data. Numbers with decimals and percentages in
/// words become ____, except those that stand in `given`, the texts of the parameters; sentences of the
/// caption that hold some are left out. `title` takes the place of the title, which gives the answer away,
/// with a line for name and date below.
Figure blank(const Figure& figure, const Text& title, const std::vector<std::string>& given = {});

/// "0.80", "80 %", "1.2e-05" and the right side of "2 × 3 = 6" become ____; whole numbers, numbers such as
/// 2.2.13 and temperatures (T=0.5) stay, as does every number that stands in `given`.
std::string without_numbers(const std::string& text, const std::vector<std::string>& given = {});

}  // namespace attnlab
