#include "terminal_figure/colour_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/terminal_width.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab::terminal_figure {
namespace {

constexpr std::size_t longest_line = 24;  // columns
constexpr std::size_t step = 2;           // columns of one colour or shade

/// "0.25", or "2e-05" where decades are shown.
std::string end_text(const ColourScale& scale, double value) {
  if (scale.spacing == ColourScale::Spacing::logarithmic) return fmt::format("{:.3g}", value);
  return short_number_text(value, scale.high - scale.low);
}

Picture ramp(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
             const Setting& setting) {
  const std::size_t count = width / step;
  Picture bar(count * step, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double value = value_at(scale, place);
    if (setting.in_colour()) {
      const Colour colour = shown_colour(colour_of(scale, value, setting.style.theme, what), setting.colours);
      bar.paint({i * step, 0}, step, 1, colour);
      bar.write({i * step, 0}, hatching(scale, value, step), {black_or_white_on(colour), {}, Emphasis::none});
    } else {
      bar.write({i * step, 0}, sign_of(scale, value, without, step));
    }
  }
  return bar;
}

/// "purple | 0.2 | blue | 0.4 | ...": the names of a stepped palette's colours, and where they change.
std::string bands(const ColourScale& scale, const Setting& setting) {
  if (!setting.in_colour()) return "";
  const std::vector<Text> names = band_names(scale.palette, setting.style.theme);
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double begin = static_cast<double>(i) / static_cast<double>(names.size());
    if (i > 0) line += fmt::format(" | {} | ", end_text(scale, value_at(scale, begin)));
    line += setting.words(names[i]);
  }
  return line;
}

Picture bar_between_ends(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
                         const Setting& setting) {
  const double span = scale.high - scale.low;
  const std::string low = end_text(scale, scale.low);
  const std::string high = end_text(scale, scale.high);
  const std::string& label = setting.words(scale.label);
  const std::string name = label.empty() ? "" : label + "  ";
  const bool needs_bar = span > 0.0 && (setting.in_colour() || without != WithoutColour::numbers);
  const std::size_t words = display_width(name) + display_width(low) + display_width(high) + 2;
  constexpr std::size_t shortest = 10;
  if (!needs_bar) return paragraph(name + low + (span > 0.0 ? " … " + high : ""), width);
  if (words + shortest > width) {
    if (label.empty()) return paragraph(low + " … " + high, width);
    ColourScale nameless = scale;
    nameless.label = Text::same("");
    return stacked({paragraph(label, width), bar_between_ends(nameless, what, without, width, setting)});
  }
  const Picture bar = ramp(scale, what, without, std::min(longest_line, width - words), setting);
  Picture line(words + bar.width(), 1);
  const std::size_t begin = display_width(name) + display_width(low) + 1;
  line.write({0, 0}, name + low);
  line.lay({begin, 0}, bar);
  line.write({begin + bar.width() + 1, 0}, high);
  return line;
}

}  // namespace

Picture colour_line(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
                    const Setting& setting) {
  return stacked({bar_between_ends(scale, what, without, width, setting),
                  paragraph(bands(scale, setting), width, faint)});
}

}  // namespace attnlab::terminal_figure
