// What maps and charts offer the page: the width at which it is drawn best, and the drawing.
#pragma once

#include "terminal_figure/cells.hpp"

namespace attnlab::terminal_figure {

/// Who prints the range of the colours: the panel itself, or the figure for all its panels.
enum class ColourBar { here, elsewhere };

/// The least width at which the panel may stand beside others: nothing of it is left out, pooled or squeezed
/// there. At most `full`, the width of the page.
std::size_t comfortable_width(const HeatMap& map, std::size_t full, const Setting& setting);
std::size_t comfortable_width(const Chart& chart, std::size_t full, const Setting& setting);

/// Never wider than `width`.
Picture draw(const HeatMap& map, std::size_t width, ColourBar bar, const Setting& setting);
Picture draw(const Chart& chart, std::size_t width, ColourBar bar, const Setting& setting);

/// What tells the cells of a map of that width apart without colour.
WithoutColour told_by(const HeatMap& map, std::size_t width, const Setting& setting);

struct Limits {
  Interval x;
  Interval y;
};

/// The mark of a series: its shape alone tells it from the others.
std::string mark_of(const Ink& ink);

struct PlotArea {
  Picture picture;
  std::vector<std::string> left_out;  // words that found no place
};

PlotArea draw_layers(const Chart& chart, const Limits& limits, std::size_t width, std::size_t height,
                     const Setting& setting);

}  // namespace attnlab::terminal_figure
