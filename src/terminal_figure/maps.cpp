#include "terminal_figure/maps.hpp"

#include <algorithm>
#include <optional>

#include "core/terminal_width.hpp"
#include "plotting/layout/ticks.hpp"

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

}  // namespace attnlab::terminal_figure
