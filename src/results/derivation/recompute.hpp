// Computes stages again from their operands by plain loops in double, with nothing of src/attention: the
// second hand that every result is compared with; and what NumPy does with shapes: broadcasting,
// transposition, products of stacks of matrices.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

/// The shapes of the operands do not go together under NumPy's rules.
class ShapeMismatch : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

std::size_t size_of(const std::vector<std::size_t>& shape);

/// Aligned at the last axis, a length of 1 is repeated. Throws ShapeMismatch.
std::vector<std::size_t> broadcast(const std::string& operation, const std::vector<std::size_t>& left,
                                   const std::vector<std::size_t>& right);

/// Where the element stands in an array of `shape` that is repeated, by broadcasting, at the flat place
/// `flat` of the larger shape `whole`.
std::size_t broadcast_source(std::size_t flat, const std::vector<std::size_t>& whole,
                             const std::vector<std::size_t>& shape);

/// The place along every axis of the value at the flat place `flat`: {2, 5} for row 2, column 5.
std::vector<std::size_t> index_at(std::size_t flat, const std::vector<std::size_t>& shape);

/// The last axis swapped with another, counted from the back. Throws ShapeMismatch where there is none.
Array swapped(const Array& array, std::size_t from_back);

/// The last two axes swapped.
Array transposed(const Array& array);

/// The largest of the values, which are at least one; NaN if one of them is.
double maximum_of(const double* values, std::size_t count);

/// What a rotary operation does to one value: turned with its partner by an angle, all of them flat places.
struct Rotation {
  bool is_first = true;  // of its pair: x cos - partner sin; the second is x cos + partner sin
  std::size_t partner = 0;
  std::size_t angle = 0;  // in angles (length, pairs)
};

/// Of the value at `flat` in an array of `shape` (..., length, width); nothing where it is not turned.
std::optional<Rotation> rotation_of(const std::vector<std::size_t>& shape,
                                    const std::vector<std::size_t>& angles, bool halves, std::size_t flat);

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
