#include "terminal_figure/panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/terminal_width.hpp"
#include "plotting/layout/chart_frame.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr std::size_t longest_bar = 48;      // columns on either side of 0 together
constexpr std::size_t bars_apart_up_to = 6;  // so few stand apart

/// What one line of the chart shows.
struct Line {
  std::string name;
  double value = 0.0;
  std::string number;
  Colour colour;
};

std::string name_of(const Chart& chart, std::size_t index, std::size_t longest, const Setting& setting) {
  const bool named = index < chart.x.categories.size();
  return elided(named ? chart.x.categories[index].in(setting.language) : std::to_string(index), longest);
}

std::vector<Line> lines_of(const Chart& chart, std::size_t longest_name, const Setting& setting) {
  std::vector<Line> lines;
  for (const Layer& layer : chart.layers) {
    const auto* bars = std::get_if<Bars>(&layer);
    if (bars == nullptr) continue;
    for (std::size_t i = 0; i < bars->values.size(); ++i) {
      const double value = bars->values[i];
      const bool coloured = bars->scale && std::isfinite(value);
      lines.push_back({name_of(chart, i, longest_name, setting), value,
                       bars->decimals == no_numbers ? "" : number_text(value, bars->decimals),
                       coloured ? colour_of(*bars->scale, value, setting.style.theme, Coloured::marks)
                                : setting.style.colour(bars->ink)});
    }
  }
  if (!lines.empty()) return lines;
  for (std::size_t i = 0; i < chart.x.categories.size(); ++i) {
    lines.push_back({name_of(chart, i, longest_name, setting), 0.0, "", setting.style.ink});
  }
  return lines;
}

/// From 0 to the ends that the bars reach.
Interval reach_of(const Chart& chart, const std::vector<Line>& lines) {
  Interval reach = chart.y.limits.value_or(Interval{0.0, 0.0});
  for (const Line& line : lines) {
    if (chart.y.limits || !std::isfinite(line.value)) continue;
    reach = {std::min(reach.low, line.value), std::max(reach.high, line.value)};
  }
  reach = {std::min(reach.low, 0.0), std::max(reach.high, 0.0)};
  return reach.high > reach.low ? reach : Interval{0.0, 1.0};
}

/// Blocks of eighths of a column.
std::string rightwards(double columns) {
  constexpr std::array<const char*, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::lround(columns * 8.0));
  std::string bar;
  for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
  return bar + parts.at(eighths % 8);
}

/// From the right end; Unicode has only halves there.
std::string leftwards(double columns) {
  const auto halves = static_cast<std::size_t>(std::lround(columns * 2.0));
  std::string bar = halves % 2 == 1 ? "▐" : "";
  for (std::size_t i = 0; i < halves / 2; ++i) bar += "█";
  return bar;
}

struct Frame {
  std::size_t names = 0;      // columns of the longest name
  std::size_t number = 0;     // of the longest number
  std::size_t zero = 0;       // the column of the axis
  double columns_each = 0.0;  // per unit of the value
};

Frame frame_of(const std::vector<Line>& lines, const Interval& reach, std::size_t width) {
  Frame frame;
  for (const Line& line : lines) {
    frame.names = std::max(frame.names, display_width(line.name));
    frame.number = std::max(frame.number, display_width(line.number));
  }
  const std::size_t left_number = reach.low < 0.0 ? frame.number + 1 : 0;
  const std::size_t taken = frame.names + 2 + frame.number + 1 + left_number;
  const std::size_t room = std::min(longest_bar, width > taken + 4 ? width - taken : 4);
  frame.columns_each = static_cast<double>(room) / (reach.high - reach.low);
  frame.zero =
      frame.names + 1 + left_number + static_cast<std::size_t>(std::ceil(-reach.low * frame.columns_each));
  return frame;
}

void draw_line(const Line& line, const Frame& frame, const Interval& reach, std::size_t row,
               Picture& picture) {
  picture.write({frame.names - display_width(line.name), row}, line.name);
  picture.write({frame.zero, row}, "│", faint);
  const Look look{line.colour, {}, Emphasis::none};
  const double shown = std::isfinite(line.value) ? std::clamp(line.value, reach.low, reach.high) : 0.0;
  if (shown < 0.0) {
    const std::string bar = leftwards(-shown * frame.columns_each);
    const std::size_t begin = frame.zero - display_width(bar);
    picture.write({begin, row}, bar, look);
    picture.write({begin - display_width(line.number) - 1, row}, line.number);
    return;
  }
  const std::string bar = rightwards(shown * frame.columns_each);
  picture.write({frame.zero + 1, row}, bar, look);
  picture.write({frame.zero + 1 + display_width(bar) + (bar.empty() ? 0 : 1), row}, line.number);
}

}  // namespace

bool is_bar_chart(const Chart& chart) {
  return !chart.x.categories.empty() ||
         std::any_of(chart.layers.begin(), chart.layers.end(),
                     [](const Layer& layer) { return std::holds_alternative<Bars>(layer); });
}

Picture draw_bars(const Chart& chart, std::size_t width, const Setting& setting) {
  const std::vector<Line> lines = lines_of(chart, width / 3, setting);
  const Interval reach = reach_of(chart, lines);
  const Frame frame = frame_of(lines, reach, width);
  const std::size_t apart = lines.size() <= bars_apart_up_to ? 2 : 1;
  Picture picture(width, lines.size() * apart - (apart - 1));
  for (std::size_t i = 0; i < picture.height(); ++i) picture.write({frame.zero, i}, "│", faint);
  for (std::size_t i = 0; i < lines.size(); ++i) draw_line(lines[i], frame, reach, i * apart, picture);
  std::string range;
  if (frame.number == 0) {
    const double span = reach.high - reach.low;
    range = short_number_text(reach.low, span) + " … " + short_number_text(reach.high, span);
  }
  return stacked({paragraph(axis_names(chart.x.label, chart.y.label, setting), width, faint), picture,
                  paragraph(range, width, faint)});
}

}  // namespace attnlab::terminal_figure
