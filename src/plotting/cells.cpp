#include "plotting/cells.hpp"

#include <algorithm>
#include <cmath>

#include "plotting/colour/colour.hpp"
#include "plotting/layout/geometry.hpp"
#include "plotting/layout/shapes.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

constexpr double seam = 0.4;       // cells overlap a little: vector viewers show hairlines otherwise
constexpr double gap_from = 14.0;  // cells at least this large stand apart
constexpr double gap = 1.0;
constexpr double strike_from =
    6.0;  // in smaller cells diagonals merge into one dark patch: grey alone marks them

std::string cell_id(const Cells& cells, std::size_t row, std::size_t column) {
  return cells.id + "[" + std::to_string(row) + "," + std::to_string(column) + "]";
}

bool holds(const std::vector<bool>* flags, const Cells& cells, std::size_t row, std::size_t column) {
  return flags != nullptr && !flags->empty() && (*flags)[row * cells.values.columns + column];
}

bool is_hidden(const Cells& cells, std::size_t row, std::size_t column) {
  return holds(cells.hidden, cells, row, column);
}

// A hidden cell that holds: nothing is to be read there.
bool is_blank(const Cells& cells, std::size_t row, std::size_t column) {
  return is_hidden(cells, row, column) && cells.values.at(row, column) == 0.0;
}

// Neither NaN nor a masked score of minus infinity has a place on a colour scale.
bool is_off_scale(double value) {
  return std::isnan(value) || (std::isinf(value) && value < 0.0);
}

// What is off the scale, and a hidden 0, which is no small weight, are grey.
Colour fill_of(const Cells& cells, std::size_t row, std::size_t column, const Style& style) {
  const double value = cells.values.at(row, column);
  if (is_off_scale(value) || is_blank(cells, row, column)) return style.grid;
  return colour_of(cells.scale, value, style.theme);
}

bool has_hatching(const Cells& cells, std::size_t row, std::size_t column) {
  const double value = cells.values.at(row, column);
  return !is_off_scale(value) && is_hatched(cells.scale, value);
}

// Where lines pass behind a number.
std::optional<Colour> halo_on(const Cells& cells, std::size_t row, std::size_t column, const Colour& fill) {
  if (!has_hatching(cells, row, column)) return std::nullopt;
  return fill;
}

void draw_raster(const Cells& cells, Sheet& sheet, const Box& box) {
  Raster raster{box, cells.values.rows, cells.values.columns, {}};
  raster.pixels.reserve(cells.values.values.size());
  for (std::size_t row = 0; row < cells.values.rows; ++row) {
    for (std::size_t column = 0; column < cells.values.columns; ++column) {
      raster.pixels.push_back(fill_of(cells, row, column, sheet.style()));
    }
  }
  sheet.add(cells.id, std::move(raster));
}

// A diagonal through a cell that holds no number, readable without colour.
void strike_out(const std::string& id, Sheet& sheet, const Box& box) {
  sheet.add(id + ".strike", Path{{{box.x, box.y + box.height}, {box.x + box.width, box.y}},
                                 false,
                                 {},
                                 sheet.style().muted,
                                 sheet.style().line * 0.4,
                                 {},
                                 {}});
}

// A value where the mask allows none, or one that the title speaks of: a frame inside the cell, in a warning
// colour or in ink, with paper on either side, so that it is seen on every colour.
void frame(const std::string& id, Sheet& sheet, const Box& box) {
  const Style& style = sheet.style();
  const double width = style.line * 1.2;
  const Box inner{box.x + width, box.y + width, box.width - 2.0 * width, box.height - 2.0 * width};
  const Corners corners = corners_of(inner);
  const std::vector<Position> around{corners.begin(), corners.end()};
  const Colour& colour = style.theme == Theme::print ? style.ink : style.series[1];
  sheet.add(id + ".edge", Path{around, true, {}, style.paper, 2.0 * width, {}, {}});
  sheet.add(id + ".frame", Path{around, true, {}, colour, width, {}, {}});
}

void mark(const Cells& cells, std::size_t row, std::size_t column, Sheet& sheet, const Box& cell) {
  const double value = cells.values.at(row, column);
  const bool without_text = is_off_scale(value) && cells.decimals == no_numbers;
  if (without_text || is_blank(cells, row, column)) {
    if (std::min(cell.width, cell.height) >= strike_from)
      strike_out(cell_id(cells, row, column), sheet, cell);
    return;
  }
  const bool leaks = is_hidden(cells, row, column) && !std::isnan(value);
  if (leaks || holds(cells.marked, cells, row, column)) frame(cell_id(cells, row, column), sheet, cell);
}

