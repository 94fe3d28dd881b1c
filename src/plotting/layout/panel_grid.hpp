// Panels in rows and columns: how large each becomes in a grid, and drawing them there.
#pragma once

#include "plotting/layout/panel_layout.hpp"

namespace attnlab {

struct GridChoice {
  std::size_t columns = 1;
  TitlePlace titles = TitlePlace::above;
};

struct PanelGrid {
  std::size_t columns = 1;
  std::size_t rows = 1;
  Extent data;  // of each panel, on the average
  TitlePlace titles = TitlePlace::above;
  double title_size = 0.0;           // of the panels' titles, in points
  std::vector<Insets> in_column;     // left and right of each grid column
  std::vector<Insets> in_row;        // top and bottom of each grid row
  std::vector<double> column_share;  // of the data's width that each grid column takes, times their number
  std::vector<double> row_share;     // and of its height
  Names series = Names::beside_marks;

  Extent data_of(std::size_t panel) const {
    return {data.width * column_share[panel % columns], data.height * row_share[panel / columns]};
  }
};

template <class Kind>
bool has_only(const Figure& figure) {
  return std::all_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return std::holds_alternative<Kind>(panel.content); });
}

bool has_maps(const Figure& figure);

/// Heat maps on one scale are compared with each other: their cells have one size.
bool cells_of_one_size(const Figure& figure);

/// The heat maps of a figure that has nothing else, and the cells that fit every one into its panel.
std::vector<const HeatMap*> maps_of(const Figure& figure);
CommonCells common_cells(const Figure& figure, const Sheet& sheet, const PanelGrid& grid);

/// Whether the panel draws what its neighbours have in common: where axes are shared, the first of a row
/// names its rows and the lowest of a column names its columns. Charts side by side with one y axis write it
/// once in any case.
Surroundings around_panel(const Figure& figure, const Sheet& sheet, std::size_t index, const PanelGrid& grid);

/// Between two panels of a row, and between two rows. Two equations would read as one; rows with titles
/// beside them need no more than what parts them.
double gutter_across(const Figure& figure, const Style& style);
double gutter_down(const Figure& figure, const Style& style, TitlePlace titles);

constexpr double chart_aspect = 1.4;  // a pleasant width over height where the panel has no shape of its own

double smallest_share(const std::vector<double>& shares);

/// The room for a title above a panel, and above one of the narrowest column: it may stand over the names
/// beside its panel, too, as far as it has some on both sides.
double title_width(const PanelGrid& grid, std::size_t panel);
double narrowest_title(const PanelGrid& grid);

/// How large the panels become within `space` where at least `reserved` is kept around them. The series of
/// all panels are named in one way: a legend in one is a legend in all, and in a film, where marks move,
/// legends stay where they are.
PanelGrid sized_grid(const GridChoice& choice, const Figure& figure, Sheet& sheet, const Extent& space,
                     const Space& reserved);

bool has_space(const PanelGrid& grid);

/// The box that all pictures fill together, and where the names beside and below them end.
struct Drawing {
  Box pictures;
  double left = 0.0;
  double bottom = 0.0;
  double titles_end = 0.0;  // how far to the right panel titles reach
};

/// Draws into `space`, but for the colour bar and the titles that all share. Throws NoSpace.
Drawing draw_grid(const Figure& figure, Sheet& sheet, const Box& space, const Space& reserved,
                  const PanelGrid& grid);

}  // namespace attnlab
