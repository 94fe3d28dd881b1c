// Shapes as plain values: how they are printed, how they broadcast, and what attention requires of them.
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

/// For each matrix of a result with batch dimensions `batch`, the index of the matrix that an operand with
/// batch dimensions `own` gives to it. An axis of size n serves batch / n neighbours with each of its
/// entries: all of them when n is 1 (NumPy's broadcasting), a group of heads where heads share keys.
std::vector<std::size_t> operand_matrices(const Shape& own, const Shape& batch);

/// What queries and keys give: NumPy's broadcasting, except that the last axis, the heads, may be shorter for
/// the keys (a divisor: grouped-query attention). Nothing when they do not fit together.
std::optional<Shape> joined_heads(const Shape& of_query, Shape of_key);

// --- What every kind of attention requires, whatever scores its keys. All throw Error (usage).

/// Each must have two or more dimensions: (..., length, width).
void require_matrices(const Shape& query, const Shape& key, const Shape& value);

/// key (..., keys, d_k), value (..., keys, d_v).
void require_one_value_per_key(const Shape& key, const Shape& value);

/// The shape of scores (..., queries, keys) plus an additive mask: the mask may add batch dimensions, but no
/// queries and no keys.
Shape masked_shape(const Shape& scores, const Shape& mask);

}  // namespace attnlab
