// Which of two grids is better: the one in which the smallest picture is larger, weighed by what it costs.
#include "plotting/layout/grid_search.hpp"

#include "core/constants.hpp"

namespace attnlab {
namespace {

// Diagrams that the layout spaces, and which need room along their arrows.
bool has_flows_only(const Figure& figure) {
  return std::all_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    const auto* diagram = std::get_if<Diagram>(&panel.content);
    return diagram != nullptr && diagram->flow != Flow::placed;
  });
}

double tightest_diagram(const Figure& figure, Sheet& sheet, const Extent& data) {
  double least = infinity;
  for (const Panel& panel : figure.panels) {
    least = std::min(least, ease(std::get<Diagram>(panel.content), sheet, data));
  }
  return least;
}

double smallest_cell(const Figure& figure, const Sheet& sheet, const PanelGrid& grid) {
  double side = grid.data.width;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    side =
        std::min(side, cell_size(std::get<MatrixEquation>(figure.panels[i].content), sheet, grid.data_of(i)));
  }
  return side;
}

// A chart fills what it gets; one that is too wide or too high wastes some of it.
double height_for_charts(const Extent& data) {
  const double fitted_height = std::min(data.width / chart_aspect, data.height);
  const double height_of_same_area = std::sqrt(data.width * data.height / chart_aspect);
  return std::sqrt(fitted_height * height_of_same_area);
}

// A name at every row and column is worth cells of twice the size, as numbers are.
double worth_of(const CommonCells& cells, const std::vector<const HeatMap*>& maps, const Sheet& sheet) {
  constexpr double worth_of_names = 2.0;
  const double size = std::sqrt(cells.cell.width * cells.cell.height);
  const bool misses_names = std::any_of(maps.begin(), maps.end(), [&](const HeatMap* map) {
    return leaves_out_names(*map, sheet, cells.cell);
  });
  return size * cells.numbers.worth() / (misses_names ? worth_of_names : 1.0);
}

// The size of a picture by its own shape in an area: of a map the height that its cells have together.
double size_in(const HeatMap& map, const Sheet& sheet, const Extent& data) {
  const auto rows = static_cast<double>(map.values.rows);
  const Extent space{data.width / static_cast<double>(map.values.columns), data.height / rows};
  return rows * worth_of(cells_for({&map}, sheet, space), {&map}, sheet);
}
double size_in(const Chart& chart, const Sheet&, const Extent& data) {
  const double aspect = natural_aspect(chart);
  return aspect > 0.0 ? std::min(data.width / aspect, data.height) : height_for_charts(data);
}
template <class WithoutShape>
double size_in(const WithoutShape&, const Sheet&, const Extent& data) {
  return height_for_charts(data);
}

double smallest_picture(const Figure& figure, Sheet& sheet, const PanelGrid& grid) {
  if (cells_of_one_size(figure)) return worth_of(common_cells(figure, sheet, grid), maps_of(figure), sheet);
  if (has_only<MatrixEquation>(figure)) return smallest_cell(figure, sheet, grid);
  if (has_flows_only(figure)) return tightest_diagram(figure, sheet, grid.data);
  double smallest = infinity;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    smallest = std::min(
        smallest, std::visit([&](const auto& content) { return size_in(content, sheet, grid.data_of(i)); },
                             figure.panels[i].content));
  }
  return smallest;
}

constexpr double equal = 1.15;

}  // namespace

bool has_fixed_shape(const Figure& figure, const Sheet& sheet) {
  const double turn = sheet.width() / sheet.height() * figure.page.height / figure.page.width;
  return turn < equal && turn > 1.0 / equal;
}

bool has_large_letters(const Sheet& sheet) {
  const PageSize page{sheet.width() / points_per_inch, sheet.height() / points_per_inch};
  return sheet.style().title > equal * measures_of(page).title;
}

double merit(const PanelGrid& grid, const Figure& figure, Sheet& sheet) {
  if (!has_space(grid)) return 0.0;
  // A hole in the last row costs a little, so that 8 panels become 4 x 2 rather than 3 x 3.
  const auto places = static_cast<double>(grid.columns * grid.rows);
  // Titles whose words would be broken are as bad as none: only where no other grid has room.
  constexpr double broken_words = 0.1;
  const bool beside = grid.titles == TitlePlace::beside;
  if (beside && !titles_fit_beside(figure, sheet,
                                   grid.data.height * smallest_share(grid.row_share) +
                                       gutter_down(figure, sheet.style(), grid.titles)))
    return 0.0;
  const bool breaks = !beside && breaks_a_word(figure, sheet, grid.title_size, narrowest_title(grid));
  return (breaks ? broken_words : 1.0) * smallest_picture(figure, sheet, grid) *
         (0.75 + 0.25 * static_cast<double>(figure.panels.size()) / places);
}

}  // namespace attnlab
