// Matrix equations: matrices as cells of one size, with names above and shapes below, in one or two lines.
// Cells are square; wider where names of columns or the numbers need it and the lines have room.
#include "plotting/layout/cells.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

using Term = std::variant<MatrixTerm, OperatorTerm>;
using Line = std::vector<const Term*>;

/// Where a matrix has its shape: below, or, on a low page, beside its name.
enum class ShapePlace { below, beside_name };

double text_height(double size) { return size * 1.4; }

std::string name_markup(const Formula& name, const Style& style) {
  return to_markup(name, style.panel_title);
}

double labels_width(const MatrixTerm& term, const Sheet& sheet) {
  const Style& style = sheet.style();
  return term.map.row_labels.empty() ? 0.0 : widest(term.map.row_labels, sheet, style.body * 8.0) + style.gap;
}

double name_width(const MatrixTerm& term, const Style& style) {
  return measure(name_markup(term.name, style), style.panel_title, Weight::bold).width;
}

double caption_width(const MatrixTerm& term, const Style& style, ShapePlace shape) {
  const double beside = text_width(term.shape, style.tick);
  const double name = name_width(term, style);
  return shape == ShapePlace::below ? std::max(name, beside) : name + style.gap + beside;
}

double operator_width(const OperatorTerm& term, const Style& style) {
  return measure(to_markup(term.symbol, style.title), style.title).width + style.body;
}

/// Columns of cells, as wide as what stands above and below them at the least, and what stands beside them.
struct TermWidth {
  double beside = 0.0;
  double columns = 0.0;
  double least = 0.0;
};

/// A line's width as a function of its cells': its words are measured once.
class LineWidth {
 public:
  LineWidth(const Line& line, const Sheet& sheet, ShapePlace shape) {
    const Style& style = sheet.style();
    for (const Term* term : line) {
      if (const auto* matrix = std::get_if<MatrixTerm>(term)) {
        terms_.push_back({labels_width(*matrix, sheet), static_cast<double>(matrix->map.values.columns),
                          caption_width(*matrix, style, shape)});
      } else {
        terms_.push_back({0.0, 0.0, operator_width(std::get<OperatorTerm>(*term), style)});
      }
    }
  }

  double at(double cell) const {
    double width = 0.0;
    for (const TermWidth& term : terms_) width += term.beside + std::max(cell * term.columns, term.least);
    return width;
  }

 private:
  std::vector<TermWidth> terms_;
};

std::vector<const HeatMap*> maps_in(const Line& line) {
  std::vector<const HeatMap*> maps;
  for (const Term* term : line) {
    if (const auto* matrix = std::get_if<MatrixTerm>(term)) maps.push_back(&matrix->map);
  }
  return maps;
}

double rows_of(const Line& line) {
  std::size_t rows = 0;
  for (const HeatMap* map : maps_in(line)) rows = std::max(rows, map->values.rows);
  return static_cast<double>(rows);
}

/// Whether any matrix of the line has something that `holds` says of it.
template <class Holds>
bool any_matrix(const Line& line, const Holds& holds) {
  return std::any_of(line.begin(), line.end(), [&](const Term* term) {
    const auto* matrix = std::get_if<MatrixTerm>(term);
    return matrix != nullptr && holds(*matrix);
  });
}

double height_below(const Line& line, const Style& style, ShapePlace shape) {
  const bool shaped = any_matrix(line, [](const MatrixTerm& matrix) { return !matrix.shape.empty(); });
  return shaped && shape == ShapePlace::below ? text_height(style.tick) + style.gap : 0.0;
}

// What a line needs above and below its cells, where the names of columns take so much.
double surroundings(const Line& line, const Style& style, ShapePlace shape, double names) {
  const bool labelled =
      any_matrix(line, [](const MatrixTerm& matrix) { return !matrix.map.column_labels.empty(); });
  return text_height(style.panel_title) + style.gap + height_below(line, style, shape) +
         (labelled ? names : 0.0);
}

Line one_line(const MatrixEquation& equation) {
  Line all;
  for (const Term& term : equation.terms) all.push_back(&term);
  return all;
}

// Whether a line may begin with this term: an operator that says what comes out.
bool begins_result(const Term& term) {
  const auto* symbol = std::get_if<OperatorTerm>(&term);
  if (symbol == nullptr) return false;
  const std::string text = to_terminal(symbol->symbol);
  return text.find('=') != std::string::npos || text.find("→") != std::string::npos;
}

