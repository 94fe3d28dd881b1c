// A matrix as coloured cells, with or without the numbers in them.
#pragma once

#include <string>
#include <vector>

#include "plotting/layout/sheet.hpp"

namespace attnlab {

/// A map with more cells is drawn as one raster: an SVG would grow to hundreds of megabytes.
constexpr std::size_t most_boxes = 20000;

struct Cells {
  const std::string& id;
  const Matrix& values;
  const ColourScale& scale;
  int decimals = no_numbers;
  double largest_number = 0.0;                // points; 0: as large as the cells allow
  const std::vector<bool>* hidden = nullptr;  // HeatMap::hidden
  CellFill fill = CellFill::coloured;
  const std::vector<bool>* marked = nullptr;  // HeatMap::marked
};

/// The largest size at which every number fits its cell of that width and height, at most the body size; 0
/// when even the smallest text does not.
double number_size(const Cells& cells, const Style& style, double width, double height);

/// Fills `box`. The numbers shrink to fit, down to the smallest text; below that they are left out with a
/// warning.
void draw_cells(const Cells& cells, Sheet& sheet, const Box& box);

}  // namespace attnlab
