// How large panels become in a grid: what stands around them, and what that leaves for their data.
#include "plotting/layout/panel_grid.hpp"

#include "core/constants.hpp"

namespace attnlab {
namespace {

/// So many maps are looked at together: what lies between them is theirs.
bool is_mosaic(const Figure& figure) {
  constexpr std::size_t many = 64;
  return figure.shared_axes && figure.panels.size() > many;
}

bool have_one_y_axis(const Panel& one, const Panel& other) {
  const auto* left = std::get_if<Chart>(&one.content);
  const auto* right = std::get_if<Chart>(&other.content);
  if (left == nullptr || right == nullptr || !left->y.limits || !right->y.limits) return false;
  return left->y.label.en() == right->y.label.en() && left->y.scale == right->y.scale &&
         left->y.limits->low == right->y.limits->low && left->y.limits->high == right->y.limits->high;
}

}  // namespace

bool has_maps(const Figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return std::holds_alternative<HeatMap>(panel.content); });
}

double gutter_across(const Figure& figure, const Style& style) {
  if (is_mosaic(figure)) return style.body * 0.3;
  return style.body * (has_only<MatrixEquation>(figure) ? 1.35 : 1.1);
}
double gutter_down(const Figure& figure, const Style& style, TitlePlace titles) {
  if (is_mosaic(figure)) return style.body * 0.3;
  const bool has_bars = has_maps(figure) && !figure.shared_scale;  // one each, with numbers at their ends
  return style.body * (titles == TitlePlace::beside && !has_bars ? 0.7 : 1.1);
}

double smallest_share(const std::vector<double>& shares) {
  return *std::min_element(shares.begin(), shares.end());
}

double title_width(const PanelGrid& grid, std::size_t panel) {
  const double data = grid.data_of(panel).width;
  if (grid.in_column.empty()) return data;
  const Insets& around = grid.in_column[panel % grid.columns];
  return data + 2.0 * std::min({data, around.left, around.right});
}

double narrowest_title(const PanelGrid& grid) {
  double narrowest = infinity;
  for (std::size_t column = 0; column < grid.columns; ++column)
    narrowest = std::min(narrowest, title_width(grid, column));
  return narrowest;
}

bool cells_of_one_size(const Figure& figure) { return figure.shared_scale && has_only<HeatMap>(figure); }

std::vector<const HeatMap*> maps_of(const Figure& figure) {
  std::vector<const HeatMap*> maps;
  for (const Panel& panel : figure.panels) maps.push_back(&std::get<HeatMap>(panel.content));
  return maps;
}

CommonCells common_cells(const Figure& figure, const Sheet& sheet, const PanelGrid& grid) {
  const std::vector<const HeatMap*> maps = maps_of(figure);
  Extent space{infinity, infinity};
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Matrix& values = maps[i]->values;
    const Extent data = grid.data_of(i);
    space.width = std::min(space.width, data.width / static_cast<double>(values.columns));
    space.height = std::min(space.height, data.height / static_cast<double>(values.rows));
  }
  return cells_for(maps, sheet, space);
}

Surroundings around_panel(const Figure& figure, const Sheet& sheet, std::size_t index,
                          const PanelGrid& grid) {
  const std::size_t columns = grid.columns;
  Surroundings around;
  around.series = grid.series;
  around.data = grid.data_of(index);
  if (index % columns != 0 && have_one_y_axis(figure.panels[index - 1], figure.panels[index])) {
    around.row_names = Drawn::elsewhere;
  }
  if (figure.shared_scale) around.colour_bar = Drawn::elsewhere;
  if (cells_of_one_size(figure)) around.cells = common_cells(figure, sheet, grid);
  if (figure.shared_axes && index % columns != 0) around.row_names = Drawn::elsewhere;
  if (figure.shared_axes && index + columns < figure.panels.size()) around.column_names = Drawn::elsewhere;
  return around;
}

namespace {

// The rows of cells that a panel needs; 0 for one that takes whatever height it gets.
double rows_of_cells(const Figure& figure, const Panel& panel) {
  if (const auto* equation = std::get_if<MatrixEquation>(&panel.content)) return needed_rows(*equation);
  if (!cells_of_one_size(figure)) return 0.0;
  return static_cast<double>(std::get<HeatMap>(panel.content).values.rows);
}

// What each of so many rows or columns of panels takes where all share by their largest needs; equal parts
// where a panel takes whatever it gets (0).
template <class Place, class Need>
std::vector<double> shares(const Figure& figure, std::size_t count, const Place& place_of,
                           const Need& need_of) {
  std::vector<double> needs(count, 0.0);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const double need = need_of(figure, figure.panels[i]);
    if (need == 0.0) {
      needs.assign(count, 1.0);
      return needs;
    }
    needs[place_of(i)] = std::max(needs[place_of(i)], need);
  }
  const double total = std::accumulate(needs.begin(), needs.end(), 0.0);
  for (double& need : needs) need *= static_cast<double>(count) / total;
  return needs;
}

// The columns of cells that a panel needs, as rows_of_cells; of maps beside charts, and of those with a scale
// of their own, the width for their height.
double columns_of_cells(const Figure& figure, const Panel& panel) {
  const auto* map = std::get_if<HeatMap>(&panel.content);
  const auto* chart = std::get_if<Chart>(&panel.content);
  if (map == nullptr && chart == nullptr) return 0.0;
  if (cells_of_one_size(figure)) return static_cast<double>(map->values.columns);
  if (map != nullptr) {
    const double aspect = static_cast<double>(map->values.columns) / static_cast<double>(map->values.rows);
    return std::clamp(aspect, 0.5, 2.0);
  }
  const double aspect = natural_aspect(*chart);
  return aspect > 0.0 ? aspect : chart_aspect;
}

