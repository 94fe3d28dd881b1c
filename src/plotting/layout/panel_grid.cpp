#include "plotting/layout/panel_grid.hpp"

#include <algorithm>
#include <cmath>

#include "plotting/layout/cells.hpp"
#include "plotting/layout/headings.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {
namespace {

constexpr double chart_aspect = 1.4;  // a pleasant width over height where the panel has no shape of its own

bool have_one_y_axis(const Panel& one, const Panel& other) {
  const auto* left = std::get_if<Chart>(&one.content);
  const auto* right = std::get_if<Chart>(&other.content);
  if (left == nullptr || right == nullptr || !left->y.limits || !right->y.limits) return false;
  return left->y.label.en() == right->y.label.en() && left->y.scale == right->y.scale &&
         left->y.limits->low == right->y.limits->low && left->y.limits->high == right->y.limits->high;
}

}  // namespace

Surroundings around_panel(const Figure& figure, std::size_t index, const PanelGrid& grid) {
  const std::size_t columns = grid.columns;
  Surroundings around;
  around.series = grid.series;
  if (index % columns != 0 && have_one_y_axis(figure.panels[index - 1], figure.panels[index])) {
    around.row_names = Drawn::elsewhere;
  }
  if (figure.shared_scale) around.colour_bar = Drawn::elsewhere;
  if (figure.shared_axes && index % columns != 0) around.row_names = Drawn::elsewhere;
  if (figure.shared_axes && index + columns < figure.panels.size()) around.column_names = Drawn::elsewhere;
  return around;
}

namespace {

Insets insets_of_panel(const Panel& panel, Sheet& sheet, const Extent& data, const Surroundings& around) {
  return std::visit([&](const auto& content) { return insets_of(content, sheet, data, around); },
                    panel.content);
}

double aspect_of(const Panel& panel) {
  return std::visit([](const auto& content) { return natural_aspect(content); }, panel.content);
}

// Heat maps on one scale are compared with each other: their cells have one size.
bool cells_of_one_size(const Figure& figure) {
  return figure.shared_scale &&
         std::all_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
           const auto* map = std::get_if<HeatMap>(&panel.content);
           return map != nullptr && map->square_cells;
         });
}

// The rows of cells that a panel needs; 0 for one that takes whatever height it gets.
double rows_of_cells(const Figure& figure, const Panel& panel) {
  if (const auto* equation = std::get_if<MatrixEquation>(&panel.content)) return needed_rows(*equation);
  if (!cells_of_one_size(figure)) return 0.0;
  return static_cast<double>(std::get<HeatMap>(panel.content).values.rows);
}

// Rows of panels are equally high, except that those with cells share the height by their needs, so that all
// cells come out alike.
std::vector<double> row_shares(const Figure& figure, std::size_t columns, std::size_t rows) {
  std::vector<double> equal(rows, 1.0);
  std::vector<double> needs(rows, 0.0);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const double need = rows_of_cells(figure, figure.panels[i]);
    if (need == 0.0) return equal;
    needs[i / columns] = std::max(needs[i / columns], need);
  }
  double total = 0.0;
  for (const double need : needs) total += need;
  for (double& need : needs) need *= static_cast<double>(rows) / total;
  return needs;
}

// The size of panel titles, where some other page may need them smaller (0: none does).
double smaller_title(double size, double reserved) {
  return reserved > 0.0 ? std::min(size, reserved) : size;
}

// How large the panels of a grid become: insets depend on the data area, which depends on the insets; two
// rounds settle it. What is reserved for this many rows and columns counts as needed.
PanelGrid grid_with(std::size_t columns, Names series, const Figure& figure, Sheet& sheet, const Extent& room,
                    const Room& reserved) {
  PanelGrid grid;
  grid.columns = columns;
  grid.series = series;
  grid.rows = (figure.panels.size() + columns - 1) / columns;
  grid.share = row_shares(figure, columns, grid.rows);
  const auto across = static_cast<double>(columns);
  const auto down = static_cast<double>(grid.rows);
  const double gutter = sheet.style().body * 1.1;
  grid.data = {room.width / across * 0.7, room.height / down * 0.7};
  for (int round = 0; round < 3; ++round) {
    grid.title_size = smaller_title(panel_title_size(figure, sheet, grid.data.width), reserved.panel_titles);
    const bool keeps = reserved.in_column.size() == columns && reserved.in_row.size() == grid.rows;
    grid.in_column = keeps ? reserved.in_column : std::vector<Insets>(columns);
    grid.in_row = keeps ? reserved.in_row : std::vector<Insets>(grid.rows);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const Insets insets =
          insets_of_panel(figure.panels[i], sheet, grid.data, around_panel(figure, i, grid));
      Insets& column = grid.in_column[i % columns];
      Insets& row = grid.in_row[i / columns];
      column.left =
          std::max(column.left, titles_beside(figure) ? width_for_title_beside(sheet) : insets.left);
      column.right = std::max(column.right, insets.right);
      const double title = titles_beside(figure) ? 0.0
                                                 : panel_title_height(figure.panels[i], sheet,
                                                                      grid.title_size, grid.data.width);
      row.top = std::max(row.top, insets.top + title);
      row.bottom = std::max(row.bottom, insets.bottom);
    }
    double width = room.width - gutter * (across - 1.0);
    double height = room.height - gutter * (down - 1.0);
    for (const Insets& insets : grid.in_column) width -= insets.left + insets.right;
    for (const Insets& insets : grid.in_row) height -= insets.top + insets.bottom;
    grid.data = {std::max(1.0, width / across), std::max(1.0, height / down)};
  }
  return grid;
}

}  // namespace

