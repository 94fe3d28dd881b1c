// A linear layer: x Wᵀ + b, with the weight as PyTorch and MLX store it.
#pragma once

#include <optional>

#include "core/tensor.hpp"

namespace attnlab {

template <class T>
struct Linear {
  Tensor<T> weight;               // (out, in)
  std::optional<Tensor<T>> bias;  // (out)
};

/// x (..., in) gives (..., out); a vector (in,) gives (out,). Throws Error (usage) when the widths do not
/// fit. Source: course, task 2, `linear`: N.. x I, weight O x I, bias O.
template <class T>
Tensor<T> linear(const Linear<T>& layer, const Tensor<T>& x);

}  // namespace attnlab
