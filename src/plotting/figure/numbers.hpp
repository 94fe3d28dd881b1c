// A figure without its numbers: an exercise sheet.
#pragma once

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// The same panels, axes, labels and names in the same places, but empty: cells are outlined, bars, points,
/// curves, callouts and the arrow of the output are gone, arrows and boxes keep neither colour nor weight,
/// and colour bars are left out. Axis limits stay those of the data. Numbers with decimals and percentages in
/// words become ____, except those that stand in `given`, the texts of the parameters; sentences of the
/// caption that hold some are left out. `title` takes the place of the title, which gives the answer away,
/// with a line for name and date below.
Figure blank(const Figure& figure, const Text& title, const std::vector<std::string>& provided = {});

/// "0.80", "80 %", "1.2e-05" and the right side of "2 × 3 = 6" become ____; whole numbers, numbers such as
/// 2.2.13 and temperatures (T=0.5) stay, as does every number that stands in `given`.
std::string without_numbers(const std::string& text, const std::vector<std::string>& provided = {});

}  // namespace attnlab
