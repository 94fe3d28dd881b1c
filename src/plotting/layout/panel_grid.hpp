// Panels in rows and columns: how many side by side, and how large each becomes.
#pragma once

#include <cstddef>
#include <vector>

#include "plotting/figure/figure.hpp"
#include "plotting/layout/layout.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {

struct PanelGrid {
  std::size_t columns = 1;
  std::size_t rows = 1;
  Extent data;                    // of each panel
  double title_size = 0.0;        // of the titles above panels, in points
  std::vector<Insets> in_column;  // left and right of each grid column
  std::vector<Insets> in_row;     // top and bottom of each grid row
  std::vector<double> share;      // of the data's height that each grid row takes, times the number of rows
  Names series = Names::beside_marks;
};

/// Where axes are shared, the first panel of a row names its rows and the lowest of a column names its
/// columns. Charts side by side with one y axis write it once in any case.
Surroundings around_panel(const Figure& figure, std::size_t index, const PanelGrid& grid);

/// The grid with so many columns. The series of all panels are named in one way: a legend in one is a legend
/// in all, and in a film, where marks move, legends stay where they are.
PanelGrid grid_with(std::size_t columns, const Figure& figure, Sheet& sheet, const Extent& room,
                    const Room& reserved);

/// The part of a panel's area that its picture may fill.
Box area_to_fill(const Figure& figure, const PanelGrid& grid, const Panel& panel, const Box& area);

/// The size of the smallest panel's picture in this grid, the larger the better.
double merit(const PanelGrid& grid, const Figure& figure, Sheet& sheet);

/// How many panels may stand side by side. What the figure wants comes first; on a page of another shape
/// whole rows may be joined or halved, so that what stands side by side stays so or comes one below the
/// other.
std::vector<std::size_t> column_choices(const Figure& figure, const Sheet& sheet);

}  // namespace attnlab
