// A raster as rectangles, for formats whose viewers would smooth a stretched image.
#pragma once

#include <vector>

#include "plotting/display_list.hpp"

namespace attnlab {

/// Neighbours of one colour in a row.
struct RasterRun {
  Box box;
  Colour colour;
};

/// Row by row from left to right.
std::vector<RasterRun> runs_of(const Raster& raster);

}  // namespace attnlab
