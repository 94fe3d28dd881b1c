// In which order a report is read: what to take home before what to look up.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

/// The title and its equations, the sentences to say, then section by section what is short, and last in each
/// section the arrays of more than a few lines.
std::vector<Block> in_reading_order(const std::vector<Block>& body);

/// Without the arrays of more than 40 numbers, whose names end their section in their place.
std::vector<Block> without_matrices(const std::vector<Block>& body);

/// The title and its equations, the sentences to say, the usual misunderstanding, and the results that stand
/// on one line.
std::vector<Block> in_brief(const std::vector<Block>& body);

}  // namespace attnlab
