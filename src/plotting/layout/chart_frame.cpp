#include "plotting/layout/chart_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab {
namespace {

constexpr double pad = 0.05;         // of the data's span, on either side
constexpr double label_pad = 0.16;   // where marks carry labels beyond their ends
constexpr double arrow_pad_x = 0.3;  // words beside an arrow's tip are wider than high
constexpr double arrow_pad_y = 0.12;
constexpr double bar_margin = 0.65;    // from the first bar's centre to the axis, in bars
constexpr double longest_name = 0.14;  // of the page's width

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double pad_low = pad;
  double pad_high = pad;

  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void take(const std::vector<double>& values) {
    for (const double value : values) take(value);
  }
};

struct TakeX {
  Range& range;
  void operator()(const Points& points) const { range.take(points.x); }
  void operator()(const Curve& curve) const { range.take(curve.x); }
  void operator()(const Bars& bars) const {
    range.take(-bar_margin);
    range.take(static_cast<double>(bars.values.size()) - 1.0 + bar_margin);
    range.pad_low = range.pad_high = 0.0;
  }
  void operator()(const Arrows& arrows) const {
    range.take(0.0);
    for (const Arrow& arrow : arrows.arrows) range.take(arrow.x);
    range.pad_low = range.pad_high = arrow_pad_x;
  }
  void operator()(const Rule& rule) const {
    if (rule.direction == Rule::Direction::vertical) range.take(rule.at);
  }
  void operator()(const Circle& circle) const { range.take({-circle.radius, circle.radius}); }
  void operator()(const Callout& callout) const { range.take(callout.x); }
};

struct TakeY {
  Range& range;
  void operator()(const Points& points) const { range.take(points.y); }
  void operator()(const Curve& curve) const { range.take(curve.y); }
  void operator()(const Bars& bars) const {
    range.take(0.0);
    range.take(bars.values);
    range.pad_low = range.low < 0.0 ? label_pad : 0.0;
    range.pad_high = range.high > 0.0 ? label_pad : pad;
  }
  void operator()(const Arrows& arrows) const {
    range.take(0.0);
    for (const Arrow& arrow : arrows.arrows) range.take(arrow.y);
    range.pad_low = range.pad_high = arrow_pad_y;
  }
  void operator()(const Rule& rule) const {
    if (rule.direction == Rule::Direction::horizontal) range.take(rule.at);
  }
  void operator()(const Circle& circle) const { range.take({-circle.radius, circle.radius}); }
  void operator()(const Callout& callout) const { range.take(callout.y); }
};

Interval padded(const Axis& axis, Range range) {
  if (axis.limits) return *axis.limits;
  if (!(range.low <= range.high)) return {0.0, 1.0};
  if (axis.scale == Axis::Scale::log10) {
    const double decades = std::log10(range.high) - std::log10(range.low);
    const double factor = std::pow(10.0, decades > 0.0 ? decades * pad : 1.0);
    return {range.low / factor, std::min(range.high * factor, std::numeric_limits<double>::max())};
  }
  const double span = range.high - range.low;
  if (span == 0.0) {
    return {range.low - std::max(0.5, std::abs(range.low) * 0.1),
            range.high + std::max(0.5, std::abs(range.high) * 0.1)};
  }
  return {range.low - span * range.pad_low, range.high + span * range.pad_high};
}

double line_height(const Style& style) {
  return measure("0", style.tick, Weight::regular).height;
}

// Ticks along a length, each label needing room_of(label) around it.
template <class RoomOf>
std::vector<Tick> ticks_along(const Axis& axis, const Interval& limits, const Style& style, double length,
                              const RoomOf& room_of) {
  const TicksFit fit = [&](const std::vector<Tick>& ticks) {
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      const double apart =
          (fraction_along(axis, limits, ticks[i].value) - fraction_along(axis, limits, ticks[i - 1].value)) *
          length;
      if (apart < (room_of(ticks[i]) + room_of(ticks[i - 1])) / 2.0) return false;
    }
    return true;
  };
  return axis.scale == Axis::Scale::log10 ? log_ticks(limits, style.tick, fit) : linear_ticks(limits, fit);
}

void draw_line(Sheet& sheet, const std::string& id, const Position& from, const Position& to,
               const Colour& colour, double width) {
  sheet.add(id, Path{{from, to}, false, {}, colour, width, {}, {}});
}

}  // namespace

Interval x_limits(const Chart& chart) {
  Range range;
  for (const Layer& layer : chart.layers) std::visit(TakeX{range}, layer);
  return padded(chart.x, range);
}

Interval y_limits(const Chart& chart) {
  Range range;
  for (const Layer& layer : chart.layers) std::visit(TakeY{range}, layer);
  return padded(chart.y, range);
}

