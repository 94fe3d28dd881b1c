#include "plotting/layout/cells.hpp"

#include "core/constants.hpp"
#include "plotting/layout/shapes.hpp"

namespace attnlab {
namespace {

constexpr double cell_gap = 1.0;  // between large cells

struct Cell {
  std::size_t row = 0;
  std::size_t column = 0;
};

template <class Visit>
void for_each_cell(const HeatMap& map, const Visit& visit) {
  for (std::size_t row = 0; row < map.values.rows; ++row) {
    for (std::size_t column = 0; column < map.values.columns; ++column) visit(Cell{row, column});
  }
}

std::size_t flat(const HeatMap& map, const Cell& at) { return at.row * map.values.columns + at.column; }
double value_of(const HeatMap& map, const Cell& at) { return map.values.values[flat(map, at)]; }

/// What is written in it, where numbers are.
std::string text_in(const HeatMap& map, const Cell& at) {
  return map.words.empty() ? number_text(value_of(map, at), map.decimals) : map.words[flat(map, at)];
}

/// Hidden, as it should be: nothing is to be read there.
bool is_blank(const HeatMap& map, const Cell& at) {
  const double value = value_of(map, at);
  return !map.hidden.empty() && map.hidden[flat(map, at)] && (value == 0.0 || value == -infinity);
}

/// The title speaks of it, or a value stands there where the mask allows none.
bool is_framed(const HeatMap& map, const Cell& at) {
  if (!map.marked.empty() && map.marked[flat(map, at)]) return true;
  return !map.hidden.empty() && map.hidden[flat(map, at)] && !is_blank(map, at) &&
         !std::isnan(value_of(map, at));
}

/// Neither NaN nor a masked score of minus infinity has a place on a colour scale.
bool is_off_scale(const HeatMap& map, const Cell& at) {
  return std::isnan(value_of(map, at)) || value_of(map, at) == -infinity;
}

bool has_hatching(const HeatMap& map, const Cell& at) {
  return !is_off_scale(map, at) && is_hatched(map.scale, value_of(map, at));
}

/// How much of a picture a cell hides: all but a trace where its value is the least of the scale, or none.
double veil_over(const HeatMap& map, const Cell& at) {
  constexpr double densest = 0.92;
  if (is_off_scale(map, at)) return densest;
  return densest * (1.0 - fraction_of(map.scale, value_of(map, at)));
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
Colour mean_behind(const HeatMap& map, const Cell& at) {
  const Image& picture = *map.picture;
  const auto stretch = [](std::size_t place, std::size_t cells_along, std::size_t pixels) {
    const std::size_t begin = place * pixels / cells_along;
    return std::pair(begin, std::max(begin + 1, (place + 1) * pixels / cells_along));
  };
  const auto [top, bottom] = stretch(at.row, map.values.rows, picture.rows);
  const auto [left, right] = stretch(at.column, map.values.columns, picture.columns);
  Colour mean;
  double count = 0.0;
  for (std::size_t row = top; row < bottom; ++row) {
    for (std::size_t column = left; column < right; ++column)
      mean = mixed(mean, colour_at(picture, row, column), 1.0 / ++count);
  }
  return mean;
}

/// What is off the scale, and a hidden 0, which is no small weight, are grey; what veils a picture has the
/// mean colour of what is left to be seen of it.
Colour fill_of(const HeatMap& map, const Cell& at, const Style& style) {
  if (map.picture != nullptr) return mixed(mean_behind(map, at), style.paper, veil_over(map, at));
  if (is_off_scale(map, at) || is_blank(map, at)) return style.grid;
  return colour_of(map.scale, value_of(map, at), style.theme);
}

void draw_raster(const HeatMap& map, Sheet& sheet, const Box& box) {
  Raster raster{box, map.values.rows, map.values.columns, {}};
  raster.pixels.reserve(map.values.values.size());
  for_each_cell(map, [&](const Cell& at) { raster.pixels.push_back(fill_of(map, at, sheet.style())); });
  sheet.add(map.id, std::move(raster));
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

/// "0.25"; ".25", and "1.0", which is as long; ".3", "1".
std::string written(const HeatMap& map, const Cell& at, Digits digits) {
  const double value = value_of(map, at);
  if (digits == Digits::one && map.decimals > 1 && std::isfinite(value)) {
    const std::string number = number_text(value, 1);
    return number == "1.0" || number == "0.0" ? number.substr(0, 1) : without_leading_zero(number);
  }
  std::string number = text_in(map, at);
  if (digits == Digits::all || !std::isfinite(value)) return number;
  std::string shorter = without_leading_zero(number);
  if (shorter.size() < number.size() || map.decimals <= 0) return shorter;
  return number_text(value, map.decimals - 1);
}

/// Whether leading zeros can be spared: of numbers that are below 1 or just 1.
bool can_do_without_zeros(const HeatMap& map) {
  const std::vector<double>& values = map.values.values;
  return map.decimals > 1 && std::none_of(values.begin(), values.end(), [](double value) {
           return std::isfinite(value) && std::abs(value) > 1.0;
         });
}

/// Whether one digit after the point still tells the largest numbers from the smallest: there are five steps
/// of it between them.
bool can_do_with_one_digit(const HeatMap& map) {
  constexpr double steps = 5.0;
  const std::vector<double>& values = map.values.values;
  if (map.decimals <= 1 || !map.words.empty()) return false;
  double low = infinity;
  double high = -infinity;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low >= steps * 0.1;
}

double widest_number(const HeatMap& map, const Style& style, Digits digits) {
  double widest = 0.0;
  for_each_cell(map, [&](const Cell& at) {
    if (!is_blank(map, at)) widest = std::max(widest, measure(written(map, at, digits), style.body).width);
  });
  return widest;
}

double least_size(const Style& style, double share) { return std::max(style.smallest, share * style.tick); }

/// The largest size of numbers that are so wide in the body size, or 0 where that is below the least.
double number_size(double widest, const Style& style, const Extent& cell, double least) {
  constexpr double widest_share = 0.92;  // of the cell, in the smallest text
  constexpr double usual_share = 0.8;    // in a larger one
  constexpr double height_share = 1.2;   // digits have no descenders: their ink is 0.73 of their size
  const double full = style.body * (cell.width - cell_gap) / widest;  // the size that would fill the width
  const double size = std::min({style.body, (cell.height - cell_gap) * height_share, full * widest_share,
                                std::max(least, full * usual_share)});
  return size >= least ? size : 0.0;
}

NumberWidths widths_in(const HeatMap& map, const Sheet& sheet) {
  const auto [known, is_new] = sheet.number_widths().try_emplace(&map.values);
  if (is_new) {
    known->second.written = widest_number(map, sheet.style(), Digits::all);
    if (can_do_without_zeros(map))
      known->second.left_out = widest_number(map, sheet.style(), Digits::without_zero);
    if (can_do_with_one_digit(map)) known->second.one_digit = widest_number(map, sheet.style(), Digits::one);
  }
  return known->second;
}

NumberForm number_form(const NumberWidths& widths, const Style& style, const Extent& cell, double least) {
  NumberForm form{number_size(widths.written, style, cell, least)};
  if (form.size == 0.0 && widths.left_out > 0.0)
    form = {number_size(widths.left_out, style, cell, least), Digits::without_zero};
  if (form.size == 0.0 && widths.one_digit > 0.0)
    form = {number_size(widths.one_digit, style, cell, least), Digits::one};
  return form;
}

// Nothing can be read there: a hidden 0, and what is off the scale where no number says so.
bool is_struck_out(const HeatMap& map, const Cell& at, const NumberForm& numbers) {
  return is_blank(map, at) || (is_off_scale(map, at) && numbers.size == 0.0);
}

// A stroke through every cell that is struck out. Small cells share one, block by block, where a whole block
// is: strokes of their own would merge into one dark patch.
template <class BoxOf>
void strike_cells(const HeatMap& map, Sheet& sheet, double side, const NumberForm& numbers,
                  const BoxOf& box_of) {
  constexpr double shortest = 6.0;
  const auto block = static_cast<std::size_t>(std::max(1.0, std::ceil(shortest / side)));
  for_each_cell(map, [&](const Cell& first) {
    if (first.row % block != 0 || first.column % block != 0) return;
    const Cell last{std::min(first.row + block, map.values.rows) - 1,
                    std::min(first.column + block, map.values.columns) - 1};
    for (std::size_t row = first.row; row <= last.row; ++row)
      for (std::size_t column = first.column; column <= last.column; ++column)
        if (!is_struck_out(map, {row, column}, numbers)) return;
    strike_out(indexed(map.id, first.row, first.column), sheet, united(box_of(first), box_of(last)),
               value_of(map, first));
  });
}

// Lines between cells that are large enough to write in, else the frame alone.
void draw_outline(const HeatMap& map, Sheet& sheet, const Box& box) {
  constexpr double smallest_to_write_in = 8.0;
  const Style& style = sheet.style();
  const auto rows = static_cast<double>(map.values.rows);
  const auto columns = static_cast<double>(map.values.columns);
  sheet.add(map.id, Path::frame(box, style.muted, style.line * 0.6));
  if (std::min(box.width / columns, box.height / rows) < smallest_to_write_in) return;
  const auto add_line = [&](const std::string& id, const Position& from, const Position& to) {
    sheet.add(id, Path::line({from, to}, style.muted, style.line * 0.4));
  };
  for (std::size_t row = 1; row < map.values.rows; ++row) {
    const double y = box.y + box.height * static_cast<double>(row) / rows;
    add_line(indexed(map.id + ".line.row", row), {box.x, y}, {box.right(), y});
  }
  for (std::size_t column = 1; column < map.values.columns; ++column) {
    const double x = box.x + box.width * static_cast<double>(column) / columns;
    add_line(indexed(map.id + ".line.column", column), {x, box.y}, {x, box.bottom()});
  }
}

template <class BoxOf>
void draw_numbers(const HeatMap& map, Sheet& sheet, const NumberForm& form, const BoxOf& box_of) {
  if (form.size == 0.0) return sheet.leave_numbers_out();
  for_each_cell(map, [&](const Cell& at) {
    if (is_blank(map, at)) return;
    Words number = sheet.set_markup(written(map, at, form.digits), form.size);
    number.background = fill_of(map, at, sheet.style());
    number.colour = black_or_white_on(number.background);
    if (has_hatching(map, at)) number.halo = number.background;  // lines pass behind it
    const Box cell = box_of(at);
    sheet.add_words(indexed(map.id, at.row, at.column) + ".text", number,
                    {{cell.x + cell.width / 2.0, cell.y + cell.height / 2.0}});
  });
}

}  // namespace

std::vector<NumberWidths> number_widths(const std::vector<const HeatMap*>& maps, const Sheet& sheet) {
  std::vector<NumberWidths> widths;
  for (const HeatMap* map : maps) {
    if (map->decimals != no_numbers && map->values.values.size() <= most_boxes)
      widths.push_back(widths_in(*map, sheet));
  }
  return widths;
}

NumberForm form_of_all(const std::vector<NumberWidths>& widths, const Style& style, const Extent& cell,
                       double least_share) {
  if (widths.empty()) return {};
  NumberForm all{style.body};
  for (const NumberWidths& one : widths) {
    const NumberForm form = number_form(one, style, cell, least_size(style, least_share));
    all.size = std::min(all.size, form.size);
    all.digits = std::max(all.digits, form.digits);
  }
  return all;
}

double space_of_numbers(const std::vector<NumberWidths>& widths, Digits digits, const Style& style,
                        double share) {
  double widest = 0.0;
  for (const NumberWidths& one : widths) {
    const double shorter = digits == Digits::all ? 0.0 : digits == Digits::one ? one.one_digit : one.left_out;
    widest = std::max(widest, shorter > 0.0 ? shorter : one.written);
  }
  return widest * least_size(style, in_equation) / style.body / share + cell_gap;
}

void draw_cells(const HeatMap& map, Sheet& sheet, const Box& box, const std::optional<NumberForm>& form) {
  if (map.fill == CellFill::outline) return draw_outline(map, sheet, box);
  const std::size_t rows = map.values.rows;
  const std::size_t columns = map.values.columns;
  constexpr double gap_from = 14.0;  // cells at least this large stand apart
  const Extent size{box.width / static_cast<double>(columns), box.height / static_cast<double>(rows)};
  const double side = std::min(size.width, size.height);
  const bool veils = map.picture != nullptr;
  const bool has_gaps = side >= gap_from && !veils;
  const auto box_of = [&](const Cell& at) {
    const double right = has_gaps ? -cell_gap : at.column + 1 < columns && !veils ? seam : 0.0;
    const double down = has_gaps ? -cell_gap : at.row + 1 < rows && !veils ? seam : 0.0;
    return Box{box.x + size.width * static_cast<double>(at.column),
               box.y + size.height * static_cast<double>(at.row), size.width + right, size.height + down};
  };
  if (veils) draw_picture(map.id + ".picture", *map.picture, sheet, box);
  if (map.values.values.size() > most_boxes) {
    draw_raster(map, sheet, box);
    return strike_cells(map, sheet, side, {}, box_of);
  }
  const bool has_numbers = map.decimals != no_numbers;
  NumberForm numbers;
  if (has_numbers)
    numbers = form ? *form : form_of_all(number_widths({&map}, sheet), sheet.style(), size, in_map);
  for_each_cell(map, [&](const Cell& at) {
    const Box cell = box_of(at);
    const std::string id = indexed(map.id, at.row, at.column);
    if (veils) return sheet.add(id, FilledBox{cell, sheet.style().paper, veil_over(map, at)});
    const Colour fill = fill_of(map, at, sheet.style());
    sheet.add(id, FilledBox{cell, fill});
    if (has_hatching(map, at)) sheet.add(id + ".hatch", sign_hatching(sheet.style(), cell, fill));
  });
  strike_cells(map, sheet, side, numbers, box_of);
  for_each_cell(map, [&](const Cell& at) {  // over the neighbours
    if (is_framed(map, at) && !is_struck_out(map, at, numbers)) {
      frame(indexed(map.id, at.row, at.column), sheet, box_of(at));
    }
  });
  if (has_numbers) draw_numbers(map, sheet, numbers, box_of);
}

}  // namespace attnlab
