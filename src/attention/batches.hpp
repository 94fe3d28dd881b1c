// Which matrix of an operand takes part in which matrix of a broadcast product.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "attention/shape.hpp"

namespace attnlab {

/// For each matrix of a result with batch dimensions `batch`, the index of the matrix that an operand with
/// batch dimensions `own` gives to it. An axis of size n serves batch / n neighbours with each of its
/// entries: all of them when n is 1 (NumPy's broadcasting), a group of heads where heads share keys.
std::vector<std::size_t> operand_matrices(const Shape& own, const Shape& batch);

/// What queries and keys give: NumPy's broadcasting, except that the last axis, the heads, may be shorter for
/// the keys (a divisor: grouped-query attention). Nothing when they do not fit together.
std::optional<Shape> joined_heads(const Shape& of_query, Shape of_key);

}  // namespace attnlab
