// The weights of a saved attention layer: found by their names, checked, and brought into one layout.
#pragma once

#include "attend/conventions.hpp"
#include "attend/settings.hpp"
#include "attention/weight_layout.hpp"

namespace attnlab {

/// One tensor, or one per head, by their places among the names.
struct FoundWeight {
  WeightRole role = WeightRole::query;
  std::vector<std::size_t> places;
};

/// A tensor of the layer that is no weight of its convention.
struct UnreadTensor {
  std::size_t place = 0;
  const ChangingTensor* change = nullptr;  // what it would do to the result; nothing: nothing
};

struct FoundLayer {
  const Convention* convention = nullptr;
  std::string prefix;
  std::vector<FoundWeight> weights;
  std::vector<UnreadTensor> unread;
  std::vector<std::size_t> outside;  // an output matrix of the layer that the asked prefix leaves out

  /// Whether each head has a tensor of its own.
  bool is_per_head(WeightRole role) const;
};

/// The tensors of one layer among `names`, by the table of conventions; a prefix leaves the layer below it
/// alone. A bias or an output matrix is only ever taken from behind the same prefix. Throws Error (failed)
/// when a weight is missing, and when several layers are there: it names their prefixes.
FoundLayer find_layer(const std::vector<std::string>& names, const std::string& prefix);

template <class T>
struct StoredWeight {
  WeightRole role = WeightRole::query;
  std::string name;
  Tensor<T> values;  // of weights per head (heads, ...)
};

/// The weights of a file as they are stored.
template <class T>
struct StoredLayer {
  std::vector<StoredWeight<T>> weights;
  StoredLayout layout = StoredLayout::in_out;
  JointOrder order = JointOrder::blocks;
  bool scales = true;
};

/// (heads, ...) of the heads' own tensors; `name` is for the message.
template <class T>
Tensor<T> stacked_heads(const std::vector<Tensor<T>>& heads, const std::string& name);

/// The tensors that were found, as `load(place)` reads them; those of single heads become one, (heads, ...).
/// Throws Error (failed) when the heads differ in shape.
template <class T, class Load>
StoredLayer<T> stored_layer(const FoundLayer& found, const std::vector<std::string>& names, Load load) {
  StoredLayer<T> layer{{}, found.convention->layout, found.convention->order, found.convention->scales};
  for (const FoundWeight& weight : found.weights) {
    const std::string& name = names[weight.places.front()];
    std::vector<Tensor<T>> parts;
    for (const std::size_t place : weight.places) parts.push_back(load(place));
    const bool inside = found.convention->heads_inside && weight.role <= WeightRole::value;
    if (inside && parts.front().dimension() == 3) parts.front() = heads_before_length(parts.front());
    const bool one = parts.size() == 1 && !found.is_per_head(weight.role);
    layer.weights.push_back({weight.role, name, one ? std::move(parts.front()) : stacked_heads(parts, name)});
  }
  return layer;
}

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
  bool out_in = false;    // as they were stored
  bool is_guess = false;  // their names and their shapes, all square, leave that open
  bool scales = true;     // by 1 / sqrt(d_k), unless --scale says otherwise
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
LayerWeights<T> layer_weights(const StoredLayer<T>& layer, const InputWidths& widths,
                              const AttendSettings& settings);

}  // namespace attnlab
