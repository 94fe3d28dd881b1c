// The shape trace: how the shape changes from stage to stage.
#include "experiments/framework/shape_trace.hpp"

#include <fmt/format.h>

#include "core/formula.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {

Table shape_trace(const std::vector<Stage>& stages) {
  Table table{{{"配列", "array"}, {"式", "formula"}, {"形状", "shape"}, {"軸", "axes"}}, {}};
  for (const Stage& stage : stages) {
    table.rows.push_back({stage.name, to_terminal(stage.formula), shape_text(stage.array.shape),
                          fmt::format("{}", fmt::join(stage.array.axes, ", "))});
  }
  return table;
}

}  // namespace attnlab
