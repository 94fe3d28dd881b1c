// A trace as it is told: one line per stage, from its name to how it came about.
//
//   {input("x", x, {"tokens", "width"}), input("w_query", w_query, {"width_in", "width_out"}),
//    step("query", "X W_Q", query, {"queries", "width"}, derived::product("x", "w_query"))}
#pragma once

#include "core/tensor.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// What was given, not computed. `axes` has one name per dimension.
Stage input(std::string name, const Tensor<double>& values, std::vector<std::string> axes);

/// What was computed from earlier stages.
Stage step(std::string name, Formula formula, const Tensor<double>& values, std::vector<std::string> axes,
           Derivation derivation);
/// The formula as formula::read() takes it.
Stage step(std::string name, std::string_view formula, const Tensor<double>& values,
           std::vector<std::string> axes, Derivation derivation);

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
