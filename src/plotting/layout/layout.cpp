// The page: title above, caption below, panels in a grid between, one colour bar where they share a scale.
#include "plotting/layout/layout.hpp"

#include "core/constants.hpp"
#include "plotting/layout/cells.hpp"
#include "plotting/layout/panel_layout.hpp"

namespace attnlab {

Insets united(const Insets& one, const Insets& other) {
  return {std::max(one.left, other.left), std::max(one.top, other.top), std::max(one.right, other.right),
          std::max(one.bottom, other.bottom)};
}

Room united(const Room& one, const Room& other) {
  Room room{std::max(one.title_rows, other.title_rows),
            std::max(one.caption_rows, other.caption_rows),
            std::min(one.panel_titles, other.panel_titles),
            std::max(one.titles_end, other.titles_end),
            one.titles,
            one.bar,
            {},
            {}};
  if (one.titles != other.titles || one.bar != other.bar) return room;
  if (one.in_column.size() != other.in_column.size() || one.in_row.size() != other.in_row.size()) return room;
  for (std::size_t i = 0; i < one.in_column.size(); ++i)
    room.in_column.push_back(united(one.in_column[i], other.in_column[i]));
  for (std::size_t i = 0; i < one.in_row.size(); ++i)
    room.in_row.push_back(united(one.in_row[i], other.in_row[i]));
  return room;
}

namespace {

// --- Panels in rows and columns: how many side by side, and how large each becomes

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

bool has_maps(const Figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return std::holds_alternative<HeatMap>(panel.content); });
}

/// So many maps are looked at together: what lies between them is theirs.
bool is_mosaic(const Figure& figure) {
  constexpr std::size_t many = 64;
  return figure.shared_axes && figure.panels.size() > many;
}

// Between two panels. Two equations would read as one; rows with titles beside them need no more than what
// parts them.
double gutter_across(const Figure& figure, const Style& style) {
  if (is_mosaic(figure)) return style.body * 0.3;
  return style.body * (has_only<MatrixEquation>(figure) ? 1.35 : 1.1);
}
double gutter_down(const Figure& figure, const Style& style, TitlePlace titles) {
  if (is_mosaic(figure)) return style.body * 0.3;
  const bool has_bars = has_maps(figure) && !figure.shared_scale;  // one each, with numbers at their ends
  return style.body * (titles == TitlePlace::beside && !has_bars ? 0.7 : 1.1);
}

constexpr double chart_aspect = 1.4;  // a pleasant width over height where the panel has no shape of its own

bool have_one_y_axis(const Panel& one, const Panel& other) {
  const auto* left = std::get_if<Chart>(&one.content);
  const auto* right = std::get_if<Chart>(&other.content);
  if (left == nullptr || right == nullptr || !left->y.limits || !right->y.limits) return false;
  return left->y.label.en() == right->y.label.en() && left->y.scale == right->y.scale &&
         left->y.limits->low == right->y.limits->low && left->y.limits->high == right->y.limits->high;
}

double smallest_share(const std::vector<double>& shares) {
  return *std::min_element(shares.begin(), shares.end());
}

/// Titles may stand over the names beside their panel, too, as far as it has some on both sides.
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

// Heat maps on one scale are compared with each other: their cells have one size.
bool cells_of_one_size(const Figure& figure) {
  return figure.shared_scale &&
         std::all_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return std::holds_alternative<HeatMap>(panel.content); });
}

std::vector<const HeatMap*> maps_of(const Figure& figure) {
  std::vector<const HeatMap*> maps;
  for (const Panel& panel : figure.panels) maps.push_back(&std::get<HeatMap>(panel.content));
  return maps;
}

// The cells that fit every heat map into its panel.
CommonCells common_cells(const Figure& figure, const Style& style, const PanelGrid& grid) {
  const std::vector<const HeatMap*> maps = maps_of(figure);
  Extent room{infinity, infinity};
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Matrix& values = maps[i]->values;
    const Extent data = grid.data_of(i);
    room.width = std::min(room.width, data.width / static_cast<double>(values.columns));
    room.height = std::min(room.height, data.height / static_cast<double>(values.rows));
  }
  return cells_for(maps, style, room);
}

