// Charts: points, curves, bars, arrows and guides in one coordinate system.
#include "plotting/layout/chart_frame.hpp"
#include "plotting/layout/shapes.hpp"

namespace attnlab {
namespace {

// --- Names beside the marks

// Points of a series on the page, at most so many, the last one first; those off the scale are left out.
std::vector<Position> points_of(const NamedSeries& entry, const Chart& chart, const ChartFrame& frame,
                                const Box& box) {
  constexpr std::size_t most = 40;
  const std::size_t step = std::max<std::size_t>(1, entry.x.size() / most);
  std::vector<Position> points;
  for (std::size_t back = 1; back <= entry.x.size(); back += step) {
    const std::size_t i = entry.x.size() - back;
    const double y = 1.0 - fraction_along(chart.y, frame.y, entry.y[i]);
    if (!std::isfinite(entry.x[i]) || !std::isfinite(y) || y < 0.0 || y > 1.0) continue;
    points.push_back(
        {box.x + box.width * fraction_along(chart.x, frame.x, entry.x[i]), box.y + box.height * y});
  }
  return points;
}

// Around points of a series, first where the others are far away.
std::vector<Placement> beside_series(const std::vector<Position>& points, const std::vector<Position>& others,
                                     const Style& style) {
  const auto gap = [&](const Position& point) {
    double least = style.body * 4.0;  // farther is not better
    for (const Position& other : others) least = std::min(least, distance(point, other));
    return least;
  };
  std::vector<std::pair<double, Position>> ranked;
  ranked.reserve(points.size());
  for (const Position& point : points) ranked.emplace_back(gap(point), point);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& one, const auto& other) { return one.first > other.first; });
  const double away = style.gap * 0.5 + point_radius(style);
  std::vector<Placement> placements;
  const std::vector<std::pair<AlignX, AlignY>> sides{
      {AlignX::right, AlignY::bottom},  {AlignX::right, AlignY::top},   {AlignX::left, AlignY::middle},
      {AlignX::centre, AlignY::bottom}, {AlignX::centre, AlignY::top},  {AlignX::left, AlignY::bottom},
      {AlignX::left, AlignY::top},      {AlignX::right, AlignY::middle}};
  for (const auto& [clear, point] : ranked) {
    for (const auto& [across, down] : sides) {
      const double right = down != AlignY::middle ? 0.0 : across == AlignX::left ? away : -away;
      const double below = down == AlignY::middle ? 0.0 : down == AlignY::top ? away : -away;
      placements.push_back({{point.x + right, point.y + below}, across, down});
    }
  }
  return placements;
}

// Writes the names beside what they name, on a sheet that has all marks; says whether each found a place.
bool add_names(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
               const std::string& prefix) {
  const Style& style = sheet.style();
  const std::vector<NamedSeries> entries = named_series(chart);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Words name = sheet.words(entries[i].name, style.tick, Weight::bold);
    name.colour = letters_in(style.colour(entries[i].ink), style);
    name.halo = style.paper;
    std::vector<Position> others;
    for (std::size_t j = 0; j < entries.size(); ++j) {
      if (j == i) continue;
      const std::vector<Position> points = points_of(entries[j], chart, frame, box);
      others.insert(others.end(), points.begin(), points.end());
    }
    const std::vector<Placement> placements =
        beside_series(points_of(entries[i], chart, frame, box), others, style);
    const std::optional<Label> label = sheet.free_place(name, placements, box);
    if (!label) return false;
    sheet.add(indexed(prefix + ".legend", i), *label);
  }
  return true;
}

// --- The legend

double swatch_width(const Style& style) { return style.body * 1.5; }

// Entries side by side above the data, in as many rows as they need. A name wider than the data and the names
// of its y axis, which have `left` for themselves, takes several lines.
struct LegendPlace {
  std::size_t row = 0;
  double x = 0.0;
  double width = 0.0;
  std::vector<std::string> lines;

