// The colour bar: which number has which colour, and the range in figures.
#include "plotting/layout/cells.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/shapes.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

constexpr double tick_spacing = 1.45;   // of labels, in lines
constexpr double longest_title = 0.35;  // of the page, where the bar is shorter

double thickness(const Style& style) {
  return style.body * 1.1;
}
double tick_length(const Style& style) {
  return style.body * 0.3;
}

/// How far two labels must stand apart, as a share of the bar.
double apart(const Style& style, double height) {
  return line_height(style.tick) * tick_spacing / height;
}

bool fit(const ColourScale& scale, const std::vector<Tick>& ticks, double share) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    if (fraction_of(scale, ticks[i].value) - fraction_of(scale, ticks[i - 1].value) < share) return false;
  }
  return true;
}

// "0.25", or "2×10⁻⁵" where decades are shown.
std::string end_text(const ColourScale& scale, double value, double size) {
  if (scale.spacing == ColourScale::Spacing::linear) return short_number_text(value, scale.high - scale.low);
  return scientific_markup(value, size);
}

// Where the colours of a stepped palette change.
std::vector<Tick> step_ticks(const ColourScale& scale, const Style& style) {
  std::vector<Tick> ticks;
  const std::size_t count = anchors_of(scale.palette, style.theme).size();
  for (std::size_t i = 0; i <= count; ++i) {
    const double value = value_at(scale, static_cast<double>(i) / static_cast<double>(count));
    ticks.push_back({value, end_text(scale, value, style.tick)});
  }
  return ticks;
}

// Round values between the ends.
std::vector<Tick> round_ticks(const ColourScale& scale, const Style& style, double share) {
  const TicksFit fits = [&](const std::vector<Tick>& ticks) { return fit(scale, ticks, share); };
  const Interval range{scale.low, scale.high};
  return scale.spacing == ColourScale::Spacing::linear ? linear_ticks(range, fits)
                                                       : log_ticks(range, style.tick, fits);
}

// What the bar's labels say, upwards; the ends are among them: the range is always printed.
std::vector<Tick> bar_ticks(const ColourScale& scale, const Style& style, double height) {
  const Tick low{scale.low, end_text(scale, scale.low, style.tick)};
  const Tick high{scale.high, end_text(scale, scale.high, style.tick)};
  if (scale.high <= scale.low) return {low};
  const double share = apart(style, height);
  if (is_stepped(scale.palette)) {
    std::vector<Tick> ticks = step_ticks(scale, style);
    if (fit(scale, ticks, share)) return ticks;
  }
  std::vector<Tick> ticks{low};
  for (const Tick& tick : round_ticks(scale, style, share)) {
    const double place = fraction_of(scale, tick.value);
    if (place >= share && 1.0 - place >= share) ticks.push_back(tick);
  }
  ticks.push_back(high);
  return ticks;
}

// The names of a stepped palette's colours, in their middle; none where they would crowd the numbers.
std::vector<Tick> band_labels(const ColourScale& scale, const Sheet& sheet, double height) {
  const std::vector<Text> names = band_names(scale.palette, sheet.style().theme);
  if (names.empty()) return {};
  const double step = 1.0 / static_cast<double>(names.size());
  if (step < 2.0 * apart(sheet.style(), height)) return {};
  std::vector<Tick> labels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    labels.push_back(
        {value_at(scale, (static_cast<double>(i) + 0.5) * step), escape(names[i].in(sheet.language()))});
  }
  return labels;
}

void draw_colours(const ColourScale& scale, Coloured what, Sheet& sheet, const Box& bar,
                  const std::string& prefix) {
  constexpr std::size_t steps = 64;  // of a palette without steps of its own
  const std::size_t count =
      is_stepped(scale.palette) ? anchors_of(scale.palette, sheet.style().theme).size() : steps;
  const double step = bar.height / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double value = value_at(scale, (static_cast<double>(i) + 0.5) / static_cast<double>(count));
    const double top = bar.bottom() - step * static_cast<double>(i + 1);
    sheet.add(indexed(prefix + ".bar", i), FilledBox{{bar.x, top, bar.width, step + (i == 0 ? 0.0 : seam)},
                                                     colour_of(scale, value, sheet.style().theme, what)});
  }
  if (is_hatched(scale, scale.low)) {
    const double below = bar.height * fraction_of(scale, 0.0);
    const Box below_zero{bar.x, bar.bottom() - below, bar.width, below};
    sheet.add(prefix + ".bar.hatch", sign_hatching(sheet.style(), below_zero, from_hex(0x737373)));
  }
}

}  // namespace

double colour_bar_width(const ColourScale& scale, Sheet& sheet, double height) {
  const Style& style = sheet.style();
  const double labels = std::max(widest(bar_ticks(scale, style, height), style),
                                 widest(band_labels(scale, sheet, height), style));
  const double title = scale.label.in(sheet.language()).empty() ? 0.0 : style.gap + style.tick * 1.35;
  return style.body + thickness(style) + tick_length(style) + style.gap * 0.5 + labels + title;
}

void draw_colour_bar(const ColourScale& scale, Coloured what, Sheet& sheet, const Box& data,
                     const std::string& prefix) {
  const Style& style = sheet.style();
  const double left = data.right() + style.body;
  draw_colours(scale, what, sheet, {left, data.y, thickness(style), data.height}, prefix);
  const double right = left + thickness(style);
  const double text = right + tick_length(style) + style.gap * 0.5;
  const auto height_of = [&](const Tick& tick) {
    return data.y + data.height * (1.0 - fraction_of(scale, tick.value));
  };
  const std::vector<Tick> ticks = bar_ticks(scale, style, data.height);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double y = height_of(ticks[i]);
    const std::string id = indexed(prefix + ".bar.tick", i);
    sheet.add(id + ".mark",
              Path::line({{right, y}, {right + tick_length(style), y}}, style.muted, style.line * 0.5));
    sheet.add_words(id, sheet.set_markup(ticks[i].markup, style.tick),
                    {{text, y}, AlignX::left, AlignY::middle});
  }
  const std::vector<Tick> names = band_labels(scale, sheet, data.height);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Words name = sheet.set_markup(names[i].markup, style.tick);
    name.colour = style.muted;
    sheet.add_words(indexed(prefix + ".bar.name", i), name,
                    {{text, height_of(names[i])}, AlignX::left, AlignY::middle});
  }
  const std::string& title = scale.label.in(sheet.language());
  if (title.empty()) return;
  const double title_x = text + std::max(widest(ticks, style), widest(names, style)) + style.gap;
  const double longest = std::max(data.height, sheet.height() * longest_title);
  const double width = text_width(title, style.tick);
  const double size = std::max(style.smallest, style.tick * std::min(1.0, longest / width));
  sheet.add_words(prefix + ".bar.title", sheet.words(elide(title, size, Weight::regular, longest), size),
                  {{title_x, data.y + data.height / 2.0}, AlignX::centre, AlignY::top, -90.0});
}

}  // namespace attnlab
