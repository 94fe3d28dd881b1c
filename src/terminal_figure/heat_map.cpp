// Heat maps: names above and beside the cells, then what their marks and colours mean.

#include <algorithm>

#include "terminal_figure/colour_line.hpp"
#include "terminal_figure/maps.hpp"
#include "terminal_figure/panels.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr std::size_t most_map_lines = 64;  // of cells; more are pooled
constexpr std::size_t widest_cell = 14;
constexpr std::size_t room_to_write = 5;  // columns of a cell that is to be filled in
constexpr std::size_t tall_from = 30;     // rows from which two share a line

/// Small maps are enlarged up to here.
std::size_t pleasant_map_lines(const Setting& setting) {
  constexpr std::size_t few_panels = 4;
  return setting.panels <= few_panels ? 12 : 6;
}

/// At most half of the width is for names.
std::vector<std::string> row_names_within(const HeatMap& map, std::size_t width, const Setting& setting) {
  return row_names(map, width / 2 - 1, setting);
}

std::size_t gutter(const HeatMap& map, std::size_t width, const Setting& setting) {
  return widest(row_names_within(map, width, setting)) + 1;
}

/// What a cell holds in words: a number, or room for one.
std::size_t content_width(const HeatMap& map) {
  if (map.fill == CellFill::outline) return room_to_write - 1;
  return number_width(cells_of(map));
}

/// Wide enough for the names of the columns, if that is possible.
std::size_t widened(std::size_t width, const HeatMap& map, std::size_t room, const Setting& setting) {
  const std::size_t longest = widest(names_in(map.column_labels, setting));
  for (const std::size_t space : {std::size_t{2}, std::size_t{1}}) {
    const std::size_t wanted = std::max(width, longest + space);
    if (longest > 0 && wanted <= widest_cell && wanted * map.values.columns <= room) return wanted;
  }
  return width;
}

CellSize size_with_numbers(const HeatMap& map, std::size_t room, const Setting& setting) {
  const std::size_t content = content_width(map);
  const std::size_t roomy = content + 2;
  const std::size_t width = roomy * map.values.columns <= room ? roomy : content + 1;
  const std::size_t rows = std::max(map.values.rows, setting.highest_map);
  const bool small = setting.in_colour() && width > 5 && 3 * rows <= pleasant_map_lines(setting);
  return {CellForm::numbers, widened(width, map, room, setting), small ? std::size_t{3} : std::size_t{1}};
}

/// Two rows on one line have room for their colours, but for neither names nor strokes.
bool may_share_lines(const HeatMap& map, const Setting& setting) {
  return setting.in_colour() && map.row_labels.empty() && map.fill == CellFill::coloured &&
         !is_hatched(map.scale, map.scale.low);
}

CellSize size_without_numbers(const HeatMap& map, std::size_t room, const Setting& setting) {
  const std::size_t columns = map.values.columns;
  const std::size_t rows = map.values.rows;
  const bool narrow = 2 * columns > room;
  if (may_share_lines(map, setting) && (narrow || rows > tall_from)) return {CellForm::half_lines, 1, 1};
  if (narrow) return {CellForm::blocks, 1, 1};
  for (const std::size_t side : {std::size_t{3}, std::size_t{2}}) {
    if (side * std::max(rows, setting.highest_map) <= pleasant_map_lines(setting) &&
        2 * side * columns <= room) {
      return {CellForm::blocks, widened(2 * side, map, room, setting), side};
    }
  }
  return {CellForm::blocks, widened(2, map, room, setting), 1};
}

CellSize size_for(const HeatMap& map, std::size_t room, const Setting& setting) {
  const std::size_t content = content_width(map);
  if (content > 0 && (content + 1) * map.values.columns <= room) return size_with_numbers(map, room, setting);
  return size_without_numbers(map, room, setting);
}

