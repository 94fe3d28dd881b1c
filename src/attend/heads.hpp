// From what was given to one query, key and value matrix per head; under float16 every tensor is rounded as
// it arises.
#pragma once

#include "attend/attend.hpp"

namespace attnlab {

/// With `has_heads` the axis before the length is that of the heads, and keys and values may have fewer of
/// them.
struct HeadCounts {
  bool has_heads = false;
  std::size_t heads = 1;
  std::size_t kv_heads = 1;
};

/// Query (..., queries, d_k), key (..., keys, d_k) and value (..., keys, d_v).
template <class T>
struct HeadTensors : HeadCounts {
  Tensor<T> query;
  Tensor<T> key;
  Tensor<T> value;
  bool in_width = false;  // they shared the width, and so will their outputs
};

/// What projecting went through, for the trace: the tokens times the matrix, and with the bias.
template <class T>
struct Projected {
  std::optional<Tensor<T>> linear;  // where there is a bias
  Tensor<T> projected;              // (..., length, heads * width)
};

/// tokens · matrix + bias, under float16 rounded before and after the bias.
template <class T>
Projected<T> project(const Tensor<T>& tokens, const Tensor<T>& matrix, const std::optional<Tensor<T>>& bias,
                     Precision precision);

/// The projections cut into heads.
template <class T>
HeadTensors<T> cut_into_heads(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                              const LayerWeights<T>& weights);

/// Tensors that are given per head, or are to be cut along their width. Throws Error (usage) when they do not
/// fit, with the layout under which they would. Takes the tensors out of `inputs`: long ones are kept once.
template <class T>
HeadTensors<T> given_heads(AttendInputs<T>& inputs, const AttendSettings& settings);

/// Rounded to float16 under Precision::float16, which is computed in float; else unchanged.
template <class T>
Tensor<T> rounded(Tensor<T> values, Precision precision);

/// Query, key, value, mask, weights and biases.
template <class T>
void round_inputs(AttendInputs<T>& inputs, Precision precision);

}  // namespace attnlab
