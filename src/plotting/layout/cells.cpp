#include "plotting/layout/cells.hpp"

#include "plotting/layout/shapes.hpp"

namespace attnlab {
namespace {

constexpr double cell_gap = 1.0;  // between large cells

bool has_hatching(const Cells& cells, const Cell& at) {
  return !cells.is_off_scale(at) && is_hatched(cells.scale, cells.value(at));
}

void draw_raster(const Cells& cells, Sheet& sheet, const Box& box) {
  Raster raster{box, cells.values.rows, cells.values.columns, {}};
  raster.pixels.reserve(cells.values.values.size());
  cells.for_each([&](const Cell& at) { raster.pixels.push_back(fill_of(cells, at, sheet.style())); });
  sheet.add(cells.id, std::move(raster));
}

/// How much of a picture a cell hides: all but a trace where its value is the least of the scale, or none.
double veil_over(const Cells& cells, const Cell& at) {
  constexpr double densest = 0.92;
  if (cells.is_off_scale(at)) return densest;
  return densest * (1.0 - fraction_of(cells.scale, cells.value(at)));
}

Colour colour_at(const Image& picture, std::size_t row, std::size_t column) {
  const std::uint8_t* sample = picture.at(row, column);
  return {sample[0] / 255.0, sample[1] / 255.0, sample[2] / 255.0};
}

void draw_picture(const std::string& id, const Image& picture, Sheet& sheet, const Box& box) {
  Raster raster{box, picture.rows, picture.columns, {}, true};
  raster.pixels.reserve(picture.rows * picture.columns);
  for (std::size_t row = 0; row < picture.rows; ++row)
    for (std::size_t column = 0; column < picture.columns; ++column)
      raster.pixels.push_back(colour_at(picture, row, column));
  sheet.add(id, std::move(raster));
}

/// Of the pixels behind a cell.
Colour mean_behind(const Cells& cells, const Cell& at) {
  const Image& picture = *cells.picture;
  const auto stretch = [](std::size_t place, std::size_t cells_along, std::size_t pixels) {
    const std::size_t begin = place * pixels / cells_along;
    return std::pair(begin, std::max(begin + 1, (place + 1) * pixels / cells_along));
  };
  const auto [top, bottom] = stretch(at.row, cells.values.rows, picture.rows);
  const auto [left, right] = stretch(at.column, cells.values.columns, picture.columns);
  Colour mean;
  double count = 0.0;
  for (std::size_t row = top; row < bottom; ++row) {
    for (std::size_t column = left; column < right; ++column)
      mean = mixed(mean, colour_at(picture, row, column), 1.0 / ++count);
  }
  return mean;
}

// A diagonal through cells that hold no number, readable without colour; both through those that hold NaN.
void strike_out(const std::string& id, Sheet& sheet, const Box& box, double value) {
  const Style& style = sheet.style();
  const auto add_line = [&](const char* mark, double from, double to) {
    sheet.add(id + mark, Path::line({{box.x, from}, {box.right(), to}}, style.muted, style.line * 0.4));
  };
  add_line(".strike", box.bottom(), box.y);
  if (std::isnan(value)) add_line(".cross", box.y, box.bottom());
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
std::string written(const Cells& cells, const Cell& at, LeadingZeros zeros) {
  const double value = cells.value(at);
  std::string number = cells.text(at);
  if (zeros == LeadingZeros::written || !std::isfinite(value)) return number;
  std::string shorter = without_leading_zero(number);
  if (shorter.size() < number.size() || cells.decimals <= 0) return shorter;
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
  cells.for_each([&](const Cell& at) {
    if (!cells.is_blank(at)) widest = std::max(widest, measure(written(cells, at, zeros), style.body).width);
  });
  return widest;
}

/// The largest size of numbers that are so wide in the body size, or 0.
double number_size(double widest, const Style& style, const Extent& cell) {
  constexpr double widest_share = 0.92;  // of the cell, in the smallest text
  constexpr double usual_share = 0.8;    // in a larger one
  constexpr double height_share = 1.2;   // digits have no descenders: their ink is 0.73 of their size
  const double full = style.body * (cell.width - cell_gap) / widest;  // the size that would fill the width
  const double size = std::min({style.body, (cell.height - cell_gap) * height_share, full * widest_share,
                                std::max(style.smallest, full * usual_share)});
  return size >= style.smallest ? size : 0.0;
}

// Nothing can be read there: a hidden 0, and what is off the scale where no number says so.
bool is_struck_out(const Cells& cells, const Cell& at, const NumberForm& numbers) {
  return cells.is_blank(at) || (cells.is_off_scale(at) && numbers.size == 0.0);
}

// A stroke through every cell that is struck out. Small cells share one, block by block, where a whole block
// is: strokes of their own would merge into one dark patch.
template <class BoxOf>
void strike_cells(const Cells& cells, Sheet& sheet, double side, const NumberForm& numbers,
                  const BoxOf& box_of) {
  constexpr double shortest = 6.0;
  const auto block = static_cast<std::size_t>(std::max(1.0, std::ceil(shortest / side)));
  cells.for_each([&](const Cell& first) {
    if (first.row % block != 0 || first.column % block != 0) return;
    const Cell last{std::min(first.row + block, cells.values.rows) - 1,
                    std::min(first.column + block, cells.values.columns) - 1};
    for (std::size_t row = first.row; row <= last.row; ++row)
      for (std::size_t column = first.column; column <= last.column; ++column)
        if (!is_struck_out(cells, {row, column}, numbers)) return;
    strike_out(indexed(cells.id, first.row, first.column), sheet, united(box_of(first), box_of(last)),
               cells.value(first));
  });
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

template <class BoxOf>
void draw_numbers(const Cells& cells, Sheet& sheet, const NumberForm& form, const BoxOf& box_of) {
  if (form.size == 0.0) {
    sheet.warn({"セルが小さいため数値を省きました。--size でページを大きくしてください",
                "the numbers are left out because the cells are too small; give the page a larger --size"});
    return;
  }
  cells.for_each([&](const Cell& at) {
    if (cells.is_blank(at)) return;
    Words number = sheet.set_markup(written(cells, at, form.zeros), form.size);
    number.background = fill_of(cells, at, sheet.style());
    number.colour = black_or_white_on(number.background);
    if (has_hatching(cells, at)) number.halo = number.background;  // lines pass behind it
    const Box cell = box_of(at);
    sheet.add_words(indexed(cells.id, at.row, at.column) + ".text", number,
                    {{cell.x + cell.width / 2.0, cell.y + cell.height / 2.0}});
  });
}

}  // namespace

Colour fill_of(const Cells& cells, const Cell& at, const Style& style) {
  if (cells.picture != nullptr) return mixed(mean_behind(cells, at), style.paper, veil_over(cells, at));
  if (cells.is_off_scale(at) || cells.is_blank(at)) return style.grid;
  return colour_of(cells.scale, cells.value(at), style.theme);
}

NumberWidths number_widths(const Cells& cells, const Sheet& sheet) {
  const auto [known, is_new] = sheet.number_widths().try_emplace(&cells.values);
  if (is_new) {
    known->second.written = widest_number(cells, sheet.style(), LeadingZeros::written);
    if (can_do_without_zeros(cells))
      known->second.left_out = widest_number(cells, sheet.style(), LeadingZeros::left_out);
  }
  return known->second;
}

NumberForm number_form(const NumberWidths& widths, const Style& style, const Extent& cell) {
  const double full = number_size(widths.written, style, cell);
  if (full > 0.0 || widths.left_out == 0.0) return {full, LeadingZeros::written};
  return {number_size(widths.left_out, style, cell), LeadingZeros::left_out};
}

NumberForm form_of_all(const std::vector<NumberWidths>& widths, const Style& style, const Extent& cell) {
  if (widths.empty()) return {};
  NumberForm all{style.body};
  for (const NumberWidths& one : widths) {
    const NumberForm form = number_form(one, style, cell);
    all.size = std::min(all.size, form.size);
    if (form.zeros == LeadingZeros::left_out) all.zeros = LeadingZeros::left_out;
  }
  return all;
}

double room_of_numbers(const std::vector<NumberWidths>& widths, LeadingZeros zeros, const Style& style,
                       double share) {
  double widest = 0.0;
  for (const NumberWidths& one : widths) {
    const bool is_short = zeros == LeadingZeros::left_out && one.left_out > 0.0;
    widest = std::max(widest, is_short ? one.left_out : one.written);
  }
  return widest * style.smallest / style.body / share + cell_gap;
}

void draw_cells(const Cells& cells, Sheet& sheet, const Box& box, const std::optional<NumberForm>& form) {
  if (cells.fill == CellFill::outline) return draw_outline(cells, sheet, box);
  const auto& [rows, columns, values] = cells.values;
  constexpr double gap_from = 14.0;  // cells at least this large stand apart
  const double width = box.width / static_cast<double>(columns);
  const double height = box.height / static_cast<double>(rows);
  const double side = std::min(width, height);
  const bool veils = cells.picture != nullptr;
  const bool apart = side >= gap_from && !veils;
  const std::size_t last_row = rows - 1;
  const std::size_t last_column = columns - 1;
  const auto box_of = [&](const Cell& at) {
    const double right = apart ? -cell_gap : at.column < last_column && !veils ? seam : 0.0;
    const double down = apart ? -cell_gap : at.row < last_row && !veils ? seam : 0.0;
    return Box{box.x + width * static_cast<double>(at.column), box.y + height * static_cast<double>(at.row),
               width + right, height + down};
  };
  if (veils) draw_picture(cells.id + ".picture", *cells.picture, sheet, box);
  if (values.size() > most_boxes) {
    draw_raster(cells, sheet, box);
    return strike_cells(cells, sheet, side, {}, box_of);
  }
  const bool has_numbers = cells.decimals != no_numbers;
  const NumberForm numbers = !has_numbers ? NumberForm{}
                             : form
                                 ? *form
                                 : number_form(number_widths(cells, sheet), sheet.style(), {width, height});
  cells.for_each([&](const Cell& at) {
    const Box cell = box_of(at);
    const std::string id = indexed(cells.id, at.row, at.column);
    if (veils) return sheet.add(id, FilledBox{cell, sheet.style().paper, veil_over(cells, at)});
    const Colour fill = fill_of(cells, at, sheet.style());
    sheet.add(id, FilledBox{cell, fill});
    if (has_hatching(cells, at)) sheet.add(id + ".hatch", sign_hatching(sheet.style(), cell, fill));
  });
  strike_cells(cells, sheet, side, numbers, box_of);
  cells.for_each([&](const Cell& at) {  // over the neighbours
    if (cells.is_framed(at) && !is_struck_out(cells, at, numbers)) {
      frame(indexed(cells.id, at.row, at.column), sheet, box_of(at));
    }
  });
  if (has_numbers) draw_numbers(cells, sheet, numbers, box_of);
}

}  // namespace attnlab
