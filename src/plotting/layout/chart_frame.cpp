#include "plotting/layout/chart_frame.hpp"

#include "core/constants.hpp"

namespace attnlab {
namespace {

constexpr double pad = 0.05;         // of the data's span, on either side
constexpr double label_pad = 0.16;   // where marks carry labels beyond their ends
constexpr double arrow_pad_x = 0.3;  // words beside an arrow's tip are wider than high
constexpr double arrow_pad_y = 0.12;
constexpr double bar_margin = 0.65;  // from the first bar's centre to the axis, in bars

/// Of what counts layers, heads or steps, no mark of an axis stands between two.
enum class Places { any, whole };

struct Range {
  double low = infinity;
  double high = -infinity;
  double pad_low = pad;
  double pad_high = pad;
  Places places = Places::whole;

  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void take(const std::vector<double>& values) {
    for (const double value : values) take(value);
  }
};

/// What the layers reach, across and up.
struct Reach {
  Range x;
  Range y;

  void operator()(const Points& points) { take_places(points.x, points.y); }
  void operator()(const Curve& curve) { take_places(curve.x, curve.y); }
  void operator()(const Bars& bars) {
    take({-bar_margin, static_cast<double>(bars.values.size()) - 1.0 + bar_margin}, {0.0});
    y.take(bars.values);
    x.pad_low = x.pad_high = 0.0;
    y.pad_low = y.low < 0.0 ? label_pad : 0.0;
    y.pad_high = y.high > 0.0 ? label_pad : pad;
  }
  void operator()(const Arrows& arrows) {
    x.places = Places::any;
    take({0.0}, {0.0});
    for (const Arrow& arrow : arrows.arrows) take({arrow.x}, {arrow.y});
    x.pad_low = x.pad_high = arrow_pad_x;
    y.pad_low = y.pad_high = arrow_pad_y;
  }
  void operator()(const Rule& rule) { (rule.direction == Rule::Direction::vertical ? x : y).take(rule.at); }
  void operator()(const Circle& circle) {
    x.places = Places::any;
    take({-circle.radius, circle.radius}, {-circle.radius, circle.radius});
  }
  void operator()(const Callout& callout) { take({callout.x}, {callout.y}); }

 private:
  void take_places(const std::vector<double>& across, const std::vector<double>& up) {
    take(across, up);
    const auto is_between = [](double place) { return place != std::round(place); };
    if (std::any_of(across.begin(), across.end(), is_between)) x.places = Places::any;
  }
  void take(const std::vector<double>& across, const std::vector<double>& up) {
    x.take(across);
    y.take(up);
  }
};

Reach reach_of(const Chart& chart) {
  Reach reach;
  for (const Layer& layer : chart.layers) std::visit(reach, layer);
  return reach;
}

Interval padded(const Axis& axis, Range range) {
  if (axis.limits && std::isfinite(axis.limits->high - axis.limits->low)) return *axis.limits;
  if (!(range.low <= range.high)) return {0.0, 1.0};
  if (axis.scale == Axis::Scale::log10) {
    const double decades = std::log10(range.high) - std::log10(range.low);
    const double factor = std::pow(10.0, decades > 0.0 ? decades * pad : 1.0);
    return {std::max(range.low / factor, std::numeric_limits<double>::denorm_min()),
            std::min(range.high * factor, std::numeric_limits<double>::max())};
  }
  const double span = range.high - range.low;
  if (!std::isfinite(span)) {  // as wide as numbers go
    constexpr double most = std::numeric_limits<double>::max() / 4.0;
    return {-most, most};
  }
  constexpr double rounding = 1e-13;
  if (span <= rounding * std::max(std::abs(range.low), std::abs(range.high))) {
    return {range.low - std::max(0.5, std::abs(range.low) * 0.1),
            range.high + std::max(0.5, std::abs(range.high) * 0.1)};
  }
  return {range.low - span * range.pad_low, range.high + span * range.pad_high};
}

// Ticks along a length, each label needing space_of(label) around it.
template <class SpaceOf>
std::vector<Tick> ticks_along(const Axis& axis, const Interval& limits, const Style& style, double length,
                              const SpaceOf& space_of, Places places) {
  const TicksFit fit = [&](const std::vector<Tick>& ticks) {
    const auto is_part = [](const Tick& tick) { return tick.value != std::round(tick.value); };
    if (places == Places::whole && std::any_of(ticks.begin(), ticks.end(), is_part)) return false;
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      const double distance =
          (fraction_along(axis, limits, ticks[i].value) - fraction_along(axis, limits, ticks[i - 1].value)) *
          length;
      if (distance < (space_of(ticks[i]) + space_of(ticks[i - 1])) / 2.0) return false;
    }
    return true;
  };
  return axis.scale == Axis::Scale::log10 ? log_ticks(limits, style.tick, fit) : linear_ticks(limits, fit);
}

void draw_y_axis(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                 const Surroundings& around, const std::string& id) {
  const Style& style = sheet.style();
  for (std::size_t i = 0; i < frame.y_ticks.size(); ++i) {
    const Tick& tick = frame.y_ticks[i];
    const double y = box.y + box.height * (1.0 - fraction_along(chart.y, frame.y, tick.value));
    sheet.add_words(indexed(id, i), sheet.set_markup(tick.markup, style.tick),
                    {{box.x - style.gap, y}, AlignX::right, AlignY::middle});
  }
  const double x = box.x - style.gap * 1.8 - widest(frame.y_ticks, style);
  draw_axis_title(axis_title(chart.y.label, sheet, around.data.height), Reading::upwards, sheet,
                  {x, box.y + box.height / 2.0}, id + ".title");
}

void draw_x_axis(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                 const Surroundings& around, const std::string& id) {
  const Style& style = sheet.style();
  const double top = box.bottom() + style.gap;
  for (std::size_t i = 0; i < frame.x_ticks.size(); ++i) {
    const Tick& tick = frame.x_ticks[i];
    const double x = box.x + box.width * fraction_along(chart.x, frame.x, tick.value);
    sheet.add_words(indexed(id, i), sheet.set_markup(tick.markup, style.tick),
                    {{x, top}, AlignX::centre, AlignY::top});
  }
  double depth = line_height(style.tick);
  if (!chart.x.categories.empty()) {
    const double spacing = box.width / (frame.x.high - frame.x.low);
    draw_labels(chart.x.categories, frame.categories, sheet, {box.x - frame.x.low * spacing, top}, spacing,
                id);
    depth = frame.categories.depth;
  }
  draw_axis_title(axis_title(chart.x.label, sheet, around.data.width), Reading::across, sheet,
                  {box.x + box.width / 2.0, top + style.gap * 0.5 + depth}, id + ".title");
}

}  // namespace

