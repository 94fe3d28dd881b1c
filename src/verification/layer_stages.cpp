// One function per layer: named inputs in, named stages out.
#include "verification/layer_case.hpp"

#include <optional>
#include <stdexcept>
#include <type_traits>

#include "attention/additive.hpp"
#include "attention/feed_forward.hpp"
#include "attention/linear.hpp"
#include "attention/multi_head.hpp"
#include "attention/scaled_dot_product.hpp"

namespace attnlab {
namespace {

template <class T>
std::optional<Tensor<T>> find(const NamedTensors<T>& inputs, const std::string& name) {
  for (const auto& [key, tensor] : inputs) {
    if (key == name) return tensor;
  }
  return std::nullopt;
}

template <class T>
Tensor<T> get(const NamedTensors<T>& inputs, const std::string& name) {
  const std::optional<Tensor<T>> found = find(inputs, name);
  if (!found) throw std::runtime_error("no input " + name);
  return *found;
}

BooleanMask boolean_mask(const MaskRecipe& recipe, std::size_t queries, std::size_t keys) {
  switch (recipe.kind) {
    case MaskRecipe::Kind::causal:
      return causal_mask(queries, keys, recipe.alignment);
    case MaskRecipe::Kind::padding:
      return padding_mask(queries, keys, recipe.count);
    case MaskRecipe::Kind::window:
      return window_mask(queries, keys, recipe.count);
    case MaskRecipe::Kind::none:
      break;
  }
  return no_mask(queries, keys);
}

/// The options for scores between these tokens, (..., queries, width) and (..., keys, width).
template <class T>
AttentionOptions<T> attention_options(const LayerOptions& options, const Tensor<T>& query,
                                      const Tensor<T>& key) {
  AttentionOptions<T> result;
  if (options.scale) result.scale = static_cast<T>(*options.scale);
  if (options.mask) {
    const std::size_t queries = query.shape()[query.dimension() - 2];
    const std::size_t keys = key.shape()[key.dimension() - 2];
    const BooleanMask readable = boolean_mask(*options.mask, queries, keys);
    result.mask = additive_mask<T>(readable, static_cast<T>(options.mask->hidden));
  }
  return result;
}

template <class T>
MultiHeadWeights<T> multi_head_weights(const NamedTensors<T>& inputs) {
  MultiHeadWeights<T> weights;
  weights.query = get(inputs, "w_query");
  weights.key = get(inputs, "w_key");
  weights.value = get(inputs, "w_value");
  weights.output = get(inputs, "w_output");
  weights.query_bias = find(inputs, "b_query");
  weights.key_bias = find(inputs, "b_key");
  weights.value_bias = find(inputs, "b_value");
  weights.output_bias = find(inputs, "b_output");
  return weights;
}

template <class T>
FeedForward<T> mlp_weights(const NamedTensors<T>& inputs) {
  return {{get(inputs, "first_weight"), find(inputs, "first_bias")},
          {get(inputs, "second_weight"), find(inputs, "second_bias")}};
}

// --- The layers

template <class T>
NamedTensors<T> scaled_dot_product_stages(const LayerOptions& options, const NamedTensors<T>& inputs) {
  const Tensor<T> query = get(inputs, "query");
  const Tensor<T> key = get(inputs, "key");
  const AttentionStages<T> stages =
      scaled_dot_product_attention(query, key, get(inputs, "value"), attention_options(options, query, key));
  return {{"raw_scores", stages.raw_scores},
          {"scores", stages.scores},
          {"masked", stages.masked},
          {"weights", stages.weights},
          {"output", stages.output}};
}

template <class T>
NamedTensors<T> additive_stages(const NamedTensors<T>& inputs) {
  const AdditiveWeights<T> weights{get(inputs, "hidden_weight"), get(inputs, "score_weight")};
  const AdditiveStages<T> stages =
      additive_attention(weights, get(inputs, "query"), get(inputs, "key"), get(inputs, "value"));
  return {{"hidden", stages.hidden},
          {"scores", stages.scores},
          {"weights", stages.weights},
          {"output", stages.output}};
}

template <class T>
NamedTensors<T> linear_stages(const NamedTensors<T>& inputs) {
  const Linear<T> layer{get(inputs, "weight"), find(inputs, "bias")};
  return {{"output", linear(layer, get(inputs, "x"))}};
}

template <class T>
NamedTensors<T> layer_norm_stages(const LayerOptions& options, const NamedTensors<T>& inputs) {
  const LayerNorm<T> norm{static_cast<T>(options.eps), find(inputs, "gain"), find(inputs, "bias"),
                          options.divisor};
  return {{"output", layer_norm(norm, get(inputs, "x"))}};
}

template <class T>
NamedTensors<T> feed_forward_stages(const NamedTensors<T>& inputs) {
  const FeedForwardStages<T> stages = feed_forward(mlp_weights(inputs), get(inputs, "x"));
  return {{"hidden", stages.hidden}, {"activated", stages.activated}, {"output", stages.output}};
}

template <class T>
NamedTensors<T> multi_head_stages(const LayerOptions& options, const NamedTensors<T>& inputs) {
  const Tensor<T> query = get(inputs, "query_input");
  const Tensor<T> key = get(inputs, "key_input");
  const MultiHeadStages<T> stages =
      multi_head_attention(multi_head_weights(inputs), query, key, get(inputs, "value_input"),
                           attention_options(options, query, key));
  return {{"query", stages.query},
          {"key", stages.key},
          {"value", stages.value},
          {"raw_scores", stages.attention.raw_scores},
          {"scores", stages.attention.scores},
          {"masked", stages.attention.masked},
          {"weights", stages.attention.weights},
          {"concat", stages.concat},
          {"output", stages.output}};
}

template <class T>
NamedTensors<T> transformer_layer_stages(const LayerOptions& options, const NamedTensors<T>& inputs) {
  const auto norm = [&](const std::string& name) {
    return LayerNorm<T>{static_cast<T>(options.eps), find(inputs, name + "_gain"),
                        find(inputs, name + "_bias"), options.divisor};
  };
  const TransformerLayer<T> layer{multi_head_weights(inputs), mlp_weights(inputs), norm("attention_norm"),
                                  norm("mlp_norm"), options.placement};
  const Tensor<T> x = get(inputs, "x");
  const TransformerLayerStages<T> stages = transformer_layer(layer, x, attention_options(options, x, x));
  return {{"scores", stages.attention.attention.scores},
          {"weights", stages.attention.attention.weights},
          {"attention", stages.attention.output},
          {"hidden", stages.mlp.hidden},
          {"mlp", stages.mlp.output},
          {"residual_1", stages.residual_1},
          {"norm_1", stages.norm_1},
          {"residual_2", stages.residual_2},
          {"norm_2", stages.norm_2},
          {"output", stages.output}};
}

}  // namespace

template <class T>
NamedTensors<T> layer_stages(const std::string& layer, const LayerOptions& options,
                             const NamedTensors<T>& inputs) {
  if (layer == "scaled_dot_product") return scaled_dot_product_stages(options, inputs);
  if (layer == "additive") return additive_stages(inputs);
  if (layer == "linear") return linear_stages(inputs);
  if (layer == "layer_norm") return layer_norm_stages(options, inputs);
  if (layer == "feed_forward") return feed_forward_stages(inputs);
  if (layer == "multi_head") return multi_head_stages(options, inputs);
  if (layer == "transformer_layer") return transformer_layer_stages(options, inputs);
  if constexpr (std::is_same_v<T, double>) {
    if (layer == "sinusoidal") {
      return {{"encoding", sinusoidal_encoding(options.positions, options.width, options.base)}};
    }
    if (layer == "rotary") {
      return {{"encoding", rotary_encoding(get(inputs, "x"), options.base, options.pairing)}};
    }
  }
  throw std::runtime_error("no layer " + layer);
}

template NamedTensors<float> layer_stages(const std::string&, const LayerOptions&,
                                          const NamedTensors<float>&);
template NamedTensors<double> layer_stages(const std::string&, const LayerOptions&,
                                           const NamedTensors<double>&);

}  // namespace attnlab
