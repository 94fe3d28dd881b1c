// The band below the title of a film's frame: which value this frame shows, and where it lies between the
// first and the last.
#pragma once

#include "plotting/figure/figure.hpp"
#include "plotting/layout/sheet.hpp"

namespace attnlab {

/// What the band takes of the page's height.
double slider_height(const Style& style);

/// Name and value at the left margin, then the track with its ends. Values keep their place from frame to
/// frame: numbers stand with their decimal points below each other.
void draw_slider(const Slider& slider, Sheet& sheet, double top);

}  // namespace attnlab
