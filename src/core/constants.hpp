// Numbers that are the same everywhere.
#pragma once

namespace attnlab {

constexpr double pi = 3.14159265358979323846;

}  // namespace attnlab
