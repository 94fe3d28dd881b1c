// A picture of pixels.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Red, green and blue of each pixel in sRGB, row by row from the upper left corner.
struct Image {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint8_t> samples;  // rows * columns * 3
  bool is_turned =
      false;  // its file says that it is to be shown turned or mirrored (EXIF): here as it is stored

  const std::uint8_t* at(std::size_t row, std::size_t column) const {
    return samples.data() + 3 * (row * columns + column);
  }
};

}  // namespace attnlab
