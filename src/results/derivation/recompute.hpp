// Computes stages again from their operands by plain loops in double, with nothing of src/attention: the
// second hand that every result is compared with.
#pragma once

#include "results/operations/shapes.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Whether an operation gives the stage: it is neither an input nor worked out by the experiment itself.
bool is_recomputable(const Derivation& derivation);

/// What the operation makes of its operands, in double. Axis names are those of the operand whose shape it
/// keeps, else empty. Throws ShapeMismatch; std::logic_error for the wrong number of operands and for what is
/// not recomputable.
Array computed(const Derivation& derivation, const std::vector<const Array*>& operands);

/// The stages of the trace that `stage` was made of, in the order of its derivation. Throws std::logic_error,
/// naming both, when one of them is not listed before `stage`.
std::vector<const Array*> operands_of(const Stage& stage, const std::vector<Stage>& trace);

/// The stage's array, computed from the arrays of its operands in `trace` and rounded to its own type. Inputs
/// and worked stages keep their arrays. Throws std::logic_error for unknown operands, for shapes that do not
/// fit, and when the result has another shape than the stage: all of them mistakes of the program.
Array recomputed(const Stage& stage, const std::vector<Stage>& trace);

}  // namespace attnlab
