// The only door to xtensor: what a tensor is in this project.
#pragma once

// Under C++20, xtensor 0.24 with GCC 12 turns dynamic-rank temporaries into rank 4: xt::pad returns zeros,
// assignments to strided views are lost, xt::tile overflows the heap.
static_assert(__cplusplus >= 201703L && __cplusplus < 202002L,
              "xtensor 0.24 is wrong under C++20: build as C++17");

#include <xtensor/xarray.hpp>

namespace attnlab {

/// A row-major array of any rank, T = float or double. Functions take and return containers, never lazy
/// expressions: an `auto` that holds an expression dangles once its operands are gone.
template <class T>
using Tensor = xt::xarray<T>;

}  // namespace attnlab
