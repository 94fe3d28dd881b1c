// A row of names under equally spaced places: level where they fit, turned where they are long, thinned last.
#pragma once

#include <string>
#include <vector>

#include "plotting/layout/sheet.hpp"

namespace attnlab {

struct LabelPlan {
  double angle = 0.0;     // degrees: 0, -45 or -90
  std::size_t step = 1;   // every step-th name is written
  double depth = 0.0;     // room needed below the axis
  double overhang = 0.0;  // how far the first name reaches left of its place
  double longest = 0.0;   // names are elided beyond this width
};

/// `spacing` is the distance between two places, `longest` the room a turned name may take.
LabelPlan plan_labels(const std::vector<ShortText>& names, const Sheet& sheet, double spacing,
                      double longest);

/// Writes names `plan.step` apart below `y`, the first centred at `x`; ids are prefix[i].
void draw_labels(const std::vector<ShortText>& names, const LabelPlan& plan, Sheet& sheet,
                 const Position& first, double spacing, const std::string& prefix);

/// The widest of the names at the tick size, elided at `longest`.
double widest(const std::vector<ShortText>& names, const Sheet& sheet, double longest);

}  // namespace attnlab
