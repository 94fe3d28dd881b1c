// The masks that need no memory: which stretch of keys a query may read.
#pragma once

#include <cstddef>
#include <optional>

#include "attention/masks.hpp"

namespace attnlab {

/// The keys begin, ..., end - 1; begin == end for none.
struct KeyRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Causal, window and padding masks in one: what each leaves readable is a stretch of keys, and so is what
/// all of them leave.
struct ReadableKeys {
  std::optional<CausalAlignment> causal = std::nullopt;
  std::optional<std::size_t> reach = std::nullopt;  // keys to either side
  std::size_t padded = 0;                           // the last keys, hidden
};

/// What the query with index `query` of `queries` may read of `keys` keys.
KeyRange readable_by(const ReadableKeys& rule, std::size_t query, std::size_t queries, std::size_t keys);

/// The same as one mask: causal_mask, window_mask and padding_mask, joined by both(). (queries, keys)
/// Throws Error (usage) when more keys are padded than there are.
BooleanMask readable_mask(const ReadableKeys& rule, std::size_t queries, std::size_t keys);

}  // namespace attnlab
