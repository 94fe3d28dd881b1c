// The data area of a chart: lines in Braille, points as marks that differ in shape, words beside them.
#pragma once

#include <string>
#include <vector>

#include "plotting/figure/figure.hpp"
#include "terminal_figure/picture.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

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
