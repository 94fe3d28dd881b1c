#include "plotting/arrow_shape.hpp"

#include <algorithm>
#include <cmath>

#include "plotting/layout/geometry.hpp"

namespace attnlab {
namespace {

constexpr double longest_head = 0.6;  // of the arrow

}  // namespace

void add_arrow(const ArrowShape& arrow, Sheet& sheet, const std::string& id) {
  const auto& [tail, tip, colour, width, wanted_head, half, dashes] = arrow;
  const double length = std::hypot(tip.x - tail.x, tip.y - tail.y);
  if (length == 0.0) return;
  const Position along{(tip.x - tail.x) / length, (tip.y - tail.y) / length};
  const double head = std::min(wanted_head, length * longest_head);
  const Position neck{tip.x - along.x * head, tip.y - along.y * head};
  sheet.avoid(corners_of_line(tail, tip, half * 2.0));
  sheet.add(id + ".shaft", Path{{tail, neck}, false, {}, colour, width, dashes, {}});
  const Position left{neck.x - along.y * half, neck.y + along.x * half};
  const Position right{neck.x + along.y * half, neck.y - along.x * half};
  sheet.add(id, Path{{tip, left, right}, true, colour, {}, 0.0, {}, {}});
}

}  // namespace attnlab
