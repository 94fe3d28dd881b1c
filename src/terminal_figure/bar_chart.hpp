// Bars that lie: every name and every value on a line of its own.
#pragma once

#include "plotting/figure/figure.hpp"
#include "terminal_figure/picture.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

/// True for a chart over names, even where the bars are left for the reader to draw.
bool is_bar_chart(const Chart& chart);

Picture draw_bars(const Chart& chart, std::size_t width, const Setting& setting);

}  // namespace attnlab::terminal_figure
