#include "page/rasters.hpp"

#include <doctest/doctest.h>

namespace attnlab {
namespace {

/// A map of cells that touch, or have a gap between them, with a frame on one of them.
DisplayList map_of(std::size_t rows, std::size_t columns, double gap) {
  DisplayList list{100.0, 100.0, {}, {{"paper", FilledBox{{0.0, 0.0, 9.0, 9.0}, {}}}}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const Box box{10.0 + static_cast<double>(column), 20.0 + static_cast<double>(row), 1.0 - gap,
                    1.0 - gap};
      const double share = static_cast<double>(row * columns + column);
      list.items.push_back({indexed("map", row, column), FilledBox{box, {share, 0.0, 0.0}}});
    }
  }
  list.items.push_back({"map[1,1].frame", Path::frame({11.0, 21.0, 1.0, 1.0}, {}, 1.0)});
  return list;
}

}  // namespace

TEST_CASE("A map of many cells becomes one image with the colour of each, and what lies upon it stays") {
  const DisplayList list = with_rasters(map_of(30, 40, 0.0));
  REQUIRE(list.items.size() == 3);
  CHECK(list.items[1].id == "map");
  const auto& raster = std::get<Raster>(list.items[1].shape);
  CHECK(raster.rows == 30);
  CHECK(raster.columns == 40);
  CHECK(raster.box.x == 10.0);
  CHECK(raster.box.y == 20.0);
  CHECK(raster.box.width == 40.0);
  CHECK(raster.box.height == 30.0);
  CHECK(raster.pixels[7 * 40 + 3].red == 283.0);
  CHECK(list.items[2].id == "map[1,1].frame");
}

TEST_CASE("A small map, and one whose cells stand apart, keep their cells") {
  CHECK(with_rasters(map_of(4, 5, 0.0)).items.size() == 22);
  CHECK(with_rasters(map_of(30, 40, 0.1)).items.size() == 1202);
}

}  // namespace attnlab
