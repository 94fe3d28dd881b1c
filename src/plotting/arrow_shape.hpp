// An arrow as a shaft and a head, wherever one is drawn.
#pragma once

#include <string>
#include <vector>

#include "plotting/layout/display_list.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {

/// Lengths in points; `head` is shortened where the arrow itself is short.
struct ArrowShape {
  Position tail;
  Position tip;
  Colour colour;
  double width = 1.0;
  double head = 0.0;       // length
  double half_head = 0.0;  // half its width
  std::vector<double> dashes;
};

/// Adds id (the head) and id.shaft, and keeps words away from both.
void add_arrow(const ArrowShape& arrow, Sheet& sheet, const std::string& id);

}  // namespace attnlab
