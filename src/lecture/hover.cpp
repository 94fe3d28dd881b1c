#include "lecture/built_lecture.hpp"
#include "page/answers.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {
namespace {

std::string number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.4g}", value); }

/// "Query は, Key 3: 0.25", "(1, 0.5): 0.2", "[0, 2]: 1.5".
std::string hover_of(const MarkGrid& grid, std::size_t row, std::size_t column, Language language) {
  std::string value;
  if (!grid.values.empty()) value = number(grid.values[row * grid.columns + column]);
  if (!grid.x.empty()) {
    const std::string x = number(grid.x[column]);
    if (grid.y.empty()) return fmt::format("({}, {})", x, value);
    return fmt::format("({}, {}){}{}", x, number(grid.y[column]), value.empty() ? "" : ": ", value);
  }
  if (grid.column_names.empty()) return fmt::format("[{}, {}]: {}", row, column, value);
  const std::string& name = grid.column_names[column].in(language);
  if (grid.row_names.empty()) return name + ": " + value;
  return fmt::format("{}, {}: {}", grid.row_names[row].in(language), name, value);
}

}  // namespace

std::map<std::string, std::string> hover_texts(const Figure& figure, Language language) {
  std::map<std::string, std::string> hovers;
  for (const MarkGrid& grid : grids_of(figure)) {
    if (grid.is_curve || grid.queries || !grid.ids.empty()) continue;
    for (std::size_t row = 0; row < grid.rows; ++row) {
      for (std::size_t column = 0; column < grid.columns; ++column)
        hovers[mark_id(grid, row, column)] = hover_of(grid, row, column, language);
    }
  }
  for (const Panel& panel : figure.panels) {
    const auto* diagram = std::get_if<Diagram>(&panel.content);
    if (diagram == nullptr) continue;
    for (const Edge& edge : diagram->edges) {
      if (edge.weight > 0.0)
        hovers[diagram->nodes[edge.from].id + "->" + diagram->nodes[edge.to].id] = number(edge.weight);
    }
  }
  return hovers;
}

}  // namespace attnlab
