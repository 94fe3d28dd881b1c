// A page as pixels, for whatever is not written as a file of its own: the frames of a film, a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

struct Pixels {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint32_t> values;  // row-major, 0xRRGGBB
};

/// The pixels that a PNG of that resolution has. Throws Error (failed) when memory fails.
Pixels paint_pixels(const Page& page, double dpi);

}  // namespace attnlab
