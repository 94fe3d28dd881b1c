// Heat maps: names above and beside the cells, then what their marks and colours mean.
#include "core/terminal_width.hpp"
#include "plotting/layout/ticks.hpp"
#include "terminal_figure/panels.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr std::size_t most_staggered = 3;

/// Where a text of that width begins so that its middle stands over the middle of a cell.
std::size_t centred_over(std::size_t cell_begin, std::size_t cell, std::size_t width, std::size_t room) {
  const std::size_t doubled = 2 * cell_begin + cell;
  const std::size_t begin = doubled > width ? (doubled - width) / 2 : 0;
  return std::min(begin, room > width ? room - width : 0);
}

/// The names on so many lines in turn, or nothing when two would touch.
std::optional<Picture> staggered(const std::vector<std::string>& names, std::size_t cell, std::size_t room,
                                 std::size_t lines) {
  Picture picture(room, lines);
  std::vector<std::size_t> free_from(lines, 0);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t width = display_width(names[i]);
    const std::size_t line = i % lines;
    const std::size_t begin = centred_over(i * cell, cell, width, room);
    if (begin < free_from[line] || begin + width > room) return std::nullopt;
    const bool tight = width == 1 && cell == 1;
    free_from[line] = begin + width + (tight ? 0 : 1);
    picture.write({begin, line}, names[i]);
  }
  return picture;
}

/// Faint lines from the upper names down to their columns.
void draw_guides(Picture& picture, std::size_t count, std::size_t cell) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = i * cell + cell / 2;
    for (std::size_t line = i % picture.height() + 1; line < picture.height(); ++line) {
      const bool touches = picture.is_written({column, line}) ||
                           (column > 0 && picture.is_written({column - 1, line})) ||
                           (column + 1 < picture.width() && picture.is_written({column + 1, line}));
      if (!touches) picture.write({column, line}, "│", faint);
    }
  }
}

std::string numbered_key(const std::vector<std::string>& names) {
  std::string key;
  for (std::size_t i = 0; i < names.size(); ++i) {
    key += (i == 0 ? "" : "  ") + std::to_string(i) + " " + names[i];
  }
  return key;
}

std::size_t blocks(std::size_t cells, std::size_t each) { return (cells + each - 1) / each; }

struct Block {
  double value = std::nan("");
  bool hidden = true;
};

/// What can be read goes before what is hidden, numbers before NaN, the large before the small.
void take(Block& block, double value, bool hidden, const ColourScale& scale) {
  const auto rank = [&](double number) { return has_two_signs(scale) ? std::abs(number) : number; };
  if (hidden && !block.hidden) return;
  const bool first_to_read = block.hidden && !hidden;
  if (first_to_read || std::isnan(block.value) || rank(value) > rank(block.value)) block = {value, hidden};
}

Block block_at(const HeatMap& map, const PoolSize& size, const Cell& place) {
  const Cells cells = cells_of(map);
  Block block;
  const std::size_t row_end = std::min((place.row + 1) * size.rows, map.values.rows);
  const std::size_t column_end = std::min((place.column + 1) * size.columns, map.values.columns);
  for (std::size_t row = place.row * size.rows; row < row_end; ++row) {
    for (std::size_t column = place.column * size.columns; column < column_end; ++column)
      take(block, cells.value({row, column}), cells.is_hidden({row, column}), map.scale);
  }
  return block;
}

std::vector<ShortText> first_names(const std::vector<ShortText>& names, std::size_t each) {
  std::vector<ShortText> first;
  for (std::size_t i = 0; i < names.size(); i += each) first.push_back(names[i]);
  return first;
}

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

std::vector<std::string> names_in(const std::vector<ShortText>& names, const Setting& setting) {
  std::vector<std::string> words;
  words.reserve(names.size());
  for (const ShortText& name : names) words.push_back(name.in(setting.language));
  return words;
}

std::size_t widest(const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, display_width(name));
  return width;
}

std::vector<std::string> row_names(const HeatMap& map, std::size_t longest, const Setting& setting) {
  if (!map.row_labels.empty()) {
    std::vector<std::string> names = names_in(map.row_labels, setting);
    for (std::string& name : names) name = elided(name, longest);
    return names;
  }
  const Numbering numbers = map.row_numbers.value_or(Numbering{0, map.values.rows});
  std::vector<std::string> names;
  for (std::size_t row = 0; row < map.values.rows; ++row) {
    names.push_back(std::to_string(numbers.begin + row * (numbers.end - numbers.begin) / map.values.rows));
  }
  return names;
}

