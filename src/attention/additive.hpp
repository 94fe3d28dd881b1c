// Additive attention: a small network scores every pair of query and key.
#pragma once

#include "core/tensor.hpp"

namespace attnlab {

/// score(q, k) = v · tanh([q; k] W): one hidden layer, one output, no biases.
template <class T>
struct AdditiveWeights {
  Tensor<T> hidden;  // (d_q + d_k, units)  W; its first d_q rows read the query
  Tensor<T> score;   // (units)             v
};

template <class T>
struct AdditiveStages {
  Tensor<T> hidden;   // (..., queries, keys, units)  tanh([q; k] W)
  Tensor<T> scores;   // (..., queries, keys)
  Tensor<T> weights;  // (..., queries, keys)
  Tensor<T> output;   // (..., queries, d_v)
};

/// query (..., queries, d_q), key (..., keys, d_k), value (..., keys, d_v); d_q and d_k may differ, batch
/// dimensions broadcast. Throws Error (usage) when the network does not fit d_q + d_k, when key and value
/// differ in length and when there is no key. Source: Bahdanau et al. 2015, appendix A.1.2; textbook
/// fig. 2.2.3.
template <class T>
AdditiveStages<T> additive_attention(const AdditiveWeights<T>& weights, const Tensor<T>& query,
                                     const Tensor<T>& key, const Tensor<T>& value);

}  // namespace attnlab
