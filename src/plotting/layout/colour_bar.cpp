// The colour bar: which number has which colour, and the range in figures.
#include "plotting/layout/cells.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/shapes.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

constexpr double tick_spacing = 1.45;   // of labels, in lines
constexpr double longest_title = 0.35;  // of the page, where the bar is shorter

double thickness(const Style& style) { return style.body * 1.1; }
double tick_length(const Style& style) { return style.body * 0.3; }
// Where the numbers begin.
double away_from(const Style& style) { return tick_length(style) + style.gap * 0.5; }

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
  if (scale.counts)
    return index_ticks(static_cast<std::size_t>(scale.low), static_cast<std::size_t>(scale.high) + 1, fits);
  return scale.spacing == ColourScale::Spacing::linear ? linear_ticks(range, fits)
                                                       : log_ticks(range, style.tick, fits);
}

/// The bar, from its first colour to its last: upwards, its numbers on its right, or to the right, its
/// numbers below.
struct Bar {
  BarPlace place = BarPlace::beside;
  Box box;

  Position at(double fraction, double away) const {
    if (place == BarPlace::beside) return {box.right() + away, box.bottom() - box.height * fraction};
    return {box.x + box.width * fraction, box.bottom() + away};
  }
  Box part(double low, double high) const {
    if (place == BarPlace::beside)
      return {box.x, box.bottom() - box.height * high, box.width, box.height * (high - low)};
    return {box.x + box.width * low, box.y, box.width * (high - low), box.height};
  }
  double length() const { return place == BarPlace::beside ? box.height : box.width; }
  /// How far two labels must stand apart, as a share of the bar.
  double distance(const ColourScale& scale, const Style& style) const {
    if (place == BarPlace::beside) return line_height(style.tick) * tick_spacing / box.height;
    const Interval range{scale.low, scale.high};
    double widest_number = measure("0.00", style.tick).width;
    for (const double end : {range.low, range.high})
      widest_number = std::max(widest_number, measure(end_text(scale, end, style.tick), style.tick).width);
    return (widest_number + style.gap * 2.0) / box.width;
  }
};

// What the bar's labels say, from the first colour to the last; the ends are among them: the range is always
// printed.
std::vector<Tick> bar_ticks(const ColourScale& scale, const Style& style, const Bar& bar) {
  const Tick low{scale.low, end_text(scale, scale.low, style.tick)};
  const Tick high{scale.high, end_text(scale, scale.high, style.tick)};
  if (scale.high <= scale.low) return {low};
  const double share = bar.distance(scale, style);
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
std::vector<Tick> band_labels(const ColourScale& scale, const Sheet& sheet, const Bar& bar) {
  const std::vector<Text> names = band_names(scale.palette, sheet.style().theme);
  if (names.empty() || bar.place == BarPlace::below) return {};
  const double step = 1.0 / static_cast<double>(names.size());
  if (step < 2.0 * bar.distance(scale, sheet.style())) return {};
  std::vector<Tick> labels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    labels.push_back(
        {value_at(scale, (static_cast<double>(i) + 0.5) * step), escape(names[i].in(sheet.language()))});
  }
  return labels;
}

void draw_colours(const ColourScale& scale, Coloured what, Sheet& sheet, const Bar& bar,
                  const std::string& prefix) {
  constexpr std::size_t steps = 64;  // of a palette without steps of its own
  const std::size_t count =
      is_stepped(scale.palette) ? anchors_of(scale.palette, sheet.style().theme).size() : steps;
  const auto all = static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double overlap = i == 0 ? 0.0 : seam / bar.length();
    const auto at = static_cast<double>(i);
    sheet.add(indexed(prefix + ".bar", i),
              FilledBox{bar.part(at / all - overlap, (at + 1.0) / all),
                        colour_of(scale, value_at(scale, (at + 0.5) / all), sheet.style().theme, what)});
  }
  if (is_hatched(scale, scale.low)) {
    const Box below_zero = bar.part(0.0, fraction_of(scale, 0.0));
    sheet.add(prefix + ".bar.hatch", sign_hatching(sheet.style(), below_zero, from_hex(0x737373)));
  }
}

