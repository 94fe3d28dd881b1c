// Charts: the legend, the data area with its axes, and the words that found no place in it; or bars that lie.
#include "core/terminal_width.hpp"
#include "plotting/layout/chart_frame.hpp"
#include "terminal_figure/canvas.hpp"
#include "terminal_figure/panels.hpp"

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

constexpr std::size_t least_chart = 38;  // columns
constexpr std::size_t least_lines = 10;
constexpr std::size_t most_lines = 18;
constexpr std::size_t most_lines_equal_units = 22;
constexpr std::size_t widest_plot = 90;
constexpr double character_aspect = 2.0;  // height over width

struct Extent {
  std::size_t width = 0;
  std::size_t height = 0;
};

/// Room for the data area, as large as its shape allows.
Extent extent_for(const Chart& chart, const Limits& limits, std::size_t room) {
  const std::size_t width = std::min(room, widest_plot);
  const std::size_t height = std::clamp(width / 4, least_lines, most_lines);
  if (!chart.equal_units) return {width, height};
  const double aspect = (limits.x.high - limits.x.low) / (limits.y.high - limits.y.low);
  const double lines = std::min(static_cast<double>(width) / (character_aspect * aspect),
                                static_cast<double>(most_lines_equal_units));
  const double columns = lines * character_aspect * aspect;
  return {std::max<std::size_t>(4, static_cast<std::size_t>(std::lround(columns))),
          std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(lines)))};
}

struct Mark {
  std::size_t at = 0;  // column or line
  std::string label;
};

/// Powers of ten in Unicode's superscripts.
std::string label_of(const Axis& axis, const Tick& tick) {
  if (axis.scale == Axis::Scale::linear) return tick.markup;
  const auto power = std::lround(std::log10(tick.value));
  const std::string exponent = power < 0 ? "−" + std::to_string(-power) : std::to_string(power);
  return to_terminal(formula::sup(formula::sym("10"), formula::sym(exponent)));
}

/// Ticks whose labels stand apart: `room_of` says how much each takes along the axis.
template <class Place, class RoomOf>
std::vector<Mark> marks_along(const Axis& axis, const Interval& limits, const Place& place,
                              const RoomOf& room_of) {
  const TicksFit fit = [&](const std::vector<Tick>& ticks) {
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      const double apart = std::abs(static_cast<double>(place(ticks[i].value)) -
                                    static_cast<double>(place(ticks[i - 1].value)));
      if (apart < room_of(label_of(axis, ticks[i]))) return false;
    }
    return true;
  };
  constexpr double any_size = 10.0;  // the markup of powers is not used
  const std::vector<Tick> ticks =
      axis.scale == Axis::Scale::log10 ? log_ticks(limits, any_size, fit) : linear_ticks(limits, fit);
  std::vector<Mark> marks;
  marks.reserve(ticks.size());
  for (const Tick& tick : ticks) marks.push_back({place(tick.value), label_of(axis, tick)});
  return marks;
}

struct Axes {
  std::vector<Mark> x;
  std::vector<Mark> y;
  std::size_t gutter = 0;  // columns left of the data, the axis included
};

Axes axes_of(const Chart& chart, const Limits& limits, const Extent& extent) {
  const DotCanvas canvas(extent.width, extent.height);
  Axes axes;
  axes.x = marks_along(
      chart.x, limits.x,
      [&](double value) {
        return canvas.spot_of({fraction_along(chart.x, limits.x, value), 0.0}).column;
      },
      [](const std::string& label) { return static_cast<double>(display_width(label) + 2); });
  axes.y = marks_along(
      chart.y, limits.y,
      [&](double value) {
        return canvas.spot_of({0.0, fraction_along(chart.y, limits.y, value)}).line;
      },
      [](const std::string&) { return 2.0; });
  for (const Mark& mark : axes.y) axes.gutter = std::max(axes.gutter, display_width(mark.label));
  axes.gutter += 2;
  return axes;
}

bool holds(const std::vector<Mark>& marks, std::size_t at) {
  return std::any_of(marks.begin(), marks.end(), [at](const Mark& mark) { return mark.at == at; });
}

