// The MLP of a Transformer layer: two linear layers with ReLU between, the same for every token.
#pragma once

#include "attention/linear.hpp"
#include "core/tensor.hpp"

namespace attnlab {

template <class T>
struct FeedForward {
  Linear<T> first;   // (hidden, width)
  Linear<T> second;  // (width, hidden)
};

template <class T>
struct FeedForwardStages {
  Tensor<T> hidden;     // (..., hidden)  x W_1ᵀ + b_1
  Tensor<T> activated;  // (..., hidden)  max(0, hidden)
  Tensor<T> output;     // (..., width)
};

/// x (..., width). Throws Error (usage) when the widths do not fit. Source: Vaswani et al. 2017, eq. 2;
/// slides, MLP.
template <class T>
FeedForwardStages<T> feed_forward(const FeedForward<T>& mlp, const Tensor<T>& x);

}  // namespace attnlab