  std::size_t end() const { return row + lines.size(); }
};
std::vector<LegendPlace> place_legend(const std::vector<NamedSeries>& entries, Sheet& sheet, double width,
                                      double left) {
  const Style& style = sheet.style();
  const double sign = swatch_width(style) + style.gap;
  std::vector<LegendPlace> places;
  LegendPlace next;
  std::size_t end = 0;
  for (const NamedSeries& entry : entries) {
    next.lines = wrap(entry.name.in(sheet.language()), style.tick, Weight::regular, width + left - sign);
    next.width = sign;
    for (const std::string& line : next.lines)
      next.width = std::max(next.width, sign + text_width(line, style.tick));
    if (next.x > 0.0 && next.x + next.width > width) {
      next.row = end;
      next.x = 0.0;
    }
    places.push_back(next);
    end = std::max(end, next.end());
    next.x += next.width + style.body * 1.4;
  }
  return places;
}

double legend_row(const Style& style) { return style.tick * 1.55; }

}  // namespace

double legend_height(const std::vector<NamedSeries>& entries, Sheet& sheet, double width, double left) {
  std::size_t rows = 0;
  for (const LegendPlace& place : place_legend(entries, sheet, width, left))
    rows = std::max(rows, place.end());
  return rows == 0 ? 0.0 : legend_row(sheet.style()) * static_cast<double>(rows) + sheet.style().gap * 0.5;
}

void draw_legend(const std::vector<NamedSeries>& entries, Sheet& sheet, const Box& box, double left,
                 const std::string& prefix) {
  const Style& style = sheet.style();
  const std::vector<LegendPlace> places = place_legend(entries, sheet, box.width, left);
  double widest_entry = 0.0;
  for (const LegendPlace& place : places) widest_entry = std::max(widest_entry, place.width);
  const double begin = box.x - std::clamp(widest_entry - box.width, 0.0, left);
  const double top = box.y - legend_height(entries, sheet, box.width, left);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double x = begin + places[i].x;
    const double y = top + legend_row(style) * (static_cast<double>(places[i].row) + 0.5);
    const std::string id = indexed(prefix + ".legend", i);
    const Colour colour = style.colour(entries[i].ink);
    if (entries[i].line) {
      sheet.add(id + ".swatch",
                Path::line({{x, y}, {x + swatch_width(style), y}}, colour, style.line,
                           entries[i].dashed ? dash_pattern(style) : series_dashes(style, entries[i].ink)));
    } else {
      sheet.add(id + ".swatch", point_shape(style, entries[i].ink, {x + swatch_width(style) / 2.0, y}));
    }
    for (std::size_t j = 0; j < places[i].lines.size(); ++j) {
      sheet.add_words(j == 0 ? id : indexed(id, j), sheet.words(places[i].lines[j], style.tick),
                      {{x + swatch_width(style) + style.gap, y + legend_row(style) * static_cast<double>(j)},
                       AlignX::left,
                       AlignY::middle});
    }
  }
}

namespace {

// How far the numbers of the highest bars reach beyond the data, where the axis leaves less than they need.
double numbers_above(const Chart& chart, double line, double height) {
  constexpr double left_by_axis = 0.1;  // of the data's height
  const bool numbered = std::any_of(chart.layers.begin(), chart.layers.end(), [](const Layer& layer) {
    const auto* bars = std::get_if<Bars>(&layer);
    return bars != nullptr && bars->decimals != no_numbers;
  });
  return numbered ? 1.2 * line - left_by_axis * height : 0.0;
}

// What the names of the y axis take left of the data.
double y_axis_width(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Surroundings& around) {
  if (around.row_names == Drawn::elsewhere) return 0.0;
  const Style& style = sheet.style();
  const double title = axis_title_depth(axis_title(chart.y.label, sheet, around.data.height), style);
  return widest(frame.y_ticks, style) + style.gap + (title == 0.0 ? 0.0 : title + style.gap * 0.6) +
         style.gap * 0.4;
}

}  // namespace

