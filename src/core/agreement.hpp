// When two results of the same computation count as equal: the "Agreement" rule of the experiments.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/constants.hpp"

namespace attnlab {

/// The largest |value| among the finite values; 0 when there is none.
inline double largest_magnitude(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// Relative to the largest value of a stage. 1e-12 is 4500 eps and 1e-6 is 8 eps: of sums with as many terms,
/// in any order (rounding_of in precision.hpp counts the terms of longer ones). A score of size s carries a
/// rounding error of about eps · s, and the exponential turns an absolute error of its argument into a
/// relative error of the weight.
inline double tolerance64(double largest_score = 0.0) {
  return std::max(1e-12, std::numeric_limits<double>::epsilon() * (4.0 + largest_score));
}
inline double tolerance32(double largest_score = 0.0) {
  return std::max(1e-6, static_cast<double>(std::numeric_limits<float>::epsilon()) * (4.0 + largest_score));
}

/// How far a result is from what was expected.
struct Deviation {
  double absolute = 0.0;  // largest |got - expected|; infinite when NaN, infinities or the size differ
  double relative = 0.0;  // absolute / max|expected|
  double allowed = 0.0;   // tolerance * max|expected|
  bool agrees = false;    // absolute <= allowed
};

/// The differences of equal numbers (NaN equals NaN here) are 0, of a number and no number infinite.
inline double difference(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0.0;
  if (std::isnan(got) || std::isnan(expected)) return infinity;
  return std::abs(got - expected);
}

inline Deviation deviation(const std::vector<double>& got, const std::vector<double>& expected,
                           double tolerance) {
  const double largest = largest_magnitude(expected);
  Deviation result;
  result.allowed = tolerance * largest;
  result.absolute = got.size() == expected.size() ? 0.0 : infinity;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    result.absolute = std::max(result.absolute, difference(got[i], expected[i]));
  }
  result.relative = result.absolute == 0.0 ? 0.0 : result.absolute / largest;  // against zeros: infinite
  result.agrees = result.absolute <= result.allowed;
  return result;
}

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

}  // namespace attnlab
