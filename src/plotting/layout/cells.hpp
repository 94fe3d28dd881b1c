// A matrix as coloured cells, with or without the numbers in them.
#pragma once

#include "plotting/layout/sheet.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {

/// A map with more cells is drawn as one raster: an SVG would grow to hundreds of megabytes.
constexpr std::size_t most_boxes = 20000;

/// Cells overlap their neighbours a little: vector viewers show hairlines otherwise.
constexpr double seam = 0.4;

struct Extent {
  double width = 0.0;
  double height = 0.0;
};

/// How a number is written where there is less and less room: "0.25", ".25" where all lie between -1 and 1,
/// ".3" where that still tells them apart.
enum class Digits { all, without_zero, one };

/// How the numbers stand in their cells: in points, 0 where they have no room.
struct NumberForm {
  double size = 0.0;
  Digits digits = Digits::all;

  /// One digit alone is a makeshift.
  bool is_complete() const { return size > 0.0 && digits != Digits::one; }
  /// Numbers are worth cells of twice the size, rounded ones a little less.
  double worth() const { return is_complete() ? 2.0 : size > 0.0 ? 1.6 : 1.0; }
};

/// Of those of the maps that have numbers, or will have some in the steps that follow.
std::vector<NumberWidths> number_widths(const std::vector<const HeatMap*>& maps, const Sheet& sheet);

/// The least size of numbers, as a share of that of the names beside them: in a map smaller ones are a grey
/// patch, an equation has little else to show.
constexpr double in_map = 0.7;
constexpr double in_equation = 0.5;

/// One form for the numbers of several matrices: the largest in which every number fits a cell of that size,
/// at most the body size; with fewer digits only where the smallest text has no room for more. 0 points of
/// none.
NumberForm form_of_all(const std::vector<NumberWidths>& widths, const Style& style, const Extent& cell,
                       double least_share);

/// The width of a cell of which the widest number takes this share in the smallest text.
double space_of_numbers(const std::vector<NumberWidths>& widths, Digits digits, const Style& style,
                        double share);

/// Fills `box`. The numbers shrink to fit, down to the smallest text, then lose digits; after that they are
/// left out with a warning. `form`, if given, is one that several matrices have in common.
void draw_cells(const HeatMap& map, Sheet& sheet, const Box& box,
                const std::optional<NumberForm>& form = std::nullopt);

}  // namespace attnlab