bool is_operator(const Term& term) { return std::holds_alternative<OperatorTerm>(term); }

using MayBegin = bool (*)(const Term& term);

// The terms in at most so many lines, fewer first, all but the first of which begin with such a term.
std::vector<std::vector<Line>> breakings(const MatrixEquation& equation, MayBegin may_begin,
                                         std::size_t most_lines) {
  const Line all = one_line(equation);
  std::vector<std::vector<Line>> choices{{all}};
  for (std::size_t first = 0, lines = 1; lines < most_lines; ++lines) {
    const std::size_t end = choices.size();
    for (std::size_t i = first; i < end; ++i) {  // whose last line is broken once more
      const std::vector<Line> broken = choices[i];
      const Line& last = broken.back();
      for (std::size_t at = 1; at < last.size(); ++at) {
        if (!may_begin(*last[at])) continue;
        std::vector<Line> choice = broken;
        choice.back().resize(at);
        choice.emplace_back(last.begin() + static_cast<std::ptrdiff_t>(at), last.end());
        choices.push_back(std::move(choice));
      }
    }
    first = end;
  }
  return choices;
}

// The largest square cell with which these lines fit, 0 when none does.
double cell_of_lines(const std::vector<Line>& lines, const Sheet& sheet, const Extent& data, ShapePlace shape,
                     double names) {
  const Style& style = sheet.style();
  double around = style.body * 0.8 * static_cast<double>(lines.size() - 1);
  double rows = 0.0;
  std::vector<LineWidth> widths;
  for (const Line& line : lines) {
    around += surroundings(line, style, shape, names);
    rows += rows_of(line);
    widths.emplace_back(line, sheet, shape);
  }
  double low = 0.0;
  const double most = style.body * 6.5;
  const double height = std::min((data.height - around) / rows, most);
  double high = most;
  const auto fits = [&](double cell) {
    return std::all_of(widths.begin(), widths.end(),
                       [&](const LineWidth& width) { return width.at(cell) <= data.width; });
  };
  if (height <= 0.0 || !fits(0.0)) return 0.0;
  if (fits(high)) low = high;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2.0;
    (fits(middle) ? low : high) = middle;
  }
  return std::min(low, height);
}

double name_limit(const Style& style) { return style.body * 8.0; }

double space_of_name(const std::vector<ShortText>& names, const Sheet& sheet) {
  const Style& style = sheet.style();
  return widest(names, sheet, name_limit(style)) + measure("0", style.tick).width;
}

std::vector<ShortText> names_of_columns(const MatrixEquation& equation) {
  std::vector<ShortText> names;
  for (const HeatMap* map : maps_in(one_line(equation)))
    names.insert(names.end(), map->column_labels.begin(), map->column_labels.end());
  return names;
}

// The width of cells so high: squares, as in heat maps; wider where every name of columns has room then, or
// numbers that had none, and the lines have room, too.
double width_of_cells(const MatrixEquation& equation, const std::vector<Line>& lines, const Sheet& sheet,
                      const Extent& data, ShapePlace shape, double cell) {
  constexpr double widest_cell = 2.2;  // of its height
  const auto fits = [&](double width) {
    return width <= cell * widest_cell && std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
             return LineWidth(line, sheet, shape).at(width) <= data.width;
           });
  };
  const std::vector<ShortText> names = names_of_columns(equation);
  const double named = names.empty() ? cell : std::max(cell, space_of_name(names, sheet));
  const double width = fits(named) ? named : cell;
  const std::vector<NumberWidths> numbers = number_widths(maps_in(one_line(equation)), sheet);
  const auto form_at = [&](double at) {
    return form_of_all(numbers, sheet.style(), {at, cell}, in_equation);
  };
  if (numbers.empty() || form_at(width).is_complete()) return width;
  constexpr double loose = 0.82;  // of a cell that a number takes
  constexpr double tight = 0.915;
  for (const auto& [share, digits] :
       {std::pair(loose, Digits::all), std::pair(loose, Digits::without_zero), std::pair(tight, Digits::all),
        std::pair(tight, Digits::without_zero), std::pair(tight, Digits::one)}) {
    const double numbered = space_of_numbers(numbers, digits, sheet.style(), share);
    const NumberForm form = form_at(numbered);
    if (numbered > width && fits(numbered) && form.size > 0.0 && form.digits <= digits) return numbered;
  }
  return width;
}

