#include "plotting/layout/cells.hpp"

#include "plotting/layout/shapes.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

bool has_hatching(const Cells& cells, const Cell& at) {
  return !cells.is_off_scale(at) && is_hatched(cells.scale, cells.value(at));
}

void draw_raster(const Cells& cells, Sheet& sheet, const Box& box) {
  Raster raster{box, cells.values.rows, cells.values.columns, {}};
  raster.pixels.reserve(cells.values.values.size());
  cells.for_each([&](const Cell& at) { raster.pixels.push_back(fill_of(cells, at, sheet.style())); });
  sheet.add(cells.id, std::move(raster));
}

// A diagonal through a cell that holds no number, readable without colour.
void strike_out(const std::string& id, Sheet& sheet, const Box& box) {
  const Style& style = sheet.style();
  sheet.add(id + ".strike",
            Path::line({{box.x, box.bottom()}, {box.right(), box.y}}, style.muted, style.line * 0.4));
}

// A value where the mask allows none, or one that the title speaks of: a thin line along the border of the
// cell, in a warning colour or in ink, which leaves the cell's colour and its number to be seen.
void frame(const std::string& id, Sheet& sheet, const Box& box) {
  constexpr double widest = 0.12;  // of the cell
  const Style& style = sheet.style();
  const double width = std::min(style.line * 0.9, widest * std::min(box.width, box.height));
  const bool print = style.theme == Theme::print;
  const Colour& colour = print ? style.ink : style.series[1];
  if (print) sheet.add(id + ".edge", Path::frame(box.grown(-width), style.paper, width));  // on black cells
  sheet.add(id + ".frame", Path::frame(box, colour, width));
}

/// "0.25", or ".25" and "1.0", which is as long, where there is no room for the zero.
std::string written(const Cells& cells, double value, LeadingZeros zeros) {
  std::string number = number_text(value, cells.decimals);
  if (zeros == LeadingZeros::written || !std::isfinite(value)) return number;
  std::string shorter = without_leading_zero(number);
  if (shorter.size() < number.size()) return shorter;
  return number_text(value, cells.decimals - 1);
}

/// Whether leading zeros can be spared: of numbers that are below 1 or just 1.
bool can_do_without_zeros(const Cells& cells) {
  const std::vector<double>& values = cells.values.values;
  return cells.decimals > 1 && std::none_of(values.begin(), values.end(), [](double value) {
           return std::isfinite(value) && std::abs(value) > 1.0;
         });
}

double widest_number(const Cells& cells, const Style& style, LeadingZeros zeros) {
  double widest = 0.0;
  for (const double value : cells.values.values) {
    widest = std::max(widest, measure(written(cells, value, zeros), style.body).width);
  }
  return widest;
}

/// The largest size of numbers that are so wide in the body size, or 0.
double number_size(double widest, const Style& style, const Extent& cell) {
  constexpr double width_share = 0.88;
  constexpr double height_share = 1.2;  // digits have no descenders: their ink is 0.73 of their size
  const double size =
      std::min({style.body, style.body * cell.width * width_share / widest, cell.height * height_share});
  return size >= style.smallest ? size : 0.0;
}

bool is_struck_out(const Cells& cells, const Cell& at) {
  return cells.is_blank(at) || (cells.is_off_scale(at) && cells.decimals == no_numbers);
}

// Lines between cells that are large enough to write in, else the frame alone.
void draw_outline(const Cells& cells, Sheet& sheet, const Box& box) {
  constexpr double smallest_to_write_in = 8.0;
  const Style& style = sheet.style();
  const auto rows = static_cast<double>(cells.values.rows);
  const auto columns = static_cast<double>(cells.values.columns);
  sheet.add(cells.id, Path::frame(box, style.muted, style.line * 0.6));
  if (std::min(box.width / columns, box.height / rows) < smallest_to_write_in) return;
  const auto add_line = [&](const std::string& id, const Position& from, const Position& to) {
    sheet.add(id, Path::line({from, to}, style.muted, style.line * 0.4));
  };
  for (std::size_t row = 1; row < cells.values.rows; ++row) {
    const double y = box.y + box.height * static_cast<double>(row) / rows;
    add_line(indexed(cells.id + ".line.row", row), {box.x, y}, {box.right(), y});
  }
  for (std::size_t column = 1; column < cells.values.columns; ++column) {
    const double x = box.x + box.width * static_cast<double>(column) / columns;
    add_line(indexed(cells.id + ".line.column", column), {x, box.y}, {x, box.bottom()});
  }
}