Picture with_axes(const Picture& data, const Axes& axes) {
  Picture picture(axes.gutter + data.width(), data.height() + 2);
  picture.lay({axes.gutter, 0}, data);
  for (std::size_t line = 0; line < data.height(); ++line) {
    picture.write({axes.gutter - 1, line}, holds(axes.y, line) ? "┤" : "│", faint);
  }
  picture.write({axes.gutter - 1, data.height()}, "└", faint);
  for (std::size_t column = 0; column < data.width(); ++column) {
    picture.write({axes.gutter + column, data.height()}, holds(axes.x, column) ? "┬" : "─", faint);
  }
  for (const Mark& mark : axes.y) {
    picture.write({axes.gutter - 2 - display_width(mark.label), mark.at}, mark.label);
  }
  for (const Mark& mark : axes.x) {
    const std::size_t width = display_width(mark.label);
    const std::size_t middle = axes.gutter + mark.at;
    const std::size_t begin = middle > width / 2 ? middle - width / 2 : 0;
    picture.write({std::min(begin, picture.width() - width), data.height() + 1}, mark.label);
  }
  return picture;
}

std::string swatch_of(const NamedSeries& series) {
  if (!series.line) return mark_of(series.ink);
  const std::string line = series.dashed ? "╌" : "─";
  return line + (series.ink.role == Ink::Role::series ? mark_of(series.ink) : line) + line;
}

/// The swatches stand on the paper of the data, for which their colours were chosen.
Picture set_legend(const Chart& chart, std::size_t width, const Setting& setting) {
  std::vector<Picture> lines;
  Picture line(0, 1);
  for (const NamedSeries& series : named_series(chart)) {
    const std::string mark = swatch_of(series);
    const std::string& name = setting.words(series.name);
    Look look{setting.style.colour(series.ink)};
    if (setting.in_colour()) look.paper = setting.style.paper;
    const std::size_t swatch = display_width(mark) + 2;
    Picture item(std::min(width, swatch + 1 + display_width(name)), 1);
    item.write({0, 0}, " " + mark + " ", look);
    item.write({swatch + 1, 0}, elided(name, width - swatch - 1));
    if (line.width() > 0 && line.width() + 3 + item.width() > width) {
      lines.push_back(line);
      line = Picture(0, 1);
    }
    line = line.width() == 0 ? item : beside({line, item}, 3);
  }
  if (line.width() > 0) lines.push_back(line);
  return stacked(lines);
}

std::string left_out(const std::vector<std::string>& words, const Setting& setting) {
  if (words.empty()) return "";
  return setting.words(text("図に入らないラベル：{}", "labels without a place: {}", joined(words, ", ")));
}

/// Right below the ticks, towards the end of the axis.
Picture axis_title(const std::string& title, const Axes& axes, std::size_t width) {
  const Picture words = paragraph(title.empty() ? "" : title + " →", width, faint);
  const std::size_t begin = words.width() < width - axes.gutter ? width - words.width() : 0;
  Picture line(begin + words.width(), words.height());
  line.lay({begin, 0}, words);
  return line;
}

/// True for a chart over names, even where the bars are left for the reader to draw.
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

}  // namespace

std::size_t comfortable_width(const Chart& chart, std::size_t full, const Setting&) {
  constexpr std::size_t least_bars = 32;
  return std::min(full, is_bar_chart(chart) ? least_bars : least_chart);
}

Picture draw(const Chart& chart, std::size_t width, ColourBar bar, const Setting& setting) {
  if (is_bar_chart(chart)) return draw_bars(chart, width, setting);
  const Limits limits{x_limits(chart), y_limits(chart)};
  const Extent guess = extent_for(chart, limits, width);
  const std::size_t gutter = axes_of(chart, limits, guess).gutter;
  const Extent extent = extent_for(chart, limits, width - gutter);
  const Axes axes = axes_of(chart, limits, extent);
  const PlotArea area = draw_layers(chart, limits, extent.width, extent.height, setting);
  const std::string& y_title = setting.words(chart.y.label);

  std::vector<Picture> parts{set_legend(chart, width, setting),
                             paragraph(y_title.empty() ? "" : "↑ " + y_title, width, faint),
                             with_axes(area.picture, axes),
                             axis_title(setting.words(chart.x.label), axes, axes.gutter + extent.width),
                             paragraph(left_out(area.left_out, setting), width)};
  if (const ColourScale* scale = scale_of(chart); scale != nullptr && bar == ColourBar::here) {
    parts.push_back(colour_line(*scale, Coloured::marks, WithoutColour::numbers, width, setting));
  }
  return stacked(parts);
}

}  // namespace attnlab::terminal_figure
