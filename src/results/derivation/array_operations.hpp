// What NumPy does with shapes: broadcasting, transposition, products of stacks of matrices. Internal to
// results.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/report/array.hpp"

namespace attnlab {

/// The shapes of the operands do not go together under NumPy's rules.
class ShapeMismatch : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void refuse_shapes(const std::string& operation, const std::vector<std::size_t>& left,
                                const std::vector<std::size_t>& right);

std::size_t size_of(const std::vector<std::size_t>& shape);

/// Aligned at the last axis, a length of 1 is repeated. Throws ShapeMismatch.
std::vector<std::size_t> broadcast(const std::string& operation, const std::vector<std::size_t>& left,
                                   const std::vector<std::size_t>& right);

/// Where the element stands in an array of `shape` that is repeated, by broadcasting, at the flat place
/// `flat` of the larger shape `whole`.
std::size_t broadcast_source(std::size_t flat, const std::vector<std::size_t>& whole,
                             const std::vector<std::size_t>& shape);

/// The last axis swapped with another, counted from the back. Throws ShapeMismatch where there is none.
Array swapped(const Array& array, std::size_t from_back);

/// The last two axes swapped.
Array transposed(const Array& array);

/// A vector is a row on the left and a column on the right. Both throw ShapeMismatch.
Array matrix_product(const Array& left, const Array& right);

/// A Bᵀ; a vector on the right stays a column.
Array matrix_product_with_transpose(const Array& left, const Array& right);

}  // namespace attnlab