Interval x_limits(const Chart& chart) { return padded(chart.x, reach_of(chart).x); }

Interval y_limits(const Chart& chart) { return padded(chart.y, reach_of(chart).y); }

double fraction_along(const Axis& axis, const Interval& limits, double value) {
  if (axis.scale == Axis::Scale::log10) {
    return (std::log10(value) - std::log10(limits.low)) / (std::log10(limits.high) - std::log10(limits.low));
  }
  return (value - limits.low) / (limits.high - limits.low);
}

Position place_of(double x, double y, const Chart& chart, const ChartFrame& frame, const Box& box) {
  return {box.x + box.width * fraction_along(chart.x, frame.x, x),
          box.bottom() - box.height * fraction_along(chart.y, frame.y, y)};
}

ChartFrame frame_of(const Chart& chart, const Sheet& sheet, const Extent& data) {
  const Style& style = sheet.style();
  ChartFrame frame;
  frame.x = x_limits(chart);
  frame.y = y_limits(chart);
  const double line = line_height(style.tick);
  frame.y_ticks = ticks_along(
      chart.y, frame.y, style, data.height, [line](const Tick&) { return line * 1.5; }, Places::any);
  if (chart.x.categories.empty()) {
    const auto space_of = [&style](const Tick& tick) {
      return measure(tick.markup, style.tick).width + style.gap * 2.0;
    };
    frame.x_ticks = ticks_along(chart.x, frame.x, style, data.width, space_of, reach_of(chart).x.places);
  } else {
    constexpr double longest = 0.14;  // of the page's width
    const double spacing = data.width / (frame.x.high - frame.x.low);
    frame.categories = plan_labels(chart.x.categories, sheet, spacing, data.width * longest * 2.0);
  }
  return frame;
}

void draw_frame(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                const std::string& prefix, const Surroundings& around) {
  const Style& style = sheet.style();
  const auto draw_line = [&](const std::string& id, const Position& from, const Position& to,
                             const Colour& colour) {
    sheet.add(id, Path::line({from, to}, colour, style.line * 0.6));
  };
  for (std::size_t i = 0; i < frame.y_ticks.size(); ++i) {
    const double y = box.bottom() - box.height * fraction_along(chart.y, frame.y, frame.y_ticks[i].value);
    draw_line(indexed(prefix + ".grid.y", i), {box.x, y}, {box.right(), y}, style.grid);
  }
  for (std::size_t i = 0; i < frame.x_ticks.size(); ++i) {
    const double x = box.x + box.width * fraction_along(chart.x, frame.x, frame.x_ticks[i].value);
    draw_line(indexed(prefix + ".grid.x", i), {x, box.y}, {x, box.bottom()}, style.grid);
  }
  draw_line(prefix + ".axis", {box.x, box.bottom()}, {box.right(), box.bottom()}, style.muted);
  if (around.row_names == Drawn::here) draw_y_axis(chart, frame, sheet, box, around, prefix + ".y");
  if (around.column_names == Drawn::here) draw_x_axis(chart, frame, sheet, box, around, prefix + ".x");
}

std::vector<NamedSeries> named_series(const Chart& chart) {
  std::vector<NamedSeries> all;
  for (const Layer& layer : chart.layers) {
    if (const auto* points = std::get_if<Points>(&layer); points != nullptr && !points->name.en().empty())
      all.push_back({points->name, points->ink, points->x, points->y});
    if (const auto* curve = std::get_if<Curve>(&layer); curve != nullptr && !curve->name.en().empty())
      all.push_back({curve->name, curve->ink, curve->x, curve->y, true, curve->dashed});
  }
  return all;
}

const ColourScale* scale_of(const Chart& chart) {
  for (const Layer& layer : chart.layers) {
    if (const auto* arrows = std::get_if<Arrows>(&layer);
        arrows != nullptr && arrows->scale && arrows->key == Arrows::Key::colour_bar)
      return &*arrows->scale;
  }
  return nullptr;
}

}  // namespace attnlab
