// Heat maps: cells, their numbers in black or white, names of rows and columns, a colour bar.
#include "core/constants.hpp"
#include "plotting/layout/cells.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

constexpr double longest_name = 0.22;    // of the page's width
constexpr double longest_turned = 0.28;  // of its height
constexpr double title_gap = 1.0;        // between names and axis title, in the style's gaps

Numbering rows_of(const HeatMap& map) { return map.row_numbers.value_or(Numbering{0, map.values.rows}); }

Numbering columns_of(const HeatMap& map) {
  return map.column_numbers.value_or(Numbering{0, map.values.columns});
}

// Numbers at every 1st, 2nd, 5th ... row or column when there are no names; their values become places,
// counted in cells.
std::vector<Tick> numbered(const Numbering& numbers, std::size_t cells, double cell, double space_each) {
  const double each = static_cast<double>(numbers.end - numbers.begin) / static_cast<double>(cells);
  std::vector<Tick> ticks = index_ticks(numbers.begin, numbers.end, [&](const std::vector<Tick>& candidates) {
    return candidates.size() < 2 || (candidates[1].value - candidates[0].value) / each * cell >= space_each;
  });
  for (Tick& tick : ticks) tick.value = (tick.value - static_cast<double>(numbers.begin)) / each;
  return ticks;
}

/// Names of columns may stand upright below a low page's pictures.
LabelPlan plan_columns(const HeatMap& map, const Sheet& sheet, double cell) {
  const double longest = std::min(sheet.width() * longest_name, sheet.height() * longest_turned);
  return plan_labels(map.column_labels, sheet, cell, longest);
}

double number_width(const Numbering& numbers, const Style& style) {
  return measure(std::to_string(numbers.end), style.tick).width;
}

double column_space(const HeatMap& map, const Style& style) {
  return number_width(columns_of(map), style) + style.gap * 2.0;
}

double row_labels_width(const HeatMap& map, const Sheet& sheet, double longest) {
  if (!map.row_labels.empty()) return widest(map.row_labels, sheet, longest);
  return number_width(rows_of(map), sheet.style());
}

double title_height(const Text& title, Sheet& sheet, double length) {
  const double depth = axis_title_depth(axis_title(title, sheet, length), sheet.style());
  return depth == 0.0 ? 0.0 : depth + sheet.style().gap * title_gap;
}

/// How far the title of the rows reaches beyond rows that are together so high, at either end.
double beyond_rows(const HeatMap& map, Sheet& sheet, double height, const Surroundings& around) {
  double longest = 0.0;
  if (around.row_names == Drawn::here)
    for (const std::string& line : axis_title(map.row_title, sheet, around.data.height))
      longest = std::max(longest, text_width(line, sheet.style().body));
  return std::max(0.0, (longest - height) / 2.0);
}

void draw_rows(const HeatMap& map, Sheet& sheet, const Box& box, const Surroundings& around,
               const std::string& prefix) {
  const double cell = box.height / static_cast<double>(map.values.rows);
  const Style& style = sheet.style();
  const double x = box.x - style.gap;
  const double longest = sheet.width() * longest_name;
  const auto write = [&](const std::string& id, double row, const std::string& name) {
    sheet.add_words(prefix + ".row[" + id + "]", sheet.words(name, style.tick),
                    {{x, box.y + cell * (row + 0.5)}, AlignX::right, AlignY::middle});
  };
  if (map.row_labels.empty()) {
    for (const Tick& tick : numbered(rows_of(map), map.values.rows, cell, line_height(style.tick))) {
      write(tick.markup, tick.value, tick.markup);
    }
  } else {
    const std::size_t step = step_between(map.row_labels, sheet, cell);
    if (step > 1) sheet.warn_of_labels_left_out();
    for (std::size_t row = 0; row < map.row_labels.size(); row += step) {
      write(std::to_string(row), static_cast<double>(row),
            elide(map.row_labels[row].in(sheet.language()), style.tick, Weight::regular, longest));
    }
  }
  const double title_x = x - row_labels_width(map, sheet, longest) - style.gap * title_gap;
  draw_axis_title(axis_title(map.row_title, sheet, around.data.height), Reading::upwards, sheet,
                  {title_x, box.y + box.height / 2.0}, prefix + ".row.title");
}

