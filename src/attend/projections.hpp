// The weights of a saved attention layer: found by their names, checked, and brought into one layout.
#pragma once

#include "attend/settings.hpp"

namespace attnlab {

/// What a tensor of a layer is for. `joint` holds W_Q, W_K and W_V in one.
enum class WeightRole {
  query,
  key,
  value,
  output,
  joint,
  query_bias,
  key_bias,
  value_bias,
  output_bias,
  joint_bias,
  query_norm,
  key_norm
};

struct FoundWeight {
  WeightRole role = WeightRole::query;
  std::size_t index = 0;  // among the names
  bool out_in = false;    // what its name says of its layout
};

/// The tensors of one layer among `names`; a prefix leaves the layer below it alone. Known are the textbook's
/// names (W_Q or w_query, b_Q or bias_query), nn.MultiheadAttention's, and those of Hugging Face's models.
/// Throws Error (failed) when a role is missing, and when several layers are there: it names their prefixes.
std::vector<FoundWeight> find_weights(const std::vector<std::string>& names, const std::string& prefix);

template <class T>
struct GivenWeight {
  FoundWeight found;
  std::string name;
  Tensor<T> values;
};

/// One matrix for all heads, (in, out): head h owns the columns h * width to (h + 1) * width.
template <class T>
struct LayerWeights {
  Tensor<T> query;                       // (width of the queries, heads * d_k)
  Tensor<T> key;                         // (width of the keys, kv_heads * d_k)
  Tensor<T> value;                       // (width of the values, kv_heads * d_v)
  std::optional<Tensor<T>> output;       // (heads * d_v, d_out)
  std::optional<Tensor<T>> query_bias;   // (heads * d_k)
  std::optional<Tensor<T>> key_bias;     // (kv_heads * d_k)
  std::optional<Tensor<T>> value_bias;   // (kv_heads * d_v)
  std::optional<Tensor<T>> output_bias;  // (d_out)
  std::optional<Tensor<T>> query_norm;   // gain of an RMS norm: (d_k) for each head, or (heads * d_k) for all
  std::optional<Tensor<T>> key_norm;     // (d_k) or (kv_heads * d_k)
  std::size_t heads = 1;
  std::size_t kv_heads = 1;
};

/// The widths of the tokens that the weights will be applied to.
struct InputWidths {
  std::size_t query = 0;
  std::size_t key = 0;
  std::size_t value = 0;
};

/// Weights of three axes are per head, (heads, in, out); their first axis then gives the number of heads.
/// Throws Error (usage) when shapes and widths do not fit, with the switch under which they would:
/// "W_Q is 64x16, but the queries have width 16; with --layout out-in it would fit".
template <class T>
LayerWeights<T> layer_weights(const std::vector<GivenWeight<T>>& given, const InputWidths& widths,
                              const AttendSettings& settings);

}  // namespace attnlab