struct RowArrangement {
  std::vector<Line> lines;
  double cell = 0.0;  // its height
  ShapePlace shape = ShapePlace::below;
  double width = 0.0;
  double names_height = 0.0;
  LabelPlan names{};  // of columns
  NumberForm numbers{};
};

// In one line, or in two or three of which all but the first begin with a result; where no such lines fit, in
// as few as leave rows a letter's height, up to five that begin with any operator.
RowArrangement arrange(const MatrixEquation& equation, const Sheet& sheet, const Extent& data,
                       double names_height) {
  constexpr double gain = 1.2;    // of shapes beside names
  constexpr double enough = 2.0;  // letters high is a cell with room for its number: then two lines suffice
  const std::vector<NumberWidths> widths = number_widths(maps_in(one_line(equation)), sheet);
  RowArrangement best;
  double most = 0.0;
  const auto try_lines = [&](const std::vector<Line>& lines) {
    for (const ShapePlace shape : {ShapePlace::below, ShapePlace::beside_name}) {
      RowArrangement tried{lines, cell_of_lines(lines, sheet, data, shape, names_height), shape};
      tried.width = width_of_cells(equation, lines, sheet, data, shape, tried.cell);
      tried.numbers = form_of_all(widths, sheet.style(), {tried.width, tried.cell}, in_equation);
      const double worth = tried.cell * tried.numbers.worth();
      if (worth <= most * (shape == best.shape ? 1.0 : gain)) continue;
      most = worth;
      best = std::move(tried);
    }
  };
  for (const std::vector<Line>& lines : breakings(equation, begins_result, 3)) {
    if (lines.size() > 2 && best.cell > enough * sheet.style().tick) break;
    try_lines(lines);
  }
  if (best.cell == 0.0) {
    for (const std::vector<Line>& lines : breakings(equation, is_operator, 5)) {
      if (lines.size() > best.lines.size() && best.cell > sheet.style().tick) break;
      try_lines(lines);
    }
  }
  best.names_height = names_height;
  best.names =
      plan_labels(names_of_columns(equation), sheet, best.width, name_limit(sheet.style()), Side::above);
  return best;
}

// Names of columns are level where they fit. Turned ones take height: where that would cost the numbers,
// every second or third name stands level instead.
RowArrangement arrange(const MatrixEquation& equation, const Sheet& sheet, const Extent& data) {
  RowArrangement level = arrange(equation, sheet, data, text_height(sheet.style().tick));
  if (level.cell == 0.0 || level.names.depth <= level.names_height) return level;
  RowArrangement turned = level;
  while (turned.cell > 0.0 && turned.names.depth > turned.names_height)
    turned = arrange(equation, sheet, data, turned.names.depth);
  const bool costs_numbers = turned.numbers.size == 0.0 && level.numbers.size > 0.0;
  if (turned.cell > 0.0 && !costs_numbers) return turned;
  level.names = {Side::above};
  level.names.step =
      static_cast<std::size_t>(std::ceil(space_of_name(names_of_columns(equation), sheet) / level.width));
  level.names.longest = name_limit(sheet.style());
  return level;
}

