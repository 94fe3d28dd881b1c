// A page as pixels in memory, for who wants no file.
#pragma once

#include <cstdint>
#include <vector>

#include "plotting/display_list.hpp"

namespace attnlab {

/// Row by row from the top; red, green, blue and alpha of each pixel, all opaque.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};

Pixels paint_pixels(const Page& page, double dpi);

}  // namespace attnlab
