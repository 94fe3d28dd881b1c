// One operation of the trace, written out for one row with the numbers of its operands.
#pragma once

#include "results/explain/explanation.hpp"

namespace attnlab {

using ExplanationLines = std::vector<std::variant<Text, Chain>>;

/// How many rows an array has: the length of its last axis but one; 1 for a vector or a single number.
std::size_t rows_of(const Array& array);

/// "weights[0, 2]", "masked[0, k]", or "weights" without places.
Formula element_name(const std::string& stage, const std::vector<std::string>& places);
Formula element_name(const std::string& stage, const std::vector<std::size_t>& index);

/// name[0, row] = [1, 2, ⋯]: one row of a stage; of the axes before the matrix index 0.
Chain row_of_stage(const Stage& stage, std::size_t row);

/// The lines for a recomputable stage; `row` is one of its rows. `trace` holds its operands.
ExplanationLines explained_operation(const Stage& stage, const std::vector<Stage>& trace, std::size_t row);

}  // namespace attnlab
