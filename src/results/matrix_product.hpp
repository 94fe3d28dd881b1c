// Products of matrices, of stacks of them and of vectors, as NumPy's matmul takes them. Internal to results.
#pragma once

#include "results/report/array.hpp"

namespace attnlab {

/// A vector is a row on the left and a column on the right. Both throw ShapeMismatch.
Array matrix_product(const Array& left, const Array& right);

/// A Bᵀ; a vector on the right stays a column.
Array matrix_product_with_transpose(const Array& left, const Array& right);

}  // namespace attnlab
