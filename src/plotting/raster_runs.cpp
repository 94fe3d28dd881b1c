#include "plotting/raster_runs.hpp"

#include <cmath>

namespace attnlab {
namespace {

/// In the eight bits of a channel that files have.
bool same(const Colour& one, const Colour& other) {
  const auto byte = [](double channel) { return std::lround(channel * 255.0); };
  return byte(one.red) == byte(other.red) && byte(one.green) == byte(other.green) &&
         byte(one.blue) == byte(other.blue);
}

}  // namespace

std::vector<RasterRun> runs_of(const Raster& raster) {
  const double width = raster.box.width / static_cast<double>(raster.columns);
  const double height = raster.box.height / static_cast<double>(raster.rows);
  std::vector<RasterRun> runs;
  for (std::size_t row = 0; row < raster.rows; ++row) {
    const Colour* pixels = &raster.pixels[row * raster.columns];
    for (std::size_t column = 0; column < raster.columns;) {
      std::size_t end = column + 1;
      while (end < raster.columns && same(pixels[end], pixels[column])) ++end;
      runs.push_back({{raster.box.x + width * static_cast<double>(column),
                       raster.box.y + height * static_cast<double>(row),
                       width * static_cast<double>(end - column), height},
                      pixels[column]});
      column = end;
    }
  }
  return runs;
}

}  // namespace attnlab