Colour letters_in(const Colour& colour, const Style& style) {
  constexpr int steps = 10;
  constexpr double readable = 4.5;
  const auto towards_ink = [&](int step) {
    return mixed(colour, style.ink, static_cast<double>(step) / steps);
  };
  int step = 0;
  while (step < steps && contrast(towards_ink(step), style.paper) < readable) ++step;
  return towards_ink(step);
}

double natural_aspect(const Chart& chart) {
  if (!chart.equal_units) return 0.0;
  const Interval x = x_limits(chart);
  const Interval y = y_limits(chart);
  return (x.high - x.low) / (y.high - y.low);
}

Box filled_part(const Chart& chart, const Box& area, const Surroundings&) {
  return fitted(area, natural_aspect(chart));
}

// Tried on a sheet of its own.
Names naming(const Chart& chart, const Sheet& sheet, const Extent& data, const Surroundings& around) {
  if (around.series == Names::in_legend || named_series(chart).empty()) return around.series;
  const Box box = fitted({0.0, 0.0, data.width, data.height}, natural_aspect(chart));
  const ChartFrame frame = frame_of(chart, sheet, {box.width, box.height});
  Sheet trial = sheet.trial();
  draw_marks(chart, frame, trial, box);
  return add_names(chart, frame, trial, box, "") ? Names::beside_marks : Names::in_legend;
}

Insets insets_of(const Chart& chart, Sheet& sheet, const Extent& data, const Surroundings& around) {
  const Style& style = sheet.style();
  const Box box = fitted({0.0, 0.0, data.width, data.height}, natural_aspect(chart));
  const ChartFrame frame = frame_of(chart, sheet, {box.width, box.height});
  const double line = line_height(style.tick);
  Insets insets;
  insets.left = y_axis_width(chart, frame, sheet, around);
  if (around.column_names == Drawn::here) {
    const double title = axis_title_depth(axis_title(chart.x.label, sheet, around.data.width), style);
    insets.bottom = style.gap + (chart.x.categories.empty() ? line : frame.categories.depth) +
                    (title == 0.0 ? 0.0 : title + style.gap * 0.6);
  }
  insets.right = frame.x_ticks.empty() ? 0.0 : widest({frame.x_ticks.back()}, style) / 2.0;
  insets.top = std::max(line / 2.0, numbers_above(chart, line, box.height));
  if (naming(chart, sheet, data, around) == Names::in_legend) {
    insets.top = std::max(insets.top, legend_height(named_series(chart), sheet, box.width, insets.left));
  }
  if (const auto* scale = scale_of(chart); scale != nullptr && around.colour_bar == Drawn::here) {
    insets.right = colour_bar_width(*scale, sheet, box.height);
  }
  return insets;
}

Box draw(const Chart& chart, Sheet& sheet, const Box& area, const std::string& prefix,
         const Surroundings& around) {
  const Box box = fitted(area, natural_aspect(chart));
  const ChartFrame frame = frame_of(chart, sheet, {box.width, box.height});
  draw_frame(chart, frame, sheet, box, prefix, around);
  draw_marks(chart, frame, sheet, box);
  const Names names = naming(chart, sheet, {area.width, area.height}, around);
  double above = std::max(0.0, numbers_above(chart, line_height(sheet.style().tick), box.height));
  if (names == Names::beside_marks) {
    add_names(chart, frame, sheet, box, prefix);
  } else if (!named_series(chart).empty()) {
    const double left = y_axis_width(chart, frame, sheet, around);
    draw_legend(named_series(chart), sheet, box, left, prefix);
    above = std::max(above, legend_height(named_series(chart), sheet, box.width, left));
  }
  if (const auto* scale = scale_of(chart); scale != nullptr && around.colour_bar == Drawn::here) {
    draw_colour_bar(*scale, Coloured::marks, sheet, box, prefix);
  }
  return {box.x, box.y - above, box.width, box.height + above};
}

}  // namespace attnlab
