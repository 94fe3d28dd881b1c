// softmax(Q Kᵀ · scale + M) V without ever holding the weights: memory grows with the length, not its square.
//
// The door to this folder. Softmax needs the largest score of a row and the sum of its exponentials, and both
// can be kept up to date while the keys come block by block. For each panel of queries:
//
//   O = 0, m = -inf, s = 0                  one row each per query         online_softmax.hpp
//   for each tile of keys that they may read:                              readable_by(), ../masks.hpp
//     S = Q Kᵀ · scale                      one tile                       PanelKernel::scores,
//     kernel/kernel.hpp S = S + M                             biases and hidden keys ScoreTiles::mask(),
//     score_tiles.hpp m' = max(m, max S), P = exp(S - m')   no exponent is positive        PanelKernel::take
//     f = exp(m - m')                       what the earlier tiles shrink by
//     s = s f + sum P, m = m'
//     O = O f + P V                                                        PanelKernel::add_values
//   O = O / s                               softmax's denominator, once per row
//
// A block is 256 queries of one matrix, which share each tile of keys while it lies in the cache. Which
// thread works on it changes no bit of the result.
//
// exp(x - m) / sum exp(x - m) is the same for every m, so the result is that of scaled_dot_product.cpp up to
// rounding. m and s turn any score into its weight: a second pass over the scores, by calls of BLAS, sums the
// weights up (../weight_summary.hpp).
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
