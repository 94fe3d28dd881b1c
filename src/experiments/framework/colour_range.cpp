// The two ends of a colour scale: from the data, around zero, or chosen, with a warning when chosen badly.
#include "experiments/framework/colour_range.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace attnlab {

Interval data_range(const Tensor<double>& values) {
  Interval range{infinity, -infinity};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (range.low > range.high) return {0.0, 1.0};
  if (range.low == range.high) return {range.low - 0.5, range.high + 0.5};
  return range;
}

ColourScale signed_scale(const Tensor<double>& values) {
  const Interval range = data_range(values);
  const double reach = std::max(std::abs(range.low), std::abs(range.high));
  return {Palette::rdbu, -reach, reach, Text::same("")};
}

Text range_text(const Interval& range) {
  return text("{:.3g}～{:.3g}", "{:.3g} to {:.3g}", range.low, range.high);
}

}  // namespace attnlab
