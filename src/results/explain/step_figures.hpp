// The way from the queries to the output, one figure per stage on one layout, to click through.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

/// One figure per stage, named "01-query", "02-key", ...: the matrices so far are filled, those to come are
/// empty cells, and nothing else moves. Of stages with heads or a batch the first entry is shown; a stage
/// that changes nothing is left out. Empty when the report's trace has no weights, or a matrix of more than
/// 48 rows or columns.
std::vector<Figure> step_figures(const Report& report);

}  // namespace attnlab
