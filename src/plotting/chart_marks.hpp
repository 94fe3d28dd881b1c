// The marks of a chart and the words beside them.
#pragma once

#include "plotting/layout/chart_frame.hpp"

namespace attnlab {

/// All layers in order, then every label, each at the first free place beside its mark.
void draw_marks(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box);

}  // namespace attnlab
