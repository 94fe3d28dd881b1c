// float and double: as the reference files name them, and how closely results in them agree.
#pragma once

#include <type_traits>

#include "core/agreement.hpp"

namespace attnlab {

template <class T>
constexpr const char* dtype_name = std::is_same_v<T, float> ? "float32" : "float64";

/// Of results that went through an exponential of scores up to this size.
template <class T>
double tolerance_for(double largest_score = 0.0) {
  return std::is_same_v<T, float> ? tolerance32(largest_score) : tolerance64(largest_score);
}

}  // namespace attnlab
