// Stages that no tape records, from their names to how they came about, and a trace as a table.
#pragma once

#include "core/tensor.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// What was computed from earlier stages. `axes` has one name per dimension.
Stage step(std::string name, Formula formula, const Tensor<double>& values, std::vector<std::string> axes,
           Derivation derivation);
/// What a training gave, or a model that was trained.
Stage learned_stage(std::string name, const Tensor<double>& values, std::vector<std::string> axes);

/// `more` behind `stages`.
void append(std::vector<Stage>& stages, std::vector<Stage> more);

/// The shape trace: every stage on a line with its name, formula, shape and axes. An input's formula cell is
/// empty.
Table shape_trace(const std::vector<Stage>& stages);

/// How to see the same with weights that were learned: for experiments that take --model.
Paragraph about_learned_weights(const std::string& experiment);

/// The scores as `--scale` (none, default or a number) multiplies them: Q Kᵀ, Q Kᵀ / √d, 2.5 Q Kᵀ.
Formula scaled_scores(const std::string& scale, Formula product, std::string_view width = "d");

}  // namespace attnlab
