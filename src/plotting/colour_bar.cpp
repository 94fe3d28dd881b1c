// The colour bar: which number has which colour, and the range in figures.
#include <algorithm>
#include <cmath>

#include "plotting/panel_layout.hpp"
#include "plotting/ticks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t steps = 64;
constexpr double seam = 0.4;  // neighbours overlap a little: vector viewers show hairlines otherwise

double thickness(const Style& style) {
  return style.body * 1.1;
}
double tick_length(const Style& style) {
  return style.body * 0.3;
}

// Round values between the ends, and the ends themselves: the range is always printed.
std::vector<Tick> bar_ticks(const ColourScale& scale, const Style& style, double height) {
  const double span = scale.high - scale.low;
  const double line = measure("0", style.tick, Weight::regular).height;
  const std::vector<Tick> ends{{scale.low, short_number_text(scale.low, span)},
                               {scale.high, short_number_text(scale.high, span)}};
  if (span <= 0.0) return {ends.front()};
  const double apart = span * line * 1.45 / height;
  std::vector<Tick> ticks =
      linear_ticks({scale.low, scale.high}, [apart](const std::vector<Tick>& candidate) {
        return candidate.size() < 2 || candidate[1].value - candidate[0].value >= apart;
      });
  const auto near_an_end = [&](const Tick& tick) {
    return tick.value - scale.low < apart || scale.high - tick.value < apart;
  };
  ticks.erase(std::remove_if(ticks.begin(), ticks.end(), near_an_end), ticks.end());
  ticks.insert(ticks.end(), ends.begin(), ends.end());
  return ticks;
}

double label_width(const std::vector<Tick>& ticks, const Style& style) {
  double width = 0.0;
  for (const Tick& tick : ticks) {
    width = std::max(width, measure(tick.markup, style.tick, Weight::regular).width);
  }
  return width;
}

}  // namespace

double colour_bar_width(const ColourScale& scale, Sheet& sheet, double height) {
  const Style& style = sheet.style();
  const double labels = label_width(bar_ticks(scale, style, height), style);
  const double title = scale.label.in(sheet.language()).empty() ? 0.0 : style.gap + style.tick * 1.35;
  return style.body + thickness(style) + tick_length(style) + style.gap * 0.5 + labels + title;
}

void draw_colour_bar(const ColourScale& scale, Coloured what, Sheet& sheet, const Box& data,
                     const std::string& prefix) {
  const Style& style = sheet.style();
  const double left = data.x + data.width + style.body;
  const double step = data.height / static_cast<double>(steps);
  for (std::size_t i = 0; i < steps; ++i) {
    const double fraction = (static_cast<double>(i) + 0.5) / static_cast<double>(steps);
    const double top = data.y + data.height - step * static_cast<double>(i + 1);
    sheet.add(
        prefix + ".bar[" + std::to_string(i) + "]",
        FilledBox{{left, top, thickness(style), step + (i == 0 ? 0.0 : seam)},
                  colour_of(scale, scale.low + fraction * (scale.high - scale.low), style.theme, what)});
  }
  const std::vector<Tick> ticks = bar_ticks(scale, style, data.height);
  const double right = left + thickness(style);
  const double text = right + tick_length(style) + style.gap * 0.5;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double span = scale.high - scale.low;
    const double fraction = span > 0.0 ? (ticks[i].value - scale.low) / span : 0.5;
    const double y = data.y + data.height * (1.0 - fraction);
    const std::string id = prefix + ".bar.tick[" + std::to_string(i) + "]";
    sheet.add(
        id + ".mark",
        Path{
            {{right, y}, {right + tick_length(style), y}}, false, {}, style.muted, style.line * 0.5, {}, {}});
    sheet.add_words(id, sheet.set_markup(ticks[i].markup, style.tick),
                    {{text, y}, AlignX::left, AlignY::middle});
  }
  const std::string& title = scale.label.in(sheet.language());
  if (title.empty()) return;
  const double title_x = text + label_width(ticks, style) + style.gap;
  sheet.add_words(prefix + ".bar.title",
                  sheet.words(elide(title, style.tick, Weight::regular, data.height), style.tick),
                  {{title_x, data.y + data.height / 2.0}, AlignX::centre, AlignY::top, -90.0});
}

}  // namespace attnlab
