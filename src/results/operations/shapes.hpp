// What NumPy does with shapes: broadcasting, transposition, stacks of matrices.
#pragma once

#include "results/report/array.hpp"

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

/// Throws ShapeMismatch naming both.
[[noreturn]] void refuse_shapes(const std::string& operation, const std::vector<std::size_t>& left,
                                const std::vector<std::size_t>& right);

}  // namespace attnlab
