// softmax(Q Kᵀ · scale + M) V without ever holding the weights: memory grows with the length, not its square.
#pragma once

#include <cstddef>

#include "attention/masks.hpp"
#include "attention/streaming/online_softmax.hpp"
#include "attention/streaming/score_tiles.hpp"
#include "core/for_each.hpp"
#include "core/tensor.hpp"

namespace attnlab {

template <class T>
struct StreamingAttention {
  Tensor<T> output;               // (..., queries, d_v)
  std::vector<RowState<T>> rows;  // (..., queries), flat: what turns a score into a weight
};

/// The same as scaled_dot_product_attention, to rounding; value (..., keys, d_v), whose batch
/// dimensions broadcast to those of the scores (heads may share values). Rows without a readable key become
/// what `masked_row` says. Throws Error (usage) for shapes that do not fit, as scaled_dot_product_attention.
/// Source: Dao et al. 2022, algorithm 1; Rabe and Staats 2021.
template <class T>
StreamingAttention<T> streaming_attention(const Tensor<T>& query, const Tensor<T>& key,
                                          const Tensor<T>& value, const ScoreOptions<T>& options = {},
                                          MaskedRow masked_row = MaskedRow::nan,
                                          const ForEach& for_each = one_after_another);

}  // namespace attnlab
