// Two pictures of one figure, and how far apart they are.
#pragma once

#include <string>
#include <vector>

namespace attnlab {

struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<unsigned char> pixels;  // red, green, blue
};

/// By libpng's simplified reader.
Picture read_png(const std::string& file);

/// The upper left corner, or the whole when it is smaller than that.
Picture cropped(const Picture& picture, std::size_t width, std::size_t height);

/// Mean absolute differences of the channels, as shares of their range.
struct Difference {
  double whole = 1.0;  // of all pixels
  double worst = 1.0;  // of the square of 32 pixels where they differ most: a letter lost or moved shows here
};

/// All of it when the sizes differ.
Difference compare(const Picture& one, const Picture& other);

}  // namespace attnlab
