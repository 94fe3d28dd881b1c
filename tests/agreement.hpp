// The rule by which the tests compare is the one that `attnlab verify` applies.
#pragma once

#include <cstddef>

#include "core/agreement.hpp"  // IWYU pragma: export

namespace attnlab {

/// Of attention: sums over the head's width in the scores, and over the keys in softmax and in the mean.
template <class T>
double rounding_in_attention(std::size_t width, std::size_t keys, double largest_score) {
  return rounding_of<T>(width + 2 * keys, largest_score);
}

}  // namespace attnlab
