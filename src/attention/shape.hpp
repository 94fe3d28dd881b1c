// Shapes as plain values: how they are printed, and how two of them broadcast.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor.hpp"

namespace attnlab {

using Shape = std::vector<std::size_t>;

template <class T>
Shape shape_of(const Tensor<T>& tensor) {
  return Shape(tensor.shape().begin(), tensor.shape().end());
}

/// "(2, 3)", "(10,)", "()": as NumPy prints it, for messages.
std::string printed(const Shape& shape);

/// How many elements an array of that shape has; 1 for ().
std::size_t element_count(const Shape& shape);

/// The shape without its last two axes: one matrix for each of its elements.
Shape batch_of(const Shape& shape);

/// NumPy's rule: shapes are aligned at their last axis, and an axis of size 1 (or a missing one) is repeated.
/// Nothing when they do not fit together.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

}  // namespace attnlab