Picture names_beside(const std::vector<std::string>& names, const CellSize& size, std::size_t lines) {
  const std::size_t width = widest(names);
  Picture picture(width + 1, lines);
  const bool halves = size.form == CellForm::half_lines;
  constexpr std::size_t every = 10;  // rows, where two share a line
  for (std::size_t row = 0; row < names.size(); row += halves ? every : 1) {
    const std::size_t line = halves ? row / 2 : row * size.height + size.height / 2;
    picture.write({width - display_width(names[row]), line}, names[row]);
  }
  return picture;
}

std::string axis_names(const Text& downwards, const Text& rightwards, const Setting& setting) {
  const std::string& rows = setting.words(downwards);
  const std::string& columns = setting.words(rightwards);
  const std::string down = rows.empty() ? "" : rows + " ↓";
  const std::string across = columns.empty() ? "" : columns + " →";
  return down + (down.empty() || across.empty() ? "" : "  ") + across;
}

NamesAbove names_above(const std::vector<std::string>& names, std::size_t cell, std::size_t room) {
  for (std::size_t lines = 1; lines <= most_staggered; ++lines) {
    if (std::optional<Picture> picture = staggered(names, cell, room, lines)) {
      draw_guides(*picture, names.size(), cell);
      return {*picture, ""};
    }
  }
  return {numbers_above({0, names.size()}, names.size(), cell), numbered_key(names)};
}

Picture numbers_above(const Numbering& numbers, std::size_t columns, std::size_t cell) {
  const std::size_t span = std::max<std::size_t>(1, numbers.end - numbers.begin);
  const double columns_each = static_cast<double>(columns * cell) / static_cast<double>(span);
  const std::size_t longest = std::to_string(numbers.end).size();
  const std::vector<Tick> ticks =
      index_ticks(numbers.begin, numbers.end, [&](const std::vector<Tick>& candidates) {
        if (candidates.size() < 2) return true;
        const double apart = (candidates[1].value - candidates[0].value) * columns_each;
        return apart >= static_cast<double>(longest + 1);
      });
  Picture picture(columns * cell, 1);
  for (const Tick& tick : ticks) {
    const double at = (tick.value - static_cast<double>(numbers.begin)) * columns_each;
    const auto column = static_cast<std::size_t>(at) / cell * cell;
    picture.write({centred_over(column, cell, tick.markup.size(), picture.width()), 0}, tick.markup);
  }
  return picture;
}

HeatMap pooled(const HeatMap& map, const PoolSize& size) {
  HeatMap result = map;
  result.values = {blocks(map.values.rows, size.rows), blocks(map.values.columns, size.columns), {}};
  result.hidden.clear();
  result.marked.clear();
  for (std::size_t row = 0; row < result.values.rows; ++row) {
    for (std::size_t column = 0; column < result.values.columns; ++column) {
      const Block block = block_at(map, size, {row, column});
      result.values.values.push_back(block.value);
      result.hidden.push_back(block.hidden);
    }
  }
  result.row_labels = first_names(map.row_labels, size.rows);
  result.column_labels = first_names(map.column_labels, size.columns);
  result.row_numbers = map.row_numbers.value_or(Numbering{0, map.values.rows});
  result.column_numbers = map.column_numbers.value_or(Numbering{0, map.values.columns});
  return result;
}

std::string pool_note(const HeatMap& map, const PoolSize& size, const Setting& setting) {
  if (size.rows == 1 && size.columns == 1) return "";
  const bool two_signs = has_two_signs(map.scale);
  const std::string block = fmt::format("{} × {}", size.rows, size.columns);
  return setting.words(
      {fmt::format("1 マスは {} 個の{}", block, two_signs ? "絶対値最大" : "最大値"),
       fmt::format("each cell: the {} of {}", two_signs ? "most extreme" : "largest", block)});
}

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
  if (bar == ColourBar::here && shown.has_colour_bar()) {
    return stacked({stacked(parts),
                    colour_line(shown.scale, Coloured::cells, told_by(size, shown.scale), width, setting)},
                   1);
  }
  return stacked(parts);
}

}  // namespace attnlab::terminal_figure
