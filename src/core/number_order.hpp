// NaN among numbers that are compared: it is neither before nor behind another one, which no sort survives.
// Here it comes last, and a maximum over it is NaN, as in NumPy.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Orders of all numbers, as std::sort needs them.
template <class T>
bool smaller_first(T one, T other) {
  return one < other || (std::isnan(other) && !std::isnan(one));
}
template <class T>
bool larger_first(T one, T other) {
  return one > other || (std::isnan(other) && !std::isnan(one));
}

/// The larger one, or NaN where one is NaN.
template <class T>
T larger(T one, T other) {
  return std::isnan(other) || other > one ? other : one;
}

}  // namespace attnlab