void draw_numbers_of(const ColourScale& scale, const std::vector<Tick>& ticks, Sheet& sheet, const Bar& bar,
                     const std::string& prefix) {
  const Style& style = sheet.style();
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double place = fraction_of(scale, ticks[i].value);
    const std::string id = indexed(prefix + ".bar.tick", i);
    sheet.add(id + ".mark", Path::line({bar.at(place, 0.0), bar.at(place, tick_length(style))}, style.muted,
                                       style.line * 0.5));
    const bool beside = bar.place == BarPlace::beside;
    sheet.add_words(id, sheet.set_markup(ticks[i].markup, style.tick),
                    {bar.at(place, away_from(style)), beside ? AlignX::left : AlignX::centre,
                     beside ? AlignY::middle : AlignY::top});
  }
}

// Below the data: its title on the left of the bar, both as wide together as the pictures.
void draw_colour_bar_below(const ColourScale& scale, Coloured what, Sheet& sheet, const Box& data,
                           const std::string& prefix) {
  const Style& style = sheet.style();
  const double top = data.bottom() + style.body;
  const std::string& all = scale.label.in(sheet.language());
  const std::string title = elide(all, style.tick, Weight::regular, data.width * longest_title);
  const double left = title.empty() ? 0.0 : text_width(title, style.tick) + style.body;
  const double right = measure(end_text(scale, scale.high, style.tick), style.tick).width / 2.0;
  const Bar bar{BarPlace::below, {data.x + left, top, data.width - left - right, thickness(style)}};
  draw_colours(scale, what, sheet, bar, prefix);
  draw_numbers_of(scale, bar_ticks(scale, style, bar), sheet, bar, prefix);
  if (title.empty()) return;
  sheet.add_words(prefix + ".bar.title", sheet.words(title, style.tick),
                  {{data.x, top + thickness(style) / 2.0}, AlignX::left, AlignY::middle});
}

}  // namespace

double colour_bar_depth(const Style& style) {
  return style.body + thickness(style) + away_from(style) + line_height(style.tick);
}

double colour_bar_width(const ColourScale& scale, Sheet& sheet, double height) {
  const Style& style = sheet.style();
  const Bar bar{BarPlace::beside, {0.0, 0.0, thickness(style), height}};
  const double labels =
      std::max(widest(bar_ticks(scale, style, bar), style), widest(band_labels(scale, sheet, bar), style));
  const double title = scale.label.in(sheet.language()).empty() ? 0.0 : style.gap + style.tick * 1.35;
  return style.body + thickness(style) + away_from(style) + labels + title;
}

void draw_colour_bar(const ColourScale& scale, Coloured what, Sheet& sheet, const Box& data,
                     const std::string& prefix, BarPlace place) {
  if (place == BarPlace::below) return draw_colour_bar_below(scale, what, sheet, data, prefix);
  const Style& style = sheet.style();
  const Bar bar{place, {data.right() + style.body, data.y, thickness(style), data.height}};
  draw_colours(scale, what, sheet, bar, prefix);
  const std::vector<Tick> ticks = bar_ticks(scale, style, bar);
  draw_numbers_of(scale, ticks, sheet, bar, prefix);
  const std::vector<Tick> names = band_labels(scale, sheet, bar);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Words name = sheet.set_markup(names[i].markup, style.tick);
    name.colour = style.muted;
    sheet.add_words(
        indexed(prefix + ".bar.name", i), name,
        {bar.at(fraction_of(scale, names[i].value), away_from(style)), AlignX::left, AlignY::middle});
  }
  const std::string& title = scale.label.in(sheet.language());
  if (title.empty()) return;
  const double title_x =
      bar.at(0.0, away_from(style)).x + std::max(widest(ticks, style), widest(names, style)) + style.gap;
  const double longest = std::max(data.height, sheet.height() * longest_title);
  const double width = text_width(title, style.tick);
  const double size = std::max(style.smallest, style.tick * std::min(1.0, longest / width));
  sheet.add_words(prefix + ".bar.title", sheet.words(elide(title, size, Weight::regular, longest), size),
                  {{title_x, data.y + data.height / 2.0}, AlignX::centre, AlignY::top, -90.0});
}

}  // namespace attnlab