// Rows of panels are equally high and columns equally wide, except that those with cells share by their
// needs, so that all cells come out alike; and maps beside charts in one row, so that all come out equally
// high.
void set_shares(PanelGrid& grid, const Figure& figure) {
  const auto row = [&grid](std::size_t panel) { return panel / grid.columns; };
  const auto column = [&grid](std::size_t panel) { return panel % grid.columns; };
  grid.row_share = shares(figure, grid.rows, row, rows_of_cells);
  grid.column_share = std::vector<double>(grid.columns, 1.0);
  if (has_maps(figure) && (grid.rows == 1 || cells_of_one_size(figure)))
    grid.column_share = shares(figure, grid.columns, column, columns_of_cells);
}

// What the panels need around data of the grid's size, and at least what is reserved for this many rows and
// columns. Their titles get the size that they can have there.
void set_insets(PanelGrid& grid, const Figure& figure, Sheet& sheet, const Space& reserved) {
  const bool beside = grid.titles == TitlePlace::beside;
  grid.title_size =
      beside ? sheet.style().panel_title : panel_title_size(figure, sheet, narrowest_title(grid));
  if (reserved.panel_titles > 0.0) grid.title_size = std::min(grid.title_size, reserved.panel_titles);
  const bool keeps = reserved.in_column.size() == grid.columns && reserved.in_row.size() == grid.rows;
  grid.in_column = keeps ? reserved.in_column : std::vector<Insets>(grid.columns);
  grid.in_row = keeps ? reserved.in_row : std::vector<Insets>(grid.rows);
  std::vector<double> title_heights(grid.rows, 0.0);
  std::vector<double> tops(grid.rows, 0.0);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Surroundings around = around_panel(figure, sheet, i, grid);
    const Insets insets =
        std::visit([&](const auto& content) { return insets_of(content, sheet, grid.data_of(i), around); },
                   figure.panels[i].content);
    Insets& column = grid.in_column[i % grid.columns];
    Insets& row = grid.in_row[i / grid.columns];
    column.left = std::max(column.left, insets.left + (beside ? width_for_title_beside(figure, sheet) : 0.0));
    column.right = std::max(column.right, insets.right);
    const double title =
        beside ? 0.0 : panel_title_height(figure.panels[i], sheet, grid.title_size, title_width(grid, i));
    // Titles stand on one line, above the highest picture of the row.
    double& highest_title = title_heights[i / grid.columns];
    double& highest_picture = tops[i / grid.columns];
    highest_title = std::max(highest_title, title);
    highest_picture = std::max(highest_picture, insets.top);
    row.top = std::max(row.top, highest_title + highest_picture);
    row.bottom = std::max(row.bottom, insets.bottom);
  }
}

/// What the grid's surroundings leave of the room for the data of each panel.
Extent data_within(const PanelGrid& grid, const Figure& figure, const Sheet& sheet, const Extent& space) {
  const auto across = static_cast<double>(grid.columns);
  const auto down = static_cast<double>(grid.rows);
  double width = space.width - gutter_across(figure, sheet.style()) * (across - 1.0);
  double height = space.height - gutter_down(figure, sheet.style(), grid.titles) * (down - 1.0);
  for (const Insets& insets : grid.in_column) width -= insets.left + insets.right;
  for (const Insets& insets : grid.in_row) height -= insets.top + insets.bottom;
  return {std::max(1.0, width / across), std::max(1.0, height / down)};
}

// How large the panels of a grid become: insets depend on the data area, which depends on the insets; a few
// rounds settle it. Names that lie in one round and are turned in the next would never settle: from the
// fourth round on the insets keep what any of them needed.
PanelGrid grid_with(const GridChoice& choice, Names series, const Figure& figure, Sheet& sheet,
                    const Extent& space, const Space& reserved) {
  constexpr int free_rounds = 3;
  constexpr int most_rounds = 8;
  PanelGrid grid;
  grid.columns = choice.columns;
  grid.titles = choice.titles;
  grid.series = series;
  grid.rows = (figure.panels.size() + grid.columns - 1) / grid.columns;
  set_shares(grid, figure);
  grid.data = {space.width / static_cast<double>(grid.columns) * 0.7,
               space.height / static_cast<double>(grid.rows) * 0.7};
  Space kept = reserved;
  for (int round = 0; round < most_rounds; ++round) {
    set_insets(grid, figure, sheet, kept);
    const Extent data = data_within(grid, figure, sheet, space);
    const bool settled = data.width == grid.data.width && data.height == grid.data.height;
    grid.data = data;
    if (round + 1 < free_rounds) continue;
    if (settled) break;
    kept.panel_titles = grid.title_size;
    kept.in_column = grid.in_column;
    kept.in_row = grid.in_row;
  }
  return grid;
}

}  // namespace

PanelGrid sized_grid(const GridChoice& choice, const Figure& figure, Sheet& sheet, const Extent& space,
                     const Space& reserved) {
  if (!figure.slider) {
    PanelGrid grid = grid_with(choice, Names::beside_marks, figure, sheet, space, reserved);
    bool fits = true;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const auto* chart = std::get_if<Chart>(&figure.panels[i].content);
      fits &= chart == nullptr || naming(*chart, sheet, grid.data_of(i), {}) == Names::beside_marks;
    }
    if (fits) return grid;
  }
  return grid_with(choice, Names::in_legend, figure, sheet, space, reserved);
}

bool has_space(const PanelGrid& grid) {
  constexpr double smallest_panel = 36.0;  // points; below, nothing can be read
  return grid.data.width * smallest_share(grid.column_share) >= smallest_panel &&
         grid.data.height >= smallest_panel;
}

}  // namespace attnlab