PanelGrid grid_with(std::size_t columns, const Figure& figure, Sheet& sheet, const Extent& room,
                    const Room& reserved) {
  if (!figure.slider) {
    PanelGrid grid = grid_with(columns, Names::beside_marks, figure, sheet, room, reserved);
    const bool fits = std::all_of(figure.panels.begin(), figure.panels.end(), [&](const Panel& panel) {
      const auto* chart = std::get_if<Chart>(&panel.content);
      return chart == nullptr || naming(*chart, sheet, grid.data, {}) == Names::beside_marks;
    });
    if (fits) return grid;
  }
  return grid_with(columns, Names::in_legend, figure, sheet, room, reserved);
}

namespace {

// The side of a cell that fits every heat map into its panel.
double common_cell(const Figure& figure, const PanelGrid& grid) {
  double side = std::max(grid.data.width, grid.data.height);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Matrix& values = std::get<HeatMap>(figure.panels[i].content).values;
    side = std::min({side, grid.data.width / static_cast<double>(values.columns),
                     grid.data.height * grid.share[i / grid.columns] / static_cast<double>(values.rows)});
  }
  return side;
}

// Diagrams that the layout spaces, and which need room along their arrows.
bool has_flows_only(const Figure& figure) {
  return std::all_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    const auto* diagram = std::get_if<Diagram>(&panel.content);
    return diagram != nullptr && diagram->flow != Flow::placed;
  });
}

double tightest_diagram(const Figure& figure, Sheet& sheet, const Extent& data) {
  double least = std::max(data.width, data.height);
  for (const Panel& panel : figure.panels) {
    least = std::min(least, ease(std::get<Diagram>(panel.content), sheet, data));
  }
  return least;
}

double smallest_picture(const Figure& figure, Sheet& sheet, const PanelGrid& grid) {
  if (cells_of_one_size(figure)) return common_cell(figure, grid);
  if (has_flows_only(figure)) return tightest_diagram(figure, sheet, grid.data);
  double least = std::max(grid.data.width, grid.data.height);
  for (const Panel& panel : figure.panels) {
    const double aspect = aspect_of(panel);
    least =
        std::min(least, std::min(grid.data.width / (aspect > 0.0 ? aspect : chart_aspect), grid.data.height));
  }
  return least;
}

// Whether the page is as wide for its height as the one the figure was made for.
bool has_own_shape(const Figure& figure, const Sheet& sheet) {
  constexpr double alike = 1.15;
  const double turn = sheet.width() / sheet.height() * figure.page.height / figure.page.width;
  return turn < alike && turn > 1.0 / alike;
}

}  // namespace

Box area_to_fill(const Figure& figure, const PanelGrid& grid, const Panel& panel, const Box& area) {
  if (!cells_of_one_size(figure)) return area;
  const auto& map = std::get<HeatMap>(panel.content);
  const double cells = common_cell(figure, grid) * static_cast<double>(map.values.rows);
  const double clear = (area.height - cells) / 2.0;
  return fitted({area.x, area.y + clear, area.width, cells}, natural_aspect(map));
}

double merit(const PanelGrid& grid, const Figure& figure, Sheet& sheet) {
  // A hole in the last row costs a little, so that 8 panels become 4 x 2 rather than 3 x 3.
  const auto places = static_cast<double>(grid.columns * grid.rows);
  return smallest_picture(figure, sheet, grid) *
         (0.75 + 0.25 * static_cast<double>(figure.panels.size()) / places);
}

std::vector<std::size_t> column_choices(const Figure& figure, const Sheet& sheet) {
  const std::size_t panels = figure.panels.size();
  const std::size_t wanted = figure.columns;
  std::vector<std::size_t> choices;
  if (wanted > 0) choices.push_back(wanted);
  if (wanted > 0 && (titles_beside(figure) || has_own_shape(figure, sheet))) return choices;
  for (std::size_t columns = 1; columns <= panels; ++columns) {
    const bool whole_rows =
        panels % columns == 0 && (columns % std::max(wanted, 1UL) == 0 || wanted % columns == 0);
    if (wanted == 0 || whole_rows) choices.push_back(columns);
  }
  return choices;
}

}  // namespace attnlab
