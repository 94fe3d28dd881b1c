// Draws the panels of a grid, row by row, with their titles.
#include "plotting/layout/panel_grid.hpp"

#include "core/constants.hpp"

namespace attnlab {
namespace {

// The figure's own page is the remedy, unless it is this one.
void require_room(const PanelGrid& grid, const PageSize& page, const PageSize& own) {
  if (has_space(grid)) return;
  const std::string size = fmt::format("{:.4g}x{:.4g}in", page.width, page.height);
  const std::string enough = fmt::format("{:.4g}x{:.4g}in", own.width, own.height);
  constexpr double rounding = 1.001;
  const bool is_smaller = page.width * rounding < own.width || page.height * rounding < own.height;
  throw NoSpace(
      {"ページ " + size + " には図が入りません", "the page of " + size + " has no room for the figure"},
      is_smaller ? Text{"--size " + enough + " なら入ります", "--size " + enough + " is enough"}
                 : Text{"--size でページを大きくしてください", "give the page a larger --size"});
}

/// What the pictures of one row of panels fill, each in its area: their upper edges, and so their titles,
/// stand on one line.
std::vector<Box> filled_parts(const Figure& figure, const Sheet& sheet, const PanelGrid& grid,
                              std::size_t first, const std::vector<Box>& areas) {
  std::vector<Box> parts;
  double top = infinity;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Surroundings around = around_panel(figure, sheet, first + i, grid);
    parts.push_back(std::visit([&](const auto& content) { return filled_part(content, areas[i], around); },
                               figure.panels[first + i].content));
    top = std::min(top, parts.back().y);
  }
  for (Box& part : parts) part.y = top;
  return parts;
}

// The titles above one row of panels, on one line; returns from where to where they reach.
Interval draw_titles(const Figure& figure, Sheet& sheet, const PanelGrid& grid, std::size_t first,
                     const std::vector<Box>& used) {
  Interval reach{sheet.width(), 0.0};
  double top = infinity;
  for (const Box& box : used) top = std::min(top, box.y);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Box below{used[i].x, top, used[i].width, used[i].height};
    const Interval title = draw_panel_title(figure.panels[first + i], sheet, below, grid.title_size,
                                            title_width(grid, first + i), indexed("panel", first + i));
    reach = {std::min(reach.low, title.low), std::max(reach.high, title.high)};
  }
  return reach;
}

}  // namespace

Drawing draw_grid(const Figure& figure, Sheet& sheet, const Box& space, const Space& reserved,
                  const PanelGrid& grid) {
  require_room(grid, {sheet.width() / points_per_inch, sheet.height() / points_per_inch}, figure.page);
  Box all;
  double leftmost_title = space.x + space.width;
  double rightmost_title = reserved.titles_end;
  double top = space.y;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    double left = space.x;
    const std::size_t first = row * grid.columns;
    std::vector<Box> areas;
    for (std::size_t column = 0; column < grid.columns && first + column < figure.panels.size(); ++column) {
      const Extent data = grid.data_of(first + column);
      areas.push_back(
          {left + grid.in_column[column].left, top + grid.in_row[row].top, data.width, data.height});
      left = areas.back().right() + grid.in_column[column].right + gutter_across(figure, sheet.style());
    }
    const std::vector<Box> parts = filled_parts(figure, sheet, grid, first, areas);
    std::vector<Box> used;
    for (std::size_t column = 0; column < parts.size(); ++column) {
      const std::size_t index = first + column;
      const Surroundings around = around_panel(figure, sheet, index, grid);
      used.push_back(std::visit(
          [&](const auto& content) {
            return draw(content, sheet, parts[column], indexed("panel", index), around);
          },
          figure.panels[index].content));
      all = index == 0 ? used.back() : united(all, used.back());
    }
    if (grid.titles == TitlePlace::beside) {
      const Box strip{parts.front().x - grid.in_column.front().left, used.front().y,
                      width_for_title_beside(figure, sheet), used.front().height};
      draw_title_beside(figure.panels[first], sheet, strip, indexed("panel", first));
    } else {
      const Interval titles = draw_titles(figure, sheet, grid, first, used);
      leftmost_title = std::min(leftmost_title, titles.low);
      rightmost_title = std::max(rightmost_title, titles.high);
    }
    top += grid.in_row[row].top + grid.data.height * grid.row_share[row] + grid.in_row[row].bottom +
           gutter_down(figure, sheet.style(), grid.titles);
  }
  all.width = std::max(all.width, rightmost_title - all.x);
  const double left = std::min(all.x - grid.in_column.front().left, leftmost_title);
  return {all, left, all.bottom() + grid.in_row.back().bottom, rightmost_title};
}

}  // namespace attnlab
