// Which grid: how many panels side by side, where their titles and the bar that all share.
#pragma once

#include "plotting/layout/panel_grid.hpp"

namespace attnlab {

/// Whether the page is as wide for its height as the one the figure was made for.
bool has_fixed_shape(const Figure& figure, const Sheet& sheet);

/// As on slides: what stands around the panels takes more of the page than the figure was made for.
bool has_large_letters(const Sheet& sheet);

/// Taste: the size of the smallest panel's picture in this grid, the larger the better; 0 without room.
double merit(const PanelGrid& grid, const Figure& figure, Sheet& sheet);

/// Where the bar that all panels share stands, and what that leaves for them.
struct PanelArrangement {
  BarPlace bar = BarPlace::beside;
  Box space;
  PanelGrid grid;
};

/// The bar stands beside the panels, or below maps whose cells become larger so, on a page of another shape.
PanelArrangement best_arrangement(const Figure& figure, Sheet& sheet, const Box& space,
                                  const Space& reserved);

}  // namespace attnlab
