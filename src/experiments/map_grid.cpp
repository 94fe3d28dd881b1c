#include "experiments/map_grid.hpp"

#include <cmath>

namespace attnlab {
namespace {

/// Up to four heads stand in a row; more in a block without holes where their number allows it: 8 = 4 x 2.
std::size_t columns_for(std::size_t heads) {
  if (heads <= 4) return heads;
  const auto square = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(heads))));
  for (std::size_t columns = square; columns <= 5; ++columns)
    if (heads % columns == 0) return columns;
  return square;
}

}  // namespace

PageSize page_for_maps(std::size_t maps) {
  if (maps == 1) return {9.0, 8.0};
  const std::size_t columns = columns_for(maps);
  const std::size_t rows = (maps + columns - 1) / columns;
  const double width = columns <= 2 ? 5.0 * static_cast<double>(columns) + 3.0 : 16.0;
  return {width, width / static_cast<double>(columns) * static_cast<double>(rows) + 1.5};
}

}  // namespace attnlab
