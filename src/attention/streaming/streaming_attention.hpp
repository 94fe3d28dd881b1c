// softmax(Q Kᵀ · scale + M) V without ever holding the weights: memory grows with the length, not its square.
//
// The door to this folder. Softmax needs the largest score of a row and the sum of its exponentials, and both
// can be kept up to date while the keys come tile by tile (Milakov and Gimelshein 2018, algorithm 3; Dao et
// al. 2022, algorithm 1):
//
//                keys →  tile 0   tile 1   tile 2                      for each panel of queries:
//               queries ┌────────┬────────┬────────┐
//   block of 256   ↓    │ S → P ─┼→ S → P ┼→ S → P │   m, s, O           O = 0, m = -inf, s = 0
//   = panels of 4-32    ├────────┼────────┼────────┤   run along         for each tile of 96 keys:
//                       │ S → P ─┼→ S → P ┼→ S → P │   the keys            S  = Q Kᵀ · scale + M
//                       └────────┴────────┴────────┘                       m' = max(m, max S)
//                         only one tile of one panel                       P  = exp(S - m'), f = exp(m - m')
//                         is in memory at a time                           s  = s f + sum P
//                                                                          O  = O f + P V,  m = m'
//                                                                        O = O / s
//
// No exponent is positive, so none overflows; exp(x - m) / sum exp(x - m) is the same for every m, so the
// result is that of scaled_dot_product.cpp up to rounding.
//
//   score_tiles.hpp      which queries and keys there are, and what masks and biases do to a tile of scores
//   kernel/kernel.hpp    the three steps of a tile in vector registers, for each kind of processor
//   online_softmax.hpp   m and s of a row
//
// A block's panels share each tile of keys while it lies in the cache, and each thread takes whole blocks:
// which of them changes no bit. One query (decoding) leaves the threads nothing to share but its keys: these
// are cut into parts of 4096, whose m, s and O are joined at the end (flash-decoding, Dao et al. 2023).
//
// m and s turn any score into its weight: a second pass over the scores sums the weights up
// (../weight_summary.hpp).
#pragma once

#include "attention/streaming/online_softmax.hpp"
#include "attention/streaming/score_tiles.hpp"
#include "core/for_each.hpp"

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
