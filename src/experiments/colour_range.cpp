// The two ends of a colour scale: from the data, around zero, or chosen, with a warning when chosen badly.
#include "experiments/colour_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab {

Interval data_range(const Tensor<double>& values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
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
  return {fmt::format("{:.3g}～{:.3g}", range.low, range.high),
          fmt::format("{:.3g} to {:.3g}", range.low, range.high)};
}

std::optional<Text> range_warning(const Interval& range, const Tensor<double>& values) {
  const auto outside = std::count_if(values.begin(), values.end(), [&](double value) {
    return value < range.low || value > range.high;  // false for NaN, which is drawn as a marked cell
  });
  if (outside > 0) {
    return Text{fmt::format("{} 個中 {} 個の値が色の範囲 {} の外にあり、端の色で表されます。", values.size(),
                            outside, range_text(range).ja()),
                fmt::format("{} of {} values lie outside the colour range {} and take the colour of its end.",
                            outside, values.size(), range_text(range).en())};
  }
  const Interval data = data_range(values);
  const double share = (data.high - data.low) / (range.high - range.low);
  if (share >= 0.2) return std::nullopt;
  return Text{
      fmt::format("値は {} で、色の範囲 {} の {:.2g}% しか使わないため、図はほとんど 1 色に見えます。"
                  "--range data で差が見えます。",
                  range_text(data).ja(), range_text(range).ja(), 100.0 * share),
      fmt::format("The values, {}, use only {:.2g}% of the colour range {}: the picture is almost one "
                  "colour. --range data shows their differences.",
                  range_text(data).en(), 100.0 * share, range_text(range).en())};
}

}  // namespace attnlab
