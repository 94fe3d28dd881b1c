#include "picture.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attnlab {

Picture read_png(const std::string& file) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&header, file.c_str()) != 0);
  header.format = PNG_FORMAT_RGB;
  Picture picture{header.width, header.height, std::vector<unsigned char>(PNG_IMAGE_SIZE(header))};
  REQUIRE(png_image_finish_read(&header, nullptr, picture.pixels.data(), 0, nullptr) != 0);
  return picture;
}

Picture cropped(const Picture& picture, std::size_t width, std::size_t height) {
  if (picture.width < width || picture.height < height) return picture;
  Picture corner{width, height, {}};
  for (std::size_t row = 0; row < height; ++row) {
    const auto begin = picture.pixels.begin() + static_cast<std::ptrdiff_t>(3 * row * picture.width);
    corner.pixels.insert(corner.pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(3 * width));
  }
  return corner;
}

Difference compare(const Picture& one, const Picture& other) {
  if (one.width != other.width || one.height != other.height) return {};
  constexpr std::size_t side = 32;
  const std::size_t columns = (one.width + side - 1) / side;
  std::vector<double> sums(columns * ((one.height + side - 1) / side));
  for (std::size_t i = 0; i < one.pixels.size(); ++i) {
    const std::size_t x = i / 3 % one.width;
    const std::size_t y = i / 3 / one.width;
    sums[y / side * columns + x / side] += std::abs(one.pixels[i] - other.pixels[i]) / 255.0;
  }
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return {total / static_cast<double>(one.pixels.size()),
          *std::max_element(sums.begin(), sums.end()) / (3.0 * side * side)};
}

}  // namespace attnlab