double draw_matrix(const MatrixTerm& term, Sheet& sheet, double left, double middle,
                   const RowArrangement& arrangement) {
  const double cell = arrangement.cell;
  const Style& style = sheet.style();
  const double labels = labels_width(term, sheet);
  const double width = arrangement.width * static_cast<double>(term.map.values.columns);
  const double space = std::max(width, caption_width(term, style, arrangement.shape));
  const double height = cell * static_cast<double>(term.map.values.rows);
  const Box box{left + labels + (space - width) / 2.0, middle - height / 2.0, width, height};
  draw_cells(term.map, sheet, box, arrangement.numbers);
  const double bar = term.ink ? style.line * 1.6 : 0.0;
  if (term.ink) {
    const double y = box.y - bar / 2.0;
    sheet.add(term.map.id + ".role",
              Path::line({{box.x, y}, {box.right(), y}}, style.colour(*term.ink), bar));
  }
  const double centre = box.x + width / 2.0;
  double above = box.y - style.gap * 0.5 - bar;
  if (!term.map.column_labels.empty()) {
    draw_labels(term.map.column_labels, arrangement.names, sheet, {box.x + arrangement.width / 2.0, above},
                arrangement.width, term.map.id + ".column");
    above -= arrangement.names_height;
  }
  Words name = sheet.set_markup(name_markup(term.name, style), style.panel_title);
  name.weight = Weight::bold;
  const bool below = arrangement.shape == ShapePlace::below;
  const double names = centre - (below ? 0.0 : (style.gap + text_width(term.shape, style.tick)) / 2.0);
  sheet.add_words(term.map.id + ".name", name, {{names, above}, AlignX::centre, AlignY::bottom});
  const Position end{names + name_width(term, style) / 2.0 + style.gap, above};
  sheet.add_words(term.map.id + ".shape", sheet.words(term.shape, style.tick),
                  below ? Placement{{centre, box.y + height + style.gap * 0.5}, AlignX::centre, AlignY::top}
                        : Placement{end, AlignX::left, AlignY::bottom});
  const std::size_t row_step = step_between(term.map.row_labels, sheet, cell);
  if (row_step > 1) sheet.warn_of_labels_left_out();
  for (std::size_t i = 0; i < term.map.row_labels.size(); i += row_step) {
    sheet.add_words(
        indexed(term.map.id + ".row", i),
        sheet.words(term.map.row_labels[i].in(sheet.language()), style.tick),
        {{box.x - style.gap, box.y + cell * (static_cast<double>(i) + 0.5)}, AlignX::right, AlignY::middle});
  }
  return labels + space;
}

double draw_operator(const OperatorTerm& term, Sheet& sheet, const std::string& id, double left,
                     double middle) {
  const Style& style = sheet.style();
  const double width = operator_width(term, style);
  sheet.add_words(id, sheet.set_markup(to_markup(term.symbol, style.title), style.title),
                  {{left + width / 2.0, middle}, AlignX::centre, AlignY::middle});
  return width;
}

}  // namespace

double cell_size(const MatrixEquation& equation, const Sheet& sheet, const Extent& data) {
  return arrange(equation, sheet, data).cell;
}

double needed_rows(const MatrixEquation& equation) {
  constexpr double captions = 4.5;    // name and shape, in cells of a usual size
  constexpr double most_rows = 12.0;  // a long matrix shrinks rather than starve its neighbours
  return std::min(rows_of(one_line(equation)), most_rows) + captions;
}

Box draw(const MatrixEquation& equation, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings&) {
  const Style& style = sheet.style();
  const RowArrangement arrangement = arrange(equation, sheet, {area.width, area.height});
  if (arrangement.cell == 0.0) {
    throw NoSpace({"行列の式がページに収まりません", "the matrices do not fit the page"},
                  {"--size でページを大きくしてください", "choose a larger --size"});
  }
  double needed = style.body * 0.8 * static_cast<double>(arrangement.lines.size() - 1);
  for (const Line& line : arrangement.lines) {
    needed += surroundings(line, style, arrangement.shape, arrangement.names_height) +
              rows_of(line) * arrangement.cell;
  }
  double top = area.y + (area.height - needed) / 2.0;
  if (arrangement.names.step > 1) sheet.warn_of_labels_left_out();
  std::size_t operators = 0;
  for (const Line& line : arrangement.lines) {
    const double below = height_below(line, style, arrangement.shape);
    const double height = surroundings(line, style, arrangement.shape, arrangement.names_height) +
                          rows_of(line) * arrangement.cell;
    const double middle = top + height - below - rows_of(line) * arrangement.cell / 2.0;
    const double width = LineWidth(line, sheet, arrangement.shape).at(arrangement.width);
    double left = area.x + (area.width - width) / 2.0;
    for (const Term* term : line) {
      if (const auto* matrix = std::get_if<MatrixTerm>(term)) {
        left += draw_matrix(*matrix, sheet, left, middle, arrangement);
      } else {
        left += draw_operator(std::get<OperatorTerm>(*term), sheet,
                              indexed(prefix + ".operator", operators++), left, middle);
      }
    }
    top += height + style.body * 0.8;
  }
  return area;
}

}  // namespace attnlab