/// Where axes are shared, the first panel of a row names its rows and the lowest of a column names its
/// columns. Charts side by side with one y axis write it once in any case.
Surroundings around_panel(const Figure& figure, const Style& style, std::size_t index,
                          const PanelGrid& grid) {
  const std::size_t columns = grid.columns;
  Surroundings around;
  around.series = grid.series;
  around.data = grid.data_of(index);
  if (index % columns != 0 && have_one_y_axis(figure.panels[index - 1], figure.panels[index])) {
    around.row_names = Drawn::elsewhere;
  }
  if (figure.shared_scale) around.colour_bar = Drawn::elsewhere;
  if (cells_of_one_size(figure)) around.cells = common_cells(figure, style, grid);
  if (figure.shared_axes && index % columns != 0) around.row_names = Drawn::elsewhere;
  if (figure.shared_axes && index + columns < figure.panels.size()) around.column_names = Drawn::elsewhere;
  return around;
}

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
void set_insets(PanelGrid& grid, const Figure& figure, Sheet& sheet, const Room& reserved) {
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
    const Surroundings around = around_panel(figure, sheet.style(), i, grid);
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
Extent data_within(const PanelGrid& grid, const Figure& figure, const Sheet& sheet, const Extent& room) {
  const auto across = static_cast<double>(grid.columns);
  const auto down = static_cast<double>(grid.rows);
  double width = room.width - gutter_across(figure, sheet.style()) * (across - 1.0);
  double height = room.height - gutter_down(figure, sheet.style(), grid.titles) * (down - 1.0);
  for (const Insets& insets : grid.in_column) width -= insets.left + insets.right;
  for (const Insets& insets : grid.in_row) height -= insets.top + insets.bottom;
  return {std::max(1.0, width / across), std::max(1.0, height / down)};
}

// How large the panels of a grid become: insets depend on the data area, which depends on the insets; a few
// rounds settle it. Names that lie in one round and are turned in the next would never settle: from the
// fourth round on the insets keep what any of them needed.
PanelGrid grid_with(const GridChoice& choice, Names series, const Figure& figure, Sheet& sheet,
                    const Extent& room, const Room& reserved) {
  constexpr int free_rounds = 3;
  constexpr int most_rounds = 8;
  PanelGrid grid;
  grid.columns = choice.columns;
  grid.titles = choice.titles;
  grid.series = series;
  grid.rows = (figure.panels.size() + grid.columns - 1) / grid.columns;
  set_shares(grid, figure);
  grid.data = {room.width / static_cast<double>(grid.columns) * 0.7,
               room.height / static_cast<double>(grid.rows) * 0.7};
  Room kept = reserved;
  for (int round = 0; round < most_rounds; ++round) {
    set_insets(grid, figure, sheet, kept);
    const Extent data = data_within(grid, figure, sheet, room);
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

/// The grid with so many columns. The series of all panels are named in one way: a legend in one is a legend
/// in all, and in a film, where marks move, legends stay where they are.
PanelGrid grid_with(const GridChoice& choice, const Figure& figure, Sheet& sheet, const Extent& room,
                    const Room& reserved) {
  if (!figure.slider) {
    PanelGrid grid = grid_with(choice, Names::beside_marks, figure, sheet, room, reserved);
    bool fits = true;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const auto* chart = std::get_if<Chart>(&figure.panels[i].content);
      fits &= chart == nullptr || naming(*chart, sheet, grid.data_of(i), {}) == Names::beside_marks;
    }
    if (fits) return grid;
  }
  return grid_with(choice, Names::in_legend, figure, sheet, room, reserved);
}

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

// Numbers in the cells are worth cells of twice the size, and so is a name at every row and column.
double worth_of(const CommonCells& cells, const std::vector<const HeatMap*>& maps, const Sheet& sheet) {
  constexpr double worth_of_words = 2.0;
  const double size = std::sqrt(cells.cell.width * cells.cell.height);
  const bool misses_names = std::any_of(maps.begin(), maps.end(), [&](const HeatMap* map) {
    return leaves_out_names(*map, sheet, cells.cell);
  });
  return size * (cells.numbers.size > 0.0 ? worth_of_words : 1.0) / (misses_names ? worth_of_words : 1.0);
}

// The size of a picture by its own shape in an area: of a map the height that its cells have together.
double size_in(const HeatMap& map, const Sheet& sheet, const Extent& data) {
  const auto rows = static_cast<double>(map.values.rows);
  const Extent room{data.width / static_cast<double>(map.values.columns), data.height / rows};
  return rows * worth_of(cells_for({&map}, sheet.style(), room), {&map}, sheet);
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
  if (cells_of_one_size(figure))
    return worth_of(common_cells(figure, sheet.style(), grid), maps_of(figure), sheet);
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

constexpr double alike = 1.15;

// Whether the page is as wide for its height as the one the figure was made for.
bool has_own_shape(const Figure& figure, const Sheet& sheet) {
  const double turn = sheet.width() / sheet.height() * figure.page.height / figure.page.width;
  return turn < alike && turn > 1.0 / alike;
}

// As on slides: what stands around the panels takes more of the page than the figure was made for.
bool has_large_letters(const Sheet& sheet) {
  const PageSize page{sheet.width() / points_per_inch, sheet.height() / points_per_inch};
  return sheet.style().title > alike * measures_of(page).title;
}

/// What the pictures of one row of panels fill, each in its area: their upper edges, and so their titles,
/// stand on one line.
std::vector<Box> filled_parts(const Figure& figure, const Style& style, const PanelGrid& grid,
                              std::size_t first, const std::vector<Box>& areas) {
  std::vector<Box> parts;
  double top = infinity;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Surroundings around = around_panel(figure, style, first + i, grid);
    parts.push_back(
        std::visit([&](const auto& content) { return filled_part(content, style, areas[i], around); },
                   figure.panels[first + i].content));
    top = std::min(top, parts.back().y);
  }
  for (Box& part : parts) part.y = top;
  return parts;
}

constexpr double smallest_panel = 36.0;  // points; below, nothing can be read

bool has_room(const PanelGrid& grid) {
  return grid.data.width * smallest_share(grid.column_share) >= smallest_panel &&
         grid.data.height >= smallest_panel;
}

/// The size of the smallest panel's picture in this grid, the larger the better; 0 without room.
double merit(const PanelGrid& grid, const Figure& figure, Sheet& sheet) {
  if (!has_room(grid)) return 0.0;
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

/// How many panels may stand side by side, and where their titles. What the figure wants comes first; on a
/// page of another shape whole rows may be joined or halved, so that what stands side by side stays so or
/// comes one below the other, there with titles on either side.
std::vector<GridChoice> grid_choices(const Figure& figure, const Sheet& sheet) {
  const std::size_t panels = figure.panels.size();
  const std::size_t wanted = figure.columns;
  const bool as_made = has_own_shape(figure, sheet) && !has_large_letters(sheet);
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

// --- The page

// The figure's own page is the remedy, unless it is this one.
void require_room(const PanelGrid& grid, const PageSize& page, const PageSize& own) {
  if (has_room(grid)) return;
  const std::string size = fmt::format("{:.4g}x{:.4g}in", page.width, page.height);
  const std::string enough = fmt::format("{:.4g}x{:.4g}in", own.width, own.height);
  constexpr double rounding = 1.001;
  const bool is_smaller = page.width * rounding < own.width || page.height * rounding < own.height;
  throw NoRoom(
      {"ページ " + size + " には図が入りません", "the page of " + size + " has no room for the figure"},
      is_smaller ? Text{"--size " + enough + " なら入ります", "--size " + enough + " is enough"}
                 : Text{"--size でページを大きくしてください", "give the page a larger --size"});
}

// What the rows and the columns of all panels are, said once for the whole figure.
struct SharedTitles {
  std::string row;
  std::string column;
};

// The title that all say, taken out of them; "" where they differ.
std::string take_common(const std::vector<Text*>& titles, Language language) {
  std::string common = titles.front()->in(language);
  const bool agree = std::all_of(titles.begin(), titles.end(),
                                 [&](const Text* title) { return title->in(language) == common; });
  if (!agree) return "";
  for (Text* title : titles) *title = Text::same("");
  return common;
}

// Takes the axis titles that all panels repeat out of them: of heat maps that share their axes, and of charts
// where letters are large, so that more of the page is left for their data.
SharedTitles take_shared_titles(Figure& figure, const Sheet& sheet) {
  if (figure.panels.size() < 2) return {};
  std::vector<Text*> rows;
  std::vector<Text*> columns;
  for (Panel& panel : figure.panels) {
    if (auto* map = std::get_if<HeatMap>(&panel.content); map != nullptr && figure.shared_axes) {
      rows.push_back(&map->row_title);
      columns.push_back(&map->column_title);
    }
    if (auto* chart = std::get_if<Chart>(&panel.content); chart != nullptr && has_large_letters(sheet)) {
      rows.push_back(&chart->y.label);
      columns.push_back(&chart->x.label);
    }
  }
  if (rows.size() != figure.panels.size()) return {};
  return {take_common(rows, sheet.language()), take_common(columns, sheet.language())};
}

double shared_title_room(const std::string& title, const Style& style) {
  return title.empty() ? 0.0 : style.body * line_spacing + 2.0 * style.gap;
}

// The box that all pictures fill together, and where the names beside and below them end.
struct Drawing {
  Box pictures;
  double left = 0.0;
  double bottom = 0.0;
  double titles_end = 0.0;  // how far to the right panel titles reach
};

// Left of all panels and below them, in the middle.
void draw_shared_titles(const SharedTitles& titles, Sheet& sheet, const Drawing& drawing) {
  const Style& style = sheet.style();
  const Box& pictures = drawing.pictures;
  if (!titles.row.empty()) {
    sheet.add_words("figure.row.title", sheet.words(titles.row, style.body),
                    {{drawing.left - style.gap, pictures.y + pictures.height / 2.0},
                     AlignX::centre,
                     AlignY::bottom,
                     -90.0});
  }
  if (!titles.column.empty()) {
    sheet.add_words(
        "figure.column.title", sheet.words(titles.column, style.body),
        {{pictures.x + pictures.width / 2.0, drawing.bottom + style.gap}, AlignX::centre, AlignY::top});
  }
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

// Draws into `room`, but for the colour bar and the titles that all share.
Drawing draw_grid(const Figure& figure, Sheet& sheet, const Box& room, const Room& reserved,
                  const PanelGrid& grid) {
  require_room(grid, {sheet.width() / points_per_inch, sheet.height() / points_per_inch}, figure.page);
  Box all;
  double leftmost_title = room.x + room.width;
  double rightmost_title = reserved.titles_end;
  double top = room.y;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    double left = room.x;
    const std::size_t first = row * grid.columns;
    std::vector<Box> areas;
    for (std::size_t column = 0; column < grid.columns && first + column < figure.panels.size(); ++column) {
      const Extent data = grid.data_of(first + column);
      areas.push_back(
          {left + grid.in_column[column].left, top + grid.in_row[row].top, data.width, data.height});
      left = areas.back().right() + grid.in_column[column].right + gutter_across(figure, sheet.style());
    }
    const std::vector<Box> parts = filled_parts(figure, sheet.style(), grid, first, areas);
    std::vector<Box> used;
    for (std::size_t column = 0; column < parts.size(); ++column) {
      const std::size_t index = first + column;
      const Surroundings around = around_panel(figure, sheet.style(), index, grid);
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

// How many items the heat maps will take, and enough for what stands around them: a vector that grows once
// more holds everything twice.
std::size_t item_count(const Figure& figure) {
  std::size_t count = 1024;
  for (const Panel& panel : figure.panels) {
    const auto* map = std::get_if<HeatMap>(&panel.content);
    if (map != nullptr && map->values.values.size() <= most_boxes) count += map->values.values.size();
  }
  return count;
}

// What a grid costs in words: the warnings of numbers and labels left out. A page without room costs most.
std::size_t losses(const Figure& figure, const Sheet& sheet, const Box& room, const Room& reserved,
                   const PanelGrid& grid) {
  Sheet trial = sheet.trial();
  trial.reserve(item_count(figure));
  try {
    draw_grid(figure, trial, room, reserved, grid);
  } catch (const NoRoom&) {
    return std::numeric_limits<std::size_t>::max();
  }
  return trial.take_warnings().size();
}

// The grid with the largest pictures. Of charts, one that the figure does not want must not cost words; maps
// have large cells first.
PanelGrid best_grid(const Figure& figure, Sheet& sheet, const Box& room, const Room& reserved) {
  const Extent extent{room.width, room.height};
  const std::size_t kept = reserved.in_column.size();
  const bool fills_kept = kept > 0 && (figure.panels.size() + kept - 1) / kept == reserved.in_row.size();
  const std::vector<GridChoice> choices =
      fills_kept ? std::vector<GridChoice>{{kept, reserved.titles}} : grid_choices(figure, sheet);
  // On a page of its own shape a figure keeps what it wants unless it gains much.
  const double gain = figure.columns > 0 && has_own_shape(figure, sheet) ? 1.3 : 1.0;
  PanelGrid best = grid_with(choices.front(), figure, sheet, extent, reserved);
  for (std::size_t i = 1; i < choices.size(); ++i) {
    const PanelGrid grid = grid_with(choices[i], figure, sheet, extent, reserved);
    if (merit(grid, figure, sheet) <= gain * merit(best, figure, sheet)) continue;
    const bool costs_words =
        figure.columns > 0 && !has_maps(figure) &&
        losses(figure, sheet, room, reserved, grid) > losses(figure, sheet, room, reserved, best);
    if (!costs_words) best = grid;
  }
  return best;
}

// Where the bar that all panels share stands, and what that leaves for them.
struct PanelArrangement {
  BarPlace bar = BarPlace::beside;
  Box room;
  PanelGrid grid;
};

PanelArrangement arrangement_with(const Figure& figure, Sheet& sheet, const Box& room, const Room& reserved,
                                  BarPlace place) {
  PanelArrangement made{place, room, {}};
  if (figure.shared_scale && place == BarPlace::beside)
    made.room.width -= colour_bar_width(*figure.shared_scale, sheet, room.height);
  if (figure.shared_scale && place == BarPlace::below) made.room.height -= colour_bar_depth(sheet.style());
  made.grid = best_grid(figure, sheet, made.room, reserved);
  return made;
}

// The bar stands beside the panels, or below maps whose cells become larger so, on a page of another shape.
PanelArrangement best_arrangement(const Figure& figure, Sheet& sheet, const Box& room, const Room& reserved) {
  const bool is_kept = !reserved.in_column.empty();
  const BarPlace first = is_kept ? reserved.bar : BarPlace::beside;
  PanelArrangement best = arrangement_with(figure, sheet, room, reserved, first);
  const bool as_made = has_own_shape(figure, sheet) && !has_large_letters(sheet);
  const bool may_move = !is_kept && !as_made && cells_of_one_size(figure);
  if (!may_move || !names_of_bands(*figure.shared_scale, sheet).empty()) return best;
  PanelArrangement below = arrangement_with(figure, sheet, room, reserved, BarPlace::below);
  constexpr double gain = 1.05;
  return merit(below.grid, figure, sheet) > gain * merit(best.grid, figure, sheet) ? below : best;
}

// Returns what the panels keep around their data.
Room draw_panels(Figure figure, Sheet& sheet, const Box& room, const Room& reserved) {
  const Style& style = sheet.style();
  const SharedTitles titles = take_shared_titles(figure, sheet);
  const auto* map = std::get_if<HeatMap>(&figure.panels.front().content);
  const bool is_single_map = figure.panels.size() == 1 && map != nullptr && map->has_colour_bar();
  if (is_single_map) figure.shared_scale = map->scale;
  const double left = shared_title_room(titles.row, style);
  const double below = shared_title_room(titles.column, style);
  const PanelArrangement arrangement = best_arrangement(
      figure, sheet, {room.x + left, room.y, room.width - left, room.height - below}, reserved);
  const PanelGrid& grid = arrangement.grid;
  sheet.reserve(item_count(figure));  // now that the sheets of trials are gone
  const Drawing drawing = draw_grid(figure, sheet, arrangement.room, reserved, grid);
  draw_shared_titles(titles, sheet, drawing);
  if (figure.shared_scale) {
    const Coloured what = has_only<Chart>(figure) ? Coloured::marks : Coloured::cells;
    Box pictures = drawing.pictures;
    if (arrangement.bar == BarPlace::below) pictures.height = drawing.bottom + below - pictures.y;
    draw_colour_bar(*figure.shared_scale, what, sheet, pictures, is_single_map ? "panel[0]" : "figure",
                    arrangement.bar);
  }
  return {0,          0, grid.title_size, drawing.titles_end, grid.titles, arrangement.bar, grid.in_column,
          grid.in_row};
}

// Lines of text from `top` downwards.
void draw_lines(Sheet& sheet, const std::vector<std::string>& lines, const Words& like, double top,
                const std::string& id) {
  const double margin = sheet.style().margin;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Words words = sheet.sentence(lines[i], like.size, like.weight);
    words.colour = like.colour;
    sheet.add_words(indexed(id, i), words, {{margin, top}, AlignX::left, AlignY::top});
    top += like.size * line_spacing;
  }
}

}  // namespace

Box fitted(const Box& box, double aspect) {
  if (aspect <= 0.0) return box;
  const double width = std::min(box.width, box.height * aspect);
  const double height = width / aspect;
  return {box.x + (box.width - width) / 2.0, box.y + (box.height - height) / 2.0, width, height};
}

Layout lay_out(const Figure& original, const LayoutOptions& options) {
  const auto [figure, colour_warnings] = recolour(original, options.colours, options.theme);
  const Measures measures = options.measures.value_or(measures_of(options.page));
  Sheet sheet(options.page, style_for(options.theme, measures, options.colours.series), options.language);
  const Style& style = sheet.style();
  for (const Text& warning : missing_fonts(options.language)) sheet.warn(warning);
  for (const Text& warning : colour_warnings) sheet.warn(warning);
  const double width = sheet.width() - 2.0 * style.margin;
  const auto rows_of = [&](Wording wording, const Text& text, const Words& like) {
    const std::string& words = text.in(options.language);
    if (wording == Wording::left_to_text || words.empty()) return std::vector<std::string>{};
    return wrap(words, like.size, like.weight, width);
  };

  const Words title{"", style.title, style.ink, style.paper, Weight::bold, {}};
  const Words small{"", style.caption, style.muted, style.paper, Weight::regular, {}};
  const std::vector<std::string> title_rows = rows_of(options.title, figure.title, title);
  const std::vector<std::string> caption_rows = rows_of(options.caption, figure.caption, small);

  const std::size_t title_room = std::max(title_rows.size(), options.reserved.title_rows);
  const std::size_t caption_room = std::max(caption_rows.size(), options.reserved.caption_rows);
  const double first = style.margin * 0.8;
  draw_lines(sheet, title_rows, title, first, "title");
  double top = first + static_cast<double>(title_room) * title.size * line_spacing + style.body * 0.7;
  if (figure.slider) {
    draw_slider(*figure.slider, sheet, top);
    top += slider_height(style);
  }
  const double caption_height = static_cast<double>(caption_room) * small.size * line_spacing;
  const double bottom = sheet.height() - style.margin * 0.8 - caption_height;
  draw_lines(sheet, caption_rows, small, bottom, "caption");
  const double clear = caption_room == 0 ? 0.0 : style.body * 0.6;
  Room room = draw_panels(figure, sheet, {style.margin, top, width, bottom - clear - top}, options.reserved);
  room.title_rows = title_room;
  room.caption_rows = caption_room;

  return {sheet.take_list(), sheet.take_warnings(), std::move(room)};
}

}  // namespace attnlab
