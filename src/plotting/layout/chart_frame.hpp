// The coordinate system of a chart: limits from the data, ticks that fit, and the map from values to the
// page.
#pragma once

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

/// The place of a data point on the page.
Position place_of(double x, double y, const Chart& chart, const ChartFrame& frame, const Box& box);

/// Points or a curve that the legend names.
struct NamedSeries {
  const Text& name;
  Ink ink;
  const std::vector<double>& x;
  const std::vector<double>& y;
  bool line = false;
  bool dashed = false;
};
std::vector<NamedSeries> named_series(const Chart& chart);

/// What a legend above data of that width takes, `left` of which may be used as well; and drawing it there.
double legend_height(const std::vector<NamedSeries>& entries, Sheet& sheet, double width, double left);
void draw_legend(const std::vector<NamedSeries>& entries, Sheet& sheet, const Box& box, double left,
                 const std::string& prefix);

/// The scale of the arrows that carry values, or none.
const ColourScale* scale_of(const Chart& chart);

/// Grid lines, ticks, category names and axis titles.
void draw_frame(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box,
                const std::string& prefix, const Surroundings& around);

/// All layers in order, then every label, each at the first free place beside its mark.
void draw_marks(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box);

/// A series' colour for words about it, drawn towards the ink until it can be read.
Colour letters_in(const Colour& colour, const Style& style);

}  // namespace attnlab
