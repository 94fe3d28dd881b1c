// The coordinate system of a chart: limits from the data, ticks that fit, and the map from values to the
// page.
#pragma once

#include <string>
#include <vector>

#include "plotting/category_labels.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {

struct ChartFrame {
  Interval x;
  Interval y;
  std::vector<Tick> x_ticks;  // empty where the axis has categories
  std::vector<Tick> y_ticks;
  LabelPlan categories;
};

/// The limits that show every layer: the axis's own where it names them.
Interval x_limits(const Chart& chart);
Interval y_limits(const Chart& chart);

/// Limits and ticks for a data area of that size.
ChartFrame frame_of(const Chart& chart, const Sheet& sheet, const Extent& data);

/// A value as a fraction of the axis, 0 at its low end.
double fraction_along(const Axis& axis, const Interval& limits, double value);

/// The widest tick label of the y axis.
double tick_width(const std::vector<Tick>& ticks, const Style& style);

/// Grid lines, ticks, category names and axis titles.
void draw_frame(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                const std::string& prefix, const Surroundings& around);

}  // namespace attnlab
