// Numbers that are the same everywhere.
#pragma once

#include <limits>

namespace attnlab {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace attnlab