double fraction_along(const Axis& axis, const Interval& limits, double value) {
  if (axis.scale == Axis::Scale::log10) {
    return (std::log10(value) - std::log10(limits.low)) / (std::log10(limits.high) - std::log10(limits.low));
  }
  return (value - limits.low) / (limits.high - limits.low);
}

double tick_width(const std::vector<Tick>& ticks, const Style& style) {
  double width = 0.0;
  for (const Tick& tick : ticks) {
    width = std::max(width, measure(tick.markup, style.tick, Weight::regular).width);
  }
  return width;
}

ChartFrame frame_of(const Chart& chart, const Sheet& sheet, const Extent& data) {
  const Style& style = sheet.style();
  ChartFrame frame;
  frame.x = x_limits(chart);
  frame.y = y_limits(chart);
  const double line = line_height(style);
  frame.y_ticks =
      ticks_along(chart.y, frame.y, style, data.height, [line](const Tick&) { return line * 1.5; });
  if (chart.x.categories.empty()) {
    frame.x_ticks = ticks_along(chart.x, frame.x, style, data.width, [&style](const Tick& tick) {
      return measure(tick.markup, style.tick, Weight::regular).width + style.gap * 2.0;
    });
  } else {
    const double spacing = data.width / (frame.x.high - frame.x.low);
    frame.categories = plan_labels(chart.x.categories, sheet, spacing, data.width * longest_name * 2.0);
  }
  return frame;
}

namespace {

void draw_y_axis(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                 const std::string& id) {
  const Style& style = sheet.style();
  for (std::size_t i = 0; i < frame.y_ticks.size(); ++i) {
    const Tick& tick = frame.y_ticks[i];
    const double y = box.y + box.height * (1.0 - fraction_along(chart.y, frame.y, tick.value));
    sheet.add_words(id + "[" + std::to_string(i) + "]", sheet.set_markup(tick.markup, style.tick),
                    {{box.x - style.gap, y}, AlignX::right, AlignY::middle});
  }
  if (chart.y.label.in(sheet.language()).empty()) return;
  const double x = box.x - style.gap * 1.8 - tick_width(frame.y_ticks, style);
  sheet.add_words(id + ".title", sheet.words(chart.y.label, style.body),
                  {{x, box.y + box.height / 2.0}, AlignX::centre, AlignY::bottom, -90.0});
}

void draw_x_axis(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                 const std::string& id) {
  const Style& style = sheet.style();
  const double top = box.y + box.height + style.gap;
  for (std::size_t i = 0; i < frame.x_ticks.size(); ++i) {
    const Tick& tick = frame.x_ticks[i];
    const double x = box.x + box.width * fraction_along(chart.x, frame.x, tick.value);
    sheet.add_words(id + "[" + std::to_string(i) + "]", sheet.set_markup(tick.markup, style.tick),
                    {{x, top}, AlignX::centre, AlignY::top});
  }
  double depth = line_height(style);
  if (!chart.x.categories.empty()) {
    const double spacing = box.width / (frame.x.high - frame.x.low);
    draw_labels(chart.x.categories, frame.categories, sheet, {box.x - frame.x.low * spacing, top}, spacing,
                id);
    depth = frame.categories.depth;
  }
  if (chart.x.label.in(sheet.language()).empty()) return;
  sheet.add_words(id + ".title", sheet.words(chart.x.label, style.body),
                  {{box.x + box.width / 2.0, top + style.gap * 0.5 + depth}, AlignX::centre, AlignY::top});
}

}  // namespace

void draw_frame(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                const std::string& prefix, const Surroundings& around) {
  const Style& style = sheet.style();
  const double right = box.x + box.width;
  const double bottom = box.y + box.height;
  for (std::size_t i = 0; i < frame.y_ticks.size(); ++i) {
    const double y = bottom - box.height * fraction_along(chart.y, frame.y, frame.y_ticks[i].value);
    draw_line(sheet, prefix + ".grid.y[" + std::to_string(i) + "]", {box.x, y}, {right, y}, style.grid,
              style.line * 0.6);
  }
  for (std::size_t i = 0; i < frame.x_ticks.size(); ++i) {
    const double x = box.x + box.width * fraction_along(chart.x, frame.x, frame.x_ticks[i].value);
    draw_line(sheet, prefix + ".grid.x[" + std::to_string(i) + "]", {x, box.y}, {x, bottom}, style.grid,
              style.line * 0.6);
  }
  draw_line(sheet, prefix + ".axis", {box.x, bottom}, {right, bottom}, style.muted, style.line * 0.6);
  if (around.row_names == Drawn::here) draw_y_axis(chart, frame, sheet, box, prefix + ".y");
  if (around.column_names == Drawn::here) draw_x_axis(chart, frame, sheet, box, prefix + ".x");
}

}  // namespace attnlab
