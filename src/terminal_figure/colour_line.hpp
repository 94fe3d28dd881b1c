// The colour bar on one line: its name, both ends of its range, and between them the colours or shades.
#pragma once

#include "plotting/colour/colour.hpp"
#include "terminal_figure/cells.hpp"
#include "terminal_figure/picture.hpp"
#include "terminal_figure/setting.hpp"

namespace attnlab::terminal_figure {

/// Where there are no colours the bar shows what stands for them; numbers and labels need none.
Picture colour_line(const ColourScale& scale, Coloured what, WithoutColour without, std::size_t width,
                    const Setting& setting);

}  // namespace attnlab::terminal_figure