void draw_numbers(const Cells& cells, Sheet& sheet, const Box& box, double width, double height,
                  const NumberForm& form) {
  if (form.size == 0.0) {
    sheet.warn({"セルが小さいため数値を省きました。--size でページを大きくしてください",
                "the numbers are left out because the cells are too small; give the page a larger --size"});
    return;
  }
  cells.for_each([&](const Cell& at) {
    if (cells.is_blank(at)) return;
    Words number = sheet.set_markup(written(cells, cells.value(at), form.zeros), form.size);
    number.background = fill_of(cells, at, sheet.style());
    number.colour = black_or_white_on(number.background);
    if (has_hatching(cells, at)) number.halo = number.background;  // lines pass behind it
    sheet.add_words(indexed(cells.id, at.row, at.column) + ".text", number,
                    {{box.x + width * (static_cast<double>(at.column) + 0.5),
                      box.y + height * (static_cast<double>(at.row) + 0.5)}});
  });
}

}  // namespace

Colour fill_of(const Cells& cells, const Cell& at, const Style& style) {
  if (cells.is_off_scale(at) || cells.is_blank(at)) return style.grid;
  return colour_of(cells.scale, cells.value(at), style.theme);
}

NumberWidths number_widths(const Cells& cells, const Style& style) {
  return {widest_number(cells, style, LeadingZeros::written),
          can_do_without_zeros(cells) ? widest_number(cells, style, LeadingZeros::left_out) : 0.0};
}

NumberForm number_form(const NumberWidths& widths, const Style& style, const Extent& cell) {
  const double full = number_size(widths.written, style, cell);
  if (full > 0.0 || widths.left_out == 0.0) return {full, LeadingZeros::written};
  return {number_size(widths.left_out, style, cell), LeadingZeros::left_out};
}

NumberForm common_form(const NumberForm& one, const NumberForm& other) {
  const bool full = one.zeros == LeadingZeros::written && other.zeros == LeadingZeros::written;
  return {std::min(one.size, other.size), full ? LeadingZeros::written : LeadingZeros::left_out};
}

void draw_cells(const Cells& cells, Sheet& sheet, const Box& box, const std::optional<NumberForm>& form) {
  if (cells.fill == CellFill::outline) return draw_outline(cells, sheet, box);
  const auto& [rows, columns, values] = cells.values;
  if (values.size() > most_boxes) return draw_raster(cells, sheet, box);
  constexpr double gap = 1.0;
  constexpr double gap_from = 14.0;  // cells at least this large stand apart
  const double width = box.width / static_cast<double>(columns);
  const double height = box.height / static_cast<double>(rows);
  const bool apart = std::min(width, height) >= gap_from;
  const std::size_t last_row = rows - 1;
  const std::size_t last_column = columns - 1;
  const auto box_of = [&](const Cell& at) {
    const double right = apart ? -gap : at.column < last_column ? seam : 0.0;
    const double down = apart ? -gap : at.row < last_row ? seam : 0.0;
    return Box{box.x + width * static_cast<double>(at.column), box.y + height * static_cast<double>(at.row),
               width + right, height + down};
  };
  constexpr double strike_from = 6.0;  // smaller: diagonals would merge into one dark patch, grey alone marks
  const bool strikes = std::min(width, height) >= strike_from;
  cells.for_each([&](const Cell& at) {
    const Box cell = box_of(at);
    const Colour fill = fill_of(cells, at, sheet.style());
    const std::string id = indexed(cells.id, at.row, at.column);
    sheet.add(id, FilledBox{cell, fill});
    if (has_hatching(cells, at)) sheet.add(id + ".hatch", sign_hatching(sheet.style(), cell, fill));
    if (strikes && is_struck_out(cells, at)) strike_out(id, sheet, cell);
  });
  cells.for_each([&](const Cell& at) {  // over the neighbours
    if (cells.is_framed(at) && !is_struck_out(cells, at)) {
      frame(indexed(cells.id, at.row, at.column), sheet, box_of(at));
    }
  });
  if (cells.decimals == no_numbers) return;
  draw_numbers(
      cells, sheet, box, width, height,
      form ? *form : number_form(number_widths(cells, sheet.style()), sheet.style(), {width, height}));
}

}  // namespace attnlab
