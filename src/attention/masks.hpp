// Which query may read which key: masks as truth values, and as numbers that are added to the scores.
#pragma once

#include <cstddef>
#include <optional>

#include "core/tensor.hpp"

namespace attnlab {

/// true: the query may read the key. (queries, keys)
using BooleanMask = Tensor<bool>;

/// With Lq != Lk the last query stands at the last key (the causal triangle touches the lower right corner:
/// the cache of a decoder), or the first at the first (the upper left one: query i reads keys 0 to i). In the
/// order of --alignment's words.
enum class CausalAlignment { bottom_right, top_left };

/// The key at which a query stands: negative before the first, `keys` or more behind the last.
std::int64_t place_among_keys(std::size_t query, std::size_t queries, std::size_t keys,
                              CausalAlignment alignment);

BooleanMask no_mask(std::size_t queries, std::size_t keys);
BooleanMask causal_mask(std::size_t queries, std::size_t keys,
                        CausalAlignment alignment = CausalAlignment::bottom_right);
/// The last `padded` keys are hidden. Throws Error (usage) when padded > keys.
BooleanMask padding_mask(std::size_t queries, std::size_t keys, std::size_t padded);
/// Each query reads `reach` keys to either side of its own place.
BooleanMask window_mask(std::size_t queries, std::size_t keys, std::size_t reach,
                        CausalAlignment alignment = CausalAlignment::bottom_right);

/// A key is readable when both masks let it be; shapes broadcast.
BooleanMask both(const BooleanMask& a, const BooleanMask& b);

// --- The masks that need no memory: which stretch of keys a query may read

/// The keys begin, ..., end - 1; begin == end for none.
struct KeyRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Causal, window and padding masks in one: what each leaves readable is a stretch of keys, and so is what
/// all of them leave.
struct ReadableKeys {
  bool causal = false;
  std::optional<std::size_t> reach = std::nullopt;  // keys to either side
  std::size_t padded = 0;                           // the last keys, hidden
  CausalAlignment alignment = CausalAlignment::bottom_right;
};

/// What the query with index `query` of `queries` may read of `keys` keys.
KeyRange readable_by(const ReadableKeys& rule, std::size_t query, std::size_t queries, std::size_t keys);

/// The same as one mask: causal_mask, window_mask and padding_mask, joined by both(). (queries, keys)
/// Throws Error (usage) when more keys are padded than there are.
BooleanMask readable_mask(const ReadableKeys& rule, std::size_t queries, std::size_t keys);

// --- Masks as numbers

/// 0 where the query may read, `hidden` (-inf, or a large negative number) where not.
template <class T>
Tensor<T> additive_mask(const BooleanMask& mask, T hidden);

/// What a row without any readable key becomes: NaN as in NumPy and PyTorch, zeros, or equal weights. In the
/// order of --masked-row's words.
enum class MaskedRow { nan, zero, uniform };

/// Replaces the rows of the weights whose masked scores are all -inf. weights and masked_scores (..., keys).
template <class T>
Tensor<T> with_masked_rows(const Tensor<T>& weights, const Tensor<T>& masked_scores, MaskedRow rule);

/// How much weight falls on hidden keys, per row: 0 when the mask holds. weights (..., queries, keys) and a
/// mask that broadcasts to it give (..., queries).
template <class T>
Tensor<T> leaked_mass(const Tensor<T>& weights, const BooleanMask& mask);

}  // namespace attnlab
