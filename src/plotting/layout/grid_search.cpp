// Tries the grids that may be and keeps the best.
#include "plotting/layout/grid_search.hpp"

namespace attnlab {

namespace {

/// How many panels may stand side by side, and where their titles. What the figure wants comes first; on a
/// page of another shape whole rows may be joined or halved, so that what stands side by side stays so or
/// comes one below the other, there with titles on either side.
std::vector<GridChoice> grid_choices(const Figure& figure, const Sheet& sheet) {
  const std::size_t panels = figure.panels.size();
  const std::size_t wanted = figure.columns;
  const bool as_made = has_fixed_shape(figure, sheet) && !has_large_letters(sheet);
  std::vector<GridChoice> choices;
  if (wanted == 1 && panels > 1 && has_only<MatrixEquation>(figure)) {
    constexpr double slim = 32.0;  // in letters: on a telephone titles beside the rows take too much of it
    if (sheet.width() < std::min(slim * sheet.style().body, sheet.height()))
      return {{1, TitlePlace::above}, {1, TitlePlace::beside}};
    choices.push_back({1, TitlePlace::beside});
    if (!as_made) choices.push_back({1, TitlePlace::above});
    return choices;
  }
  if (wanted > 0) choices.push_back({wanted});
  if (wanted > 0 && as_made) return choices;
  for (std::size_t columns = 1; columns <= panels; ++columns) {
    const bool whole_rows =
        panels % columns == 0 && (columns % std::max(wanted, 1UL) == 0 || wanted % columns == 0);
    if (wanted == 0 || whole_rows) choices.push_back({columns});
  }
  if (panels > 1 && !as_made && has_only<HeatMap>(figure)) choices.push_back({1, TitlePlace::beside});
  return choices;
}

// What a grid costs in words: numbers and labels that are left out. A page without room costs most.
std::size_t losses(const Figure& figure, const Sheet& sheet, const Box& space, const Space& reserved,
                   const PanelGrid& grid) {
  Sheet trial = sheet.trial();
  try {
    draw_grid(figure, trial, space, reserved, grid);
  } catch (const NoSpace&) {
    return std::numeric_limits<std::size_t>::max();
  }
  return trial.take_warnings().size() + (trial.misses_numbers() ? 1 : 0);
}

// The grid with the largest pictures. Of charts, one that the figure does not want must not cost words; maps
// have large cells first.
PanelGrid best_grid(const Figure& figure, Sheet& sheet, const Box& space, const Space& reserved) {
  const Extent extent{space.width, space.height};
  const std::size_t kept = reserved.in_column.size();
  const bool fills_kept = kept > 0 && (figure.panels.size() + kept - 1) / kept == reserved.in_row.size();
  const std::vector<GridChoice> choices =
      fills_kept ? std::vector<GridChoice>{{kept, reserved.titles}} : grid_choices(figure, sheet);
  // On a page of its own shape a figure keeps what it wants unless it gains much.
  const double gain = figure.columns > 0 && has_fixed_shape(figure, sheet) ? 1.3 : 1.0;
  PanelGrid best = sized_grid(choices.front(), figure, sheet, extent, reserved);
  for (std::size_t i = 1; i < choices.size(); ++i) {
    const PanelGrid grid = sized_grid(choices[i], figure, sheet, extent, reserved);
    if (merit(grid, figure, sheet) <= gain * merit(best, figure, sheet)) continue;
    const bool costs_words =
        figure.columns > 0 && !has_maps(figure) &&
        losses(figure, sheet, space, reserved, grid) > losses(figure, sheet, space, reserved, best);
    if (!costs_words) best = grid;
  }
  return best;
}

PanelArrangement arrangement_with(const Figure& figure, Sheet& sheet, const Box& space, const Space& reserved,
                                  BarPlace place) {
  PanelArrangement made{place, space, {}};
  if (figure.shared_scale && place == BarPlace::beside)
    made.space.width -= colour_bar_width(*figure.shared_scale, sheet, space.height);
  if (figure.shared_scale && place == BarPlace::below) made.space.height -= colour_bar_depth(sheet.style());
  made.grid = best_grid(figure, sheet, made.space, reserved);
  return made;
}

}  // namespace

PanelArrangement best_arrangement(const Figure& figure, Sheet& sheet, const Box& space,
                                  const Space& reserved) {
  const bool is_kept = !reserved.in_column.empty();
  const BarPlace first = is_kept ? reserved.bar : BarPlace::beside;
  PanelArrangement best = arrangement_with(figure, sheet, space, reserved, first);
  const bool as_made = has_fixed_shape(figure, sheet) && !has_large_letters(sheet);
  const bool may_move = !is_kept && !as_made && cells_of_one_size(figure);
  if (!may_move || is_stepped(figure.shared_scale->palette))
    return best;  // names of bands stand beside alone
  PanelArrangement below = arrangement_with(figure, sheet, space, reserved, BarPlace::below);
  constexpr double gain = 1.05;
  return merit(below.grid, figure, sheet) > gain * merit(best.grid, figure, sheet) ? below : best;
}

}  // namespace attnlab
