// float and double: as the reference files name them, and how closely results in them agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "core/agreement.hpp"

namespace attnlab {

template <class T>
constexpr const char* dtype_name = std::is_same_v<T, float> ? "float32" : "float64";

/// How far two results of one computation may be apart, relative to the largest value of their stage,
/// whatever the order in which a kernel sums. A sum of n terms is off by at most n·u·Σ|terms|, u = eps / 2
/// (Higham 2002, section 4.2); of many terms the errors go both ways, and 8·√n is not exceeded (Higham and
/// Mary 2019, theorem 2.4: with a probability below 1e-13). Stages that follow one another add up their
/// terms; both results are off: 2u. exp turns the error of a score, which grows with its size, into a
/// relative error of the weight.
template <class T>
double rounding_of(std::size_t terms, double largest_score = 0.0) {
  const auto n = static_cast<double>(terms);
  const auto eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  return eps * std::min(n, 8.0 * std::sqrt(n)) * (1.0 + largest_score);
}

/// Of results that went through an exponential of scores up to this size.
template <class T>
double tolerance_for(double largest_score = 0.0) {
  return std::is_same_v<T, float> ? tolerance32(largest_score) : tolerance64(largest_score);
}

}  // namespace attnlab