// Lines between cells that are large enough to write in, else the frame alone.
void draw_outline(const Cells& cells, Sheet& sheet, const Box& box) {
  constexpr double smallest_to_write_in = 8.0;
  const Style& style = sheet.style();
  const auto rows = static_cast<double>(cells.values.rows);
  const auto columns = static_cast<double>(cells.values.columns);
  const Corners corners = corners_of(box);
  sheet.add(cells.id,
            Path{{corners.begin(), corners.end()}, true, {}, style.muted, style.line * 0.6, {}, {}});
  if (std::min(box.width / columns, box.height / rows) < smallest_to_write_in) return;
  const auto add_line = [&](const std::string& id, const Position& from, const Position& to) {
    sheet.add(cells.id + id, Path{{from, to}, false, {}, style.muted, style.line * 0.4, {}, {}});
  };
  for (std::size_t row = 1; row < cells.values.rows; ++row) {
    const double y = box.y + box.height * static_cast<double>(row) / rows;
    add_line(".line.row[" + std::to_string(row) + "]", {box.x, y}, {box.x + box.width, y});
  }
  for (std::size_t column = 1; column < cells.values.columns; ++column) {
    const double x = box.x + box.width * static_cast<double>(column) / columns;
    add_line(".line.column[" + std::to_string(column) + "]", {x, box.y}, {x, box.y + box.height});
  }
}

void draw_numbers(const Cells& cells, Sheet& sheet, const Box& box, double width, double height) {
  const double fitting = number_size(cells, sheet.style(), width, height);
  const double size = cells.largest_number > 0.0 ? std::min(cells.largest_number, fitting) : fitting;
  if (size == 0.0) {
    sheet.warn({"セルが小さいため数値を省きました。--size でページを大きくしてください",
                "the numbers are left out because the cells are too small; give the page a larger --size"});
    return;
  }
  for (std::size_t row = 0; row < cells.values.rows; ++row) {
    for (std::size_t column = 0; column < cells.values.columns; ++column) {
      if (is_blank(cells, row, column)) continue;
      const Colour background = fill_of(cells, row, column, sheet.style());
      const Words words{number_text(cells.values.at(row, column), cells.decimals),
                        size,
                        black_or_white_on(background),
                        background,
                        Weight::regular,
                        halo_on(cells, row, column, background)};
      sheet.add_words(cell_id(cells, row, column) + ".text", words,
                      {{box.x + width * (static_cast<double>(column) + 0.5),
                        box.y + height * (static_cast<double>(row) + 0.5)},
                       AlignX::centre,
                       AlignY::middle});
    }
  }
}

}  // namespace

double number_size(const Cells& cells, const Style& style, double width, double height) {
  double widest = 0.0;
  for (const double value : cells.values.values) {
    widest = std::max(widest, measure(number_text(value, cells.decimals), style.body, Weight::regular).width);
  }
  const double line = measure("0", style.body, Weight::regular).height;
  const double size = style.body * std::min({1.0, width * 0.84 / widest, height * 0.9 / line});
  return size >= style.smallest ? size : 0.0;
}

void draw_cells(const Cells& cells, Sheet& sheet, const Box& box) {
  const auto& [rows, columns, values] = cells.values;
  if (cells.fill == CellFill::outline) return draw_outline(cells, sheet, box);
  if (values.size() > most_boxes) return draw_raster(cells, sheet, box);
  const double width = box.width / static_cast<double>(columns);
  const double height = box.height / static_cast<double>(rows);
  const bool apart = std::min(width, height) >= gap_from;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double right = apart ? -gap : column + 1 < columns ? seam : 0.0;
      const double down = apart ? -gap : row + 1 < rows ? seam : 0.0;
      const Box cell{box.x + width * static_cast<double>(column), box.y + height * static_cast<double>(row),
                     width + right, height + down};
      const Colour fill = fill_of(cells, row, column, sheet.style());
      sheet.add(cell_id(cells, row, column), FilledBox{cell, fill});
      if (has_hatching(cells, row, column)) {
        sheet.add(cell_id(cells, row, column) + ".hatch", sign_hatching(sheet.style(), cell, fill));
      }
      mark(cells, row, column, sheet, cell);
    }
  }
  if (cells.decimals != no_numbers) draw_numbers(cells, sheet, box, width, height);
}

}  // namespace attnlab
