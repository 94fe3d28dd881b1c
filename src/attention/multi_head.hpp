// Multi-head attention: several projections read the same tokens, and W_O joins what they found.
#pragma once

#include <cstddef>

#include "attention/scaled_dot_product.hpp"

namespace attnlab {

/// One projection per head, and the output projection. d_k = d_v = d_model / heads is usual, not required.
/// Fewer heads of keys and values than of queries (grouped-query attention) serve several query heads each:
/// head h of the queries reads head h / (heads / kv_heads).
template <class T>
struct MultiHeadWeights {
  Tensor<T> query;   // (heads, d_model, d_k)     W_Q
  Tensor<T> key;     // (kv_heads, d_model, d_k)  W_K
  Tensor<T> value;   // (kv_heads, d_model, d_v)  W_V
  Tensor<T> output;  // (heads * d_v, d_out)      W_O, d_out = d_model as a rule
  std::optional<Tensor<T>> query_bias = std::nullopt;   // (heads, d_k)
  std::optional<Tensor<T>> key_bias = std::nullopt;     // (kv_heads, d_k)
  std::optional<Tensor<T>> value_bias = std::nullopt;   // (kv_heads, d_v)
  std::optional<Tensor<T>> output_bias = std::nullopt;  // (d_out)
};

template <class T>
struct MultiHeadStages {
  Tensor<T> query;  // (..., heads, queries, d_k)
  Tensor<T> key;    // (..., heads, keys, d_k)
  Tensor<T> value;  // (..., heads, keys, d_v)
  AttentionStages<T> attention;
  Tensor<T> concat;  // (..., queries, heads * d_v)
  Tensor<T> output;  // (..., queries, d_model)
};

/// d_model / heads. Throws Error (usage) "d_model 16 cannot be split over 3 heads; choose a divisor of 16".
std::size_t head_width(std::size_t d_model, std::size_t heads);

/// query_input (..., queries, d_model), key_input and value_input (..., keys, d_model); the options' mask
/// broadcasts to (..., heads, queries, keys), the default scale is 1 / sqrt(d_k) of one head.
/// Throws Error (usage) when the weights do not fit each other or the inputs, and where attention itself
/// does. Source: Vaswani et al. 2017, section 3.2.2; article eq. 7 and 8; textbook fig. 2.2.15.
template <class T>
MultiHeadStages<T> multi_head_attention(const MultiHeadWeights<T>& weights, const Tensor<T>& query_input,
                                        const Tensor<T>& key_input, const Tensor<T>& value_input,
                                        const AttentionOptions<T>& options = {});

}  // namespace attnlab
