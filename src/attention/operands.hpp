// What every kind of attention requires of its queries, keys and values, whatever scores them.
#pragma once

#include "attention/shape.hpp"

namespace attnlab {

/// Each must have two or more dimensions: (..., length, width). Throws Error (usage), as does the next.
void require_matrices(const Shape& query, const Shape& key, const Shape& value);

/// key (..., keys, d_k), value (..., keys, d_v).
void require_one_value_per_key(const Shape& key, const Shape& value);

/// The shape of scores (..., queries, keys) plus an additive mask: the mask may add batch dimensions, but no
/// queries and no keys. Throws Error (usage).
Shape masked_shape(const Shape& scores, const Shape& mask);

}  // namespace attnlab
