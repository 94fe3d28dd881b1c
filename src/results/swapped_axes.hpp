// Matrices and stacks of them turned round. Internal to results.
#pragma once

#include <cstddef>

#include "results/report/array.hpp"

namespace attnlab {

/// The last axis swapped with another, counted from the back. Throws ShapeMismatch where there is none.
Array swapped(const Array& array, std::size_t from_back);

/// The last two axes swapped.
Array transposed(const Array& array);

}  // namespace attnlab