void draw_columns(const HeatMap& map, Sheet& sheet, const Box& box, const Surroundings& around,
                  const std::string& prefix) {
  const double cell = box.width / static_cast<double>(map.values.columns);
  const Style& style = sheet.style();
  const Position first{box.x + cell / 2.0, box.y + box.height + style.gap};
  double depth = line_height(style.tick);
  if (map.column_labels.empty()) {
    for (const Tick& tick : numbered(columns_of(map), map.values.columns, cell, column_space(map, style))) {
      sheet.add_words(prefix + ".column[" + tick.markup + "]", sheet.set_markup(tick.markup, style.tick),
                      {{first.x + cell * tick.value, first.y}, AlignX::centre, AlignY::top});
    }
  } else {
    const LabelPlan plan = plan_columns(map, sheet, cell);
    if (plan.step > 1) sheet.warn_of_labels_left_out();
    draw_labels(map.column_labels, plan, sheet, first, cell, prefix + ".column");
    depth = plan.depth;
  }
  draw_axis_title(axis_title(map.column_title, sheet, around.data.width), Reading::across, sheet,
                  {box.x + box.width / 2.0, first.y + depth + style.gap * title_gap},
                  prefix + ".column.title");
}

constexpr double longest_map = 8.0;  // of its width; a longer one would be a thread on the page

// So many points for each column and row.
Extent space_for_cells(const HeatMap& map, const Box& area) {
  return {area.width / static_cast<double>(map.values.columns),
          area.height / static_cast<double>(map.values.rows)};
}

Box box_of_cells(const HeatMap& map, const Extent& cell, const Box& area) {
  const double width = cell.width * static_cast<double>(map.values.columns);
  const double height = cell.height * static_cast<double>(map.values.rows);
  return {area.x + (area.width - width) / 2.0, area.y + (area.height - height) / 2.0, width, height};
}

/// The largest cell of all maps that fits into `space`.
Extent largest_cell(const std::vector<const HeatMap*>& maps, const Extent& space) {
  double aspect = infinity;        // of the map that is least wide for its height
  double other_aspect = infinity;  // of the one that is least high for its width
  for (const HeatMap* map : maps) {
    const double one = static_cast<double>(map->values.columns) / static_cast<double>(map->values.rows);
    aspect = std::min(aspect, one);
    other_aspect = std::min(other_aspect, 1.0 / one);
  }
  const double side = std::min(space.width, space.height);
  return {std::min(space.width, side * std::max(1.0, other_aspect / longest_map)),
          std::min(space.height, side * std::max(1.0, aspect / longest_map))};
}

}  // namespace

CommonCells cells_for(const std::vector<const HeatMap*>& maps, const Sheet& sheet, const Extent& space) {
  const Extent cell = largest_cell(maps, space);
  return {cell, form_of_all(number_widths(maps, sheet), sheet.style(), cell, in_map)};
}

bool leaves_out_names(const HeatMap& map, const Sheet& sheet, const Extent& cell) {
  if (step_between(map.row_labels, sheet, cell.height) > 1) return true;
  return plan_columns(map, sheet, cell.width).step > 1;
}

Box filled_part(const HeatMap& map, const Box& area, const Surroundings& around) {
  if (around.cells) return box_of_cells(map, around.cells->cell, area);
  return box_of_cells(map, largest_cell({&map}, space_for_cells(map, area)), area);
}

Insets insets_of(const HeatMap& map, Sheet& sheet, const Extent& data, const Surroundings& around) {
  const Style& style = sheet.style();
  const double longest = sheet.width() * longest_name;
  const Box box = filled_part(map, {0.0, 0.0, data.width, data.height}, around);
  const double cell = box.width / static_cast<double>(map.values.columns);
  const LabelPlan plan = plan_columns(map, sheet, cell);
  Insets insets;
  if (around.row_names == Drawn::here) {
    insets.left = style.gap + row_labels_width(map, sheet, longest) +
                  title_height(map.row_title, sheet, around.data.height);
  }
  if (around.column_names == Drawn::here) {
    insets.left = std::max(insets.left, plan.overhang - cell / 2.0);
    insets.bottom = style.gap + (map.column_labels.empty() ? line_height(style.tick) : plan.depth) +
                    title_height(map.column_title, sheet, around.data.width);
  }
  const bool bar = around.colour_bar == Drawn::here && map.has_colour_bar();
  insets.top = beyond_rows(map, sheet, box.height, around);
  insets.right = bar ? colour_bar_width(map.scale, sheet, box.height) : 0.0;
  return insets;
}

Box draw(const HeatMap& map, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around) {
  draw_cells(map, sheet, area, around.cells ? std::optional(around.cells->numbers) : std::nullopt);
  if (around.row_names == Drawn::here) draw_rows(map, sheet, area, around, prefix);
  if (around.column_names == Drawn::here) draw_columns(map, sheet, area, around, prefix);
  const bool bar = around.colour_bar == Drawn::here && map.has_colour_bar();
  if (bar) draw_colour_bar(map.scale, Coloured::cells, sheet, area, prefix);
  const double beyond = beyond_rows(map, sheet, area.height, around);
  return {area.x, area.y - beyond, area.width, area.height + beyond};
}

}  // namespace attnlab
