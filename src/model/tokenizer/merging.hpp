// Byte-pair encoding: the pair of neighbours that comes first becomes one, again and again.
#pragma once

#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

/// Two tokens that become one: the smallest rank first, of equal ones the leftmost.
struct Merge {
  double rank = 0.0;
  std::size_t token = 0;
};

using MergeOf = std::function<std::optional<Merge>(std::size_t left, std::size_t right)>;

/// In time n log n, however long the text. Source: Sennrich et al. 2016, algorithm 1.
Tokens merged(const Tokens& symbols, const MergeOf& merge_of);

}  // namespace attnlab
