// The shape trace: every stage of a computation with its formula and its shape, one per line.
#pragma once

#include <vector>

#include "results/report/report.hpp"

namespace attnlab {

/// Columns: name, formula, shape, axes. An input's formula cell is empty.
Table shape_trace(const std::vector<Stage>& stages);

}  // namespace attnlab
