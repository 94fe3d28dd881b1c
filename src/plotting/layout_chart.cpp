// Charts: points, curves, bars, arrows and guides in one coordinate system.
#include <algorithm>
#include <cmath>
#include <optional>

#include "plotting/chart_frame.hpp"
#include "plotting/chart_marks.hpp"
#include "plotting/panel_layout.hpp"
#include "plotting/pattern.hpp"

namespace attnlab {
namespace {

struct LegendEntry {
  Text name;
  Ink ink;
  bool line = false;
  bool dashed = false;
};

std::vector<LegendEntry> legend_of(const Chart& chart) {
  std::vector<LegendEntry> entries;
  for (const Layer& layer : chart.layers) {
    if (const auto* points = std::get_if<Points>(&layer); points != nullptr && !points->name.en().empty()) {
      entries.push_back({points->name, points->ink, false, false});
    }
    if (const auto* curve = std::get_if<Curve>(&layer); curve != nullptr && !curve->name.en().empty()) {
      entries.push_back({curve->name, curve->ink, true, curve->dashed});
    }
  }
  return entries;
}

double swatch_width(const Style& style) {
  return style.body * 1.5;
}

// Entries side by side above the data, in as many rows as they need: (row, x) of each.
struct LegendPlace {
  std::size_t row = 0;
  double x = 0.0;
};
std::vector<LegendPlace> place_legend(const std::vector<LegendEntry>& entries, Sheet& sheet, double width) {
  const Style& style = sheet.style();
  std::vector<LegendPlace> places;
  LegendPlace next;
  for (const LegendEntry& entry : entries) {
    const double name = measure(escape(entry.name.in(sheet.language())), style.tick, Weight::regular).width;
    const double needed = swatch_width(style) + style.gap + name;
    if (next.x > 0.0 && next.x + needed > width) next = {next.row + 1, 0.0};
    places.push_back(next);
    next.x += needed + style.body * 1.4;
  }
  return places;
}

double legend_row(const Style& style) {
  return style.tick * 1.55;
}

double legend_height(const Chart& chart, Sheet& sheet, double width) {
  const std::vector<LegendEntry> entries = legend_of(chart);
  if (entries.empty()) return 0.0;
  const std::size_t rows = place_legend(entries, sheet, width).back().row + 1;
  return legend_row(sheet.style()) * static_cast<double>(rows) + sheet.style().gap * 0.5;
}

void draw_legend(const Chart& chart, Sheet& sheet, const Box& box, const std::string& prefix) {
  const Style& style = sheet.style();
  const std::vector<LegendEntry> entries = legend_of(chart);
  const std::vector<LegendPlace> places = place_legend(entries, sheet, box.width);
  const double top = box.y - legend_height(chart, sheet, box.width);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double x = box.x + places[i].x;
    const double y = top + legend_row(style) * (static_cast<double>(places[i].row) + 0.5);
    const std::string id = prefix + ".legend[" + std::to_string(i) + "]";
    const Colour colour = style.colour(entries[i].ink);
    if (entries[i].line) {
      sheet.add(id + ".swatch",
                Path{{{x, y}, {x + swatch_width(style), y}},
                     false,
                     {},
                     colour,
                     style.line,
                     entries[i].dashed ? dash_pattern(style) : series_dashes(style, entries[i].ink),
                     {}});
    } else {
      sheet.add(id + ".swatch", point_shape(style, entries[i].ink, {x + swatch_width(style) / 2.0, y}));
    }
    sheet.add_words(id, sheet.words(entries[i].name, style.tick),
                    {{x + swatch_width(style) + style.gap, y}, AlignX::left, AlignY::middle});
  }
}

std::optional<ColourScale> scale_of(const Chart& chart) {
  for (const Layer& layer : chart.layers) {
    if (const auto* arrows = std::get_if<Arrows>(&layer); arrows != nullptr && arrows->scale) {
      return arrows->scale;
    }
  }
  return std::nullopt;
}

}  // namespace

double natural_aspect(const Chart& chart) {
  if (!chart.equal_units) return 0.0;
  const Interval x = x_limits(chart);
  const Interval y = y_limits(chart);
  return (x.high - x.low) / (y.high - y.low);
}

Insets insets_of(const Chart& chart, Sheet& sheet, const Extent& data, const Surroundings& around) {
  const Style& style = sheet.style();
  const Box box = fitted({0.0, 0.0, data.width, data.height}, natural_aspect(chart));
  const ChartFrame frame = frame_of(chart, sheet, {box.width, box.height});
  const double title = style.body * 1.35 + style.gap * 0.6;
  const auto title_room = [&](const Axis& axis) {
    return axis.label.in(sheet.language()).empty() ? 0.0 : title;
  };
  const double line = measure("0", style.tick, Weight::regular).height;
  Insets insets;
  if (around.row_names == Drawn::here) {
    insets.left = tick_width(frame.y_ticks, style) + style.gap + title_room(chart.y) + style.gap * 0.4;
  }
  if (around.column_names == Drawn::here) {
    insets.bottom =
        style.gap + (chart.x.categories.empty() ? line : frame.categories.depth) + title_room(chart.x);
  }
  insets.right = frame.x_ticks.empty() ? 0.0 : tick_width({frame.x_ticks.back()}, style) / 2.0;
  insets.top = std::max(line / 2.0, legend_height(chart, sheet, box.width));
  if (const auto scale = scale_of(chart); scale && around.colour_bar == Drawn::here) {
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
  if (!legend_of(chart).empty()) draw_legend(chart, sheet, box, prefix);
  if (const auto scale = scale_of(chart); scale && around.colour_bar == Drawn::here) {
    draw_colour_bar(*scale, Coloured::marks, sheet, box, prefix);
  }
  const double legend = legend_height(chart, sheet, box.width);
  return {box.x, box.y - legend, box.width, box.height + legend};
}

}  // namespace attnlab
