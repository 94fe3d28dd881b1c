// Reads each case, draws its inputs, runs the layer, and compares stage by stage.
#include <exception>

#include "attention/masks.hpp"
#include "attention/positional.hpp"
#include "random/numpy_random.hpp"
#include "verification/function_checks.hpp"

namespace attnlab {
namespace {

// --- Inputs and options

template <class T>
std::optional<Tensor<T>> find(const NamedTensors<T>& inputs, const std::string& name) {
  const auto found = inputs.find(name);
  return found == inputs.end() ? std::nullopt : std::optional(found->second);
}

BooleanMask boolean_mask(const Json& mask, std::size_t queries, std::size_t keys) {
  const auto kind = mask.at("kind").get<std::string>();
  if (kind == "none") return no_mask(queries, keys);
  if (kind == "padding") return padding_mask(queries, keys, mask.at("padded").get<std::size_t>());
  if (kind == "window") return window_mask(queries, keys, mask.at("reach").get<std::size_t>());
  if (kind != "causal") throw std::runtime_error("unknown word \"" + kind + "\"");
  return causal_mask(
      queries, keys,
      chosen<CausalAlignment>(mask.value("alignment", "bottom_right"), {"bottom_right", "top_left"}));
}

/// The options for scores between these tokens, (..., queries, width) and (..., keys, width).
template <class T>
AttentionOptions<T> attention_options(const Json& options, const Tensor<T>& query, const Tensor<T>& key) {
  AttentionOptions<T> result;
  if (options.contains("scale")) result.scale = options.at("scale").get<T>();
  if (options.contains("mask")) {
    const Json& mask = options.at("mask");
    const std::size_t queries = query.shape()[query.dimension() - 2];
    const std::size_t keys = key.shape()[key.dimension() - 2];
    result.mask =
        additive_mask<T>(boolean_mask(mask, queries, keys), static_cast<T>(stored_number(mask.at("hidden"))));
  }
  return result;
}

template <class T>
LayerNorm<T> norm_of(const Json& options, const NamedTensors<T>& inputs, const std::string& prefix) {
  return {options.value("eps", static_cast<T>(1e-5)), find(inputs, prefix + "gain"),
          find(inputs, prefix + "bias"),
          chosen<NormDivisor>(options.value("divisor", "variance"), {"variance", "standard_deviation"})};
}

template <class T>
MultiHeadWeights<T> multi_head_weights(const NamedTensors<T>& inputs) {
  return {inputs.at("w_query"),    inputs.at("w_key"),    inputs.at("w_value"),    inputs.at("w_output"),
          find(inputs, "b_query"), find(inputs, "b_key"), find(inputs, "b_value"), find(inputs, "b_output")};
}

template <class T>
FeedForward<T> mlp_weights(const NamedTensors<T>& inputs) {
  return {{inputs.at("first_weight"), find(inputs, "first_bias")},
          {inputs.at("second_weight"), find(inputs, "second_bias")}};
}

// --- The layers: named inputs in, named stages out

template <class T>
NamedTensors<T> scaled_dot_product_stages(const Json& options, const NamedTensors<T>& inputs) {
  const Tensor<T> query = inputs.at("query");
  const Tensor<T> key = inputs.at("key");
  return named(
      scaled_dot_product_attention(query, key, inputs.at("value"), attention_options(options, query, key)));
}

template <class T>
NamedTensors<T> multi_head_stages(const Json& options, const NamedTensors<T>& inputs) {
  const Tensor<T> query = inputs.at("query_input");
  const Tensor<T> key = inputs.at("key_input");
  const MultiHeadStages<T> stages =
      multi_head_attention(multi_head_weights(inputs), query, key, inputs.at("value_input"),
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
NamedTensors<T> transformer_layer_stages(const Json& options, const NamedTensors<T>& inputs) {
  const TransformerLayer<T> layer{multi_head_weights(inputs), mlp_weights(inputs),
                                  norm_of(options, inputs, "attention_norm_"),
                                  norm_of(options, inputs, "mlp_norm_"),
                                  chosen<NormPlacement>(options.value("placement", "post"), {"post", "pre"})};
  const Tensor<T> x = inputs.at("x");
  return named(transformer_layer(layer, x, attention_options(options, x, x)));
}

/// The stages. Those of the two positional encodings exist in double alone.
template <class T>
NamedTensors<T> layer_stages(const std::string& layer, const Json& options, const NamedTensors<T>& inputs) {
  if (layer == "scaled_dot_product") return scaled_dot_product_stages(options, inputs);
  if (layer == "additive") {
    const AdditiveWeights<T> weights{inputs.at("hidden_weight"), inputs.at("score_weight")};
    return named(additive_attention(weights, inputs.at("query"), inputs.at("key"), inputs.at("value")));
  }
  if (layer == "linear") {
    return {{"output", linear(Linear<T>{inputs.at("weight"), find(inputs, "bias")}, inputs.at("x"))}};
  }
  if (layer == "layer_norm") {
    return {{"output", layer_norm(norm_of(options, inputs, ""), inputs.at("x"))}};
  }
  if (layer == "feed_forward") return named(feed_forward(mlp_weights(inputs), inputs.at("x")));
  if (layer == "multi_head") return multi_head_stages(options, inputs);
  if (layer == "transformer_layer") return transformer_layer_stages(options, inputs);
  if constexpr (std::is_same_v<T, double>) {
    const double base = options.value("base", 10000.0);
    if (layer == "sinusoidal") {
      return {{"encoding", sinusoidal_encoding(options.at("positions").get<std::size_t>(),
                                               options.at("width").get<std::size_t>(), base)}};
    }
    if (layer == "rotary") {
      const auto pairing =
          chosen<RotaryPairing>(options.value("pairing", "interleaved"), {"interleaved", "halves"});
      return {{"encoding", rotary_encoding(inputs.at("x"), base, pairing)}};
    }
  }
  throw std::runtime_error("no layer " + layer);
}

template <class T>
Checks check_case(const std::string& layer, const Json& one) {
  if (!one.contains(dtype_name<T>)) return {};
  const auto name = one.at("name").get<std::string>();
  const Json& stored = one.at(dtype_name<T>);
  const double largest =
      stored.contains("scores") ? largest_magnitude(stored_array(stored.at("scores")).data) : 0.0;
  try {
    const NamedTensors<T> stages =
        layer_stages(layer, one.value("options", Json::object()), draw_inputs<T>(one));
    if (stages.size() != stored.size()) throw std::runtime_error("other stages than stored");
    return compared(Section::layers, layer, name, stored, stages, tolerance_of_chain<T>(stored, largest));
  } catch (const std::exception& error) {
    return {failed_check(Section::layers, layer + " " + dtype_name<T>, "",
                         Text::same(name + ": " + error.what()))};
  }
}

}  // namespace

template <class T>
NamedTensors<T> draw_inputs(const Json& layer_case) {
  NumpyRandom random(layer_case.at("seed").get<std::uint32_t>());
  const Json times = layer_case.value("times", Json::object());
  NamedTensors<T> inputs;
  for (const auto& [name, shape] : layer_case.at("inputs").items()) {
    Tensor<double> drawn = random.randn(shape.template get<std::vector<std::size_t>>());
    drawn *= times.value(name, 1.0);
    inputs.emplace(name, Tensor<T>(drawn));
  }
  return inputs;
}

template NamedTensors<float> draw_inputs(const Json&);
template NamedTensors<double> draw_inputs(const Json&);

Checks check_layers(const Json& file) {
  const auto layer = file.at("layer").get<std::string>();
  Checks checks;
  for (const Json& one : file.at("cases")) {
    append(checks, check_case<float>(layer, one));
    append(checks, check_case<double>(layer, one));
  }
  return checks;
}

}  // namespace attnlab
