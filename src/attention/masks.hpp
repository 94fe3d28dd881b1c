// Which query may read which key: masks as truth values, and as numbers that are added to the scores.
#pragma once

#include <cstddef>

#include "core/tensor.hpp"

namespace attnlab {

/// true: the query may read the key. (queries, keys)
using BooleanMask = Tensor<bool>;

/// With Lq != Lk the causal triangle touches the lower right corner (the last query reads every key: the
/// cache of a decoder), or the upper left one (query i reads keys 0 to i).
enum class CausalAlignment { bottom_right, top_left };

BooleanMask no_mask(std::size_t queries, std::size_t keys);
BooleanMask causal_mask(std::size_t queries, std::size_t keys,
                        CausalAlignment alignment = CausalAlignment::bottom_right);
/// The last `padded` keys are hidden. Throws Error (usage) when padded > keys.
BooleanMask padding_mask(std::size_t queries, std::size_t keys, std::size_t padded);
/// Each query reads `reach` keys to either side of its own place; with Lq != Lk its place is counted from the
/// end, as for a bottom-right causal mask.
BooleanMask window_mask(std::size_t queries, std::size_t keys, std::size_t reach);

/// A key is readable when both masks let it be; shapes broadcast.
BooleanMask both(const BooleanMask& a, const BooleanMask& b);

/// 0 where the query may read, `hidden` (-inf, or a large negative number) where not.
template <class T>
Tensor<T> additive_mask(const BooleanMask& mask, T hidden);

/// What a row without any readable key becomes: NaN as in NumPy and PyTorch, zeros, or equal weights.
enum class MaskedRow { nan, zero, uniform };

/// Replaces the rows of the weights whose masked scores are all -inf. weights and masked_scores (..., keys).
template <class T>
Tensor<T> with_masked_rows(const Tensor<T>& weights, const Tensor<T>& masked_scores, MaskedRow rule);

/// How much weight falls on hidden keys, per row: 0 when the mask holds. weights (..., queries, keys) and a
/// mask that broadcasts to it give (..., queries).
template <class T>
Tensor<T> leaked_mass(const Tensor<T>& weights, const BooleanMask& mask);

}  // namespace attnlab
