#include "motion/changed_part.hpp"

#include <algorithm>

namespace attnlab {

Part changed_part(const Pixels& before, const Pixels& after) {
  std::size_t left = after.width;
  std::size_t right = 0;
  std::size_t top = after.height;
  std::size_t bottom = 0;
  for (std::size_t row = 0; row < after.height; ++row) {
    const auto begin = after.values.begin() + static_cast<std::ptrdiff_t>(row * after.width);
    const auto end = begin + static_cast<std::ptrdiff_t>(after.width);
    const auto old = before.values.begin() + static_cast<std::ptrdiff_t>(row * after.width);
    const auto first = std::mismatch(begin, end, old).first;
    if (first == end) continue;
    const auto last = std::mismatch(std::make_reverse_iterator(end), std::make_reverse_iterator(begin),
                                    std::make_reverse_iterator(old + (end - begin)));
    left = std::min(left, static_cast<std::size_t>(first - begin));
    right = std::max(right, static_cast<std::size_t>(last.first.base() - begin));
    top = std::min(top, row);
    bottom = row + 1;
  }
  if (bottom == 0) return {};
  return {left, top, right - left, bottom - top};
}

Part whole(const Pixels& pixels) {
  return {0, 0, pixels.width, pixels.height};
}

}  // namespace attnlab
