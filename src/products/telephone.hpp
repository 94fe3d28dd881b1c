// A figure as it is laid out for the screen of a telephone, or for a window.
#pragma once

#include "products/look.hpp"

namespace attnlab {

constexpr double telephone_width = 360.0;  // pixels of a picture: what most telephones show
constexpr double desk_width = 1200.0;      // of one that may take the whole window

/// A page as narrow as a telephone's, where a point is a pixel.
Look on_telephone(Look look);

/// Letters of that size in a larger window, whose width is in pixels.
Look in_window(Look look, double width);

/// For the look of a telephone: charts and maps stand below each other, labels beside arrows have room, and
/// its page is as high as all that needs.
Figure arranged_on_telephone(Figure figure, const Look& look);

}  // namespace attnlab