/// Blocks so large that the map fits; where two rows share no line, they are twice as high to keep its shape.
PoolSize pool_for(const HeatMap& map, std::size_t room, const Setting& setting) {
  PoolSize size;
  size.columns = (map.values.columns + room - 1) / room;
  const bool halves = may_share_lines(map, setting);
  if (size.columns > 1) size.rows = halves || !map.row_labels.empty() ? size.columns : 2 * size.columns;
  const std::size_t rows_a_line = halves ? 2 : 1;
  const std::size_t most_rows = most_map_lines * rows_a_line;
  size.rows = std::max(size.rows, (map.values.rows + most_rows - 1) / most_rows);
  return size;
}

/// The map with as many cells as the width has room for.
struct FittedMap {
  HeatMap map;
  PoolSize pool;
};

FittedMap fitted(const HeatMap& map, std::size_t width, const Setting& setting) {
  const PoolSize pool = pool_for(map, width - gutter(map, width, setting), setting);
  return {pool.rows * pool.columns == 1 ? map : pooled(map, pool), pool};
}

std::string left_out_note(const HeatMap& map, const CellSize& size, std::size_t width,
                          const Setting& setting) {
  if (number_width(cells_of(map)) == 0 || size.form == CellForm::numbers || map.fill == CellFill::outline)
    return "";
  const std::size_t needed =
      gutter(map, width, setting) + (number_width(cells_of(map)) + 1) * map.values.columns;
  return setting.words(
      text("数値は省略（{} 桁の幅が必要）", "numbers left out: they need {} columns", needed));
}

NamesAbove column_names(const HeatMap& map, const CellSize& size, std::size_t room, const Setting& setting) {
  if (map.column_labels.empty()) {
    const Numbering numbers = map.column_numbers.value_or(Numbering{0, map.values.columns});
    return {numbers_above(numbers, map.values.columns, size.width), ""};
  }
  return names_above(names_in(map.column_labels, setting), size.width, room);
}

}  // namespace

WithoutColour told_by(const HeatMap& map, std::size_t width, const Setting& setting) {
  const HeatMap shown = fitted(map, width, setting).map;
  return told_by(size_for(shown, width - gutter(shown, width, setting), setting), map.scale);
}

std::size_t comfortable_width(const HeatMap& map, std::size_t full, const Setting& setting) {
  constexpr std::size_t least = 16;  // for titles and the range of the colours
  constexpr std::size_t longest_name = 8;
  const std::size_t name = std::min(widest(names_in(map.column_labels, setting)), longest_name);
  const std::size_t side = gutter(map, full, setting);
  const std::size_t with_numbers =
      side + std::max(content_width(map), name) * map.values.columns + map.values.columns;
  if (content_width(map) > 0 && with_numbers <= full) return std::max(least, with_numbers);
  const std::size_t cell = std::max<std::size_t>(2, name == 0 ? 0 : name + 1);
  return std::min(full, std::max(least, side + cell * map.values.columns));
}

Picture draw(const HeatMap& map, std::size_t width, ColourBar bar, const Setting& setting) {
  const auto [shown, pool] = fitted(map, width, setting);
  const std::vector<std::string> rows = row_names_within(shown, width, setting);
  const std::size_t side = widest(rows) + 1;
  const CellSize size = size_for(shown, width - side, setting);
  const Cells cells = cells_of(shown);
  const NamesAbove above = column_names(shown, size, width - side, setting);
  const Picture corner(side, above.picture.height());
  const std::size_t lines = lines_of(cells, size);

  const std::vector<Picture> parts{
      paragraph(axis_names(shown.row_title, shown.column_title, setting), width, faint),
      beside({corner, above.picture}, 0),
      beside({names_beside(rows, size, lines), draw_cells(cells, size, setting)}, 0),
      paragraph(above.key, width, faint),
      paragraph(mark_legend(cells, size, setting), width, faint),
      paragraph(pool_note(shown, pool, setting), width, faint),
      paragraph(left_out_note(shown, size, width, setting), width, faint)};
  if (bar == ColourBar::here && shown.fill == CellFill::coloured) {
    return stacked({stacked(parts),
                    colour_line(shown.scale, Coloured::cells, told_by(size, shown.scale), width, setting)},
                   1);
  }
  return stacked(parts);
}

}  // namespace attnlab::terminal_figure
