// Attention(Q, K, V) = softmax(Q Kᵀ · scale + M) V, with every stage returned.
#pragma once

#include <optional>

#include "core/tensor.hpp"

namespace attnlab {

/// The intermediate results, in order.
template <class T>
struct AttentionStages {
  Tensor<T> raw_scores;  // (..., queries, keys)  Q Kᵀ
  Tensor<T> scores;      // (..., queries, keys)  Q Kᵀ · scale
  Tensor<T> masked;      // (..., queries, keys)  scores + M; equal to scores without a mask
  Tensor<T> weights;     // (..., queries, keys)  softmax along the last axis
  Tensor<T> output;      // (..., queries, value width)
};

template <class T>
struct AttentionOptions {
  std::optional<T> scale;         // default 1 / sqrt(d_k)
  std::optional<Tensor<T>> mask;  // additive; broadcasts to (..., queries, keys); -inf hides a key
};

/// query (..., queries, d_k), key (..., keys, d_k), value (..., keys, d_v); the batch dimensions broadcast.
///
/// A mask may add batch dimensions, but neither queries nor keys. Zero queries give an empty result.
/// Throws Error (usage) when d_k differs between query and key, when key and value differ in length, when the
/// batch dimensions or the mask do not broadcast, when an operand has fewer than two dimensions, and when
/// there is no key or d_k = 0, as the mean of no values does not exist. Source: Vaswani et al. 2017, eq. 1;
/// textbook code 2.2.2 (scale 1) and 2.2.9; course, task 1.
template <class T>
AttentionStages<T> scaled_dot_product_attention(const Tensor<T>& query, const Tensor<T>& key,
                                                const Tensor<T>& value,
                                                const AttentionOptions<T>& options = {});

}  // namespace attnlab
