// The rule by which the tests compare is the one that `attnlab verify` applies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/agreement.hpp"  // IWYU pragma: export

namespace attnlab {

/// Empty when `got` agrees with `expected`: NaN and infinities in the same places, and every other difference
/// at most tolerance · max|expected|. Otherwise the first place that disagrees, for a test's message:
/// CHECK(disagreement(got, expected, tolerance64()) == "").
inline std::string disagreement(const std::vector<double>& got, const std::vector<double>& expected,
                                double tolerance) {
  if (got.size() != expected.size()) {
    return std::to_string(got.size()) + " values, expected " + std::to_string(expected.size());
  }
  const double allowed = tolerance * largest_magnitude(expected);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool both_nan = std::isnan(got[i]) && std::isnan(expected[i]);
    const bool both_finite = std::isfinite(got[i]) && std::isfinite(expected[i]);
    const bool equal =
        both_nan || got[i] == expected[i] || (both_finite && std::abs(got[i] - expected[i]) <= allowed);
    if (!equal) {
      return "at [" + std::to_string(i) + "]: " + std::to_string(got[i]) + ", expected " +
             std::to_string(expected[i]) + ", difference " +
             std::to_string((got[i] - expected[i]) / allowed) + " times what is allowed";
    }
  }
  return "";
}

/// Of attention: sums over the head's width in the scores, and over the keys in softmax and in the mean.
template <class T>
double rounding_in_attention(std::size_t width, std::size_t keys, double largest_score) {
  return rounding_of<T>(width + 2 * keys, largest_score);
}

}  // namespace attnlab
