// A matrix as coloured cells, with or without the numbers in them.
#pragma once

#include <string>

#include "plotting/sheet.hpp"

namespace attnlab {

struct Cells {
  const std::string& id;
  const Matrix& values;
  const ColourScale& scale;
  int decimals;
};

/// Fills `box`. The numbers shrink to fit, down to the smallest text; below that they are left out with a
/// warning.
void draw_cells(const Cells& cells, Sheet& sheet, const Box& box);

}  // namespace attnlab
