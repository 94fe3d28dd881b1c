// One reader per file of data/reference/attention: its inputs in, its stages compared.
#include "verification/function_checks.hpp"

#include "attention/positional.hpp"
#include "attention/softmax.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "io/rotary_config.hpp"

namespace attnlab {
namespace {

/// What check(one, zero) finds in each case, first with a zero of type float, then with a double's.
template <class Check>
Checks in_both_types(const Json& cases, Check check) {
  Checks checks;
  for (const Json& one : cases) {
    append(checks, check(one, 0.0F));
    append(checks, check(one, 0.0));
  }
  return checks;
}

/// The stages of one case against those that are stored under its type.
template <class T>
Checks of_case(const std::string& function, const std::string& detail, const Json& one,
               const NamedTensors<T>& stages, double tolerance) {
  return compared(Section::functions, function, detail, one.at(dtype_name<T>), stages, tolerance);
}

Checks softmax_file(const Json& file) {
  return in_both_types(file, [](const Json& one, auto zero) {
    using T = decltype(zero);
    const auto scores = stored_tensor<T>(one.at("scores"));
    const NamedTensors<T> stages{{"softmax", softmax(scores)},
                                 {"softmax_naive", softmax_naive(scores)},
                                 {"softmax_global_maximum", softmax_global_maximum(scores)}};
    return of_case("softmax", one.at("name"), one, stages, tolerance_for<T>(largest_magnitude(scores)));
  });
}

Checks attention_file(const Json& file) {
  return in_both_types(file, [](const Json& one, auto zero) {
    using T = decltype(zero);
    AttentionOptions<T> options;
    if (!one.at("scale").is_null()) options.scale = one.at("scale").get<T>();
    if (!one.at("mask").is_null()) options.mask = stored_tensor<T>(one.at("mask"));
    const AttentionStages<T> stages =
        scaled_dot_product_attention(stored_tensor<T>(one.at("query")), stored_tensor<T>(one.at("key")),
                                     stored_tensor<T>(one.at("value")), options);
    const Json& stored = one.at(dtype_name<T>);
    const double largest = largest_magnitude(stored_array(stored.at("scores")).data);
    return of_case("scaled_dot_product", one.at("name"), one, named(stages),
                   tolerance_of_chain<T>(stored, largest));
  });
}

/// The article's own runs in that file are runs of `self-attention` and `heads`, compared in full there.
Checks multi_head_file(const Json& file) {
  return in_both_types(Json::array({file.at("general")}), [](const Json& general, auto zero) {
    using T = decltype(zero);
    const auto read = [&](const char* name) { return stored_tensor<T>(general.at(name)); };
    const MultiHeadWeights<T> weights{read("w_q"), read("w_k"), read("w_v"), read("w_o")};
    const MultiHeadStages<T> stages = multi_head_attention(weights, read("query"), read("key"), read("value"),
                                                           {std::nullopt, read("mask")});
    // Sums over d_model, d_k, the keys and the joined heads.
    const std::size_t terms = weights.query.shape()[1] + weights.query.shape()[2] +
                              stages.attention.weights.shape().back() + weights.output.shape()[0];
    const double largest = largest_magnitude(stages.attention.scores);
    return of_case<T>("multi_head", "3 heads, d_k 2, d_v 3, batch 2, one mask per head", general,
                      {{"weights", stages.attention.weights}, {"output", stages.output}},
                      std::max(tolerance_for<T>(largest), rounding_of<T>(terms, largest)));
  });
}

Checks positional_file(const Json& file) {
  Checks checks;
  const double tolerance = tolerance_for<double>();
  for (const Json& one : file.at("sinusoidal")) {
    const auto positions = one.at("positions").get<std::size_t>();
    const auto width = one.at("width").get<std::size_t>();
    const Tensor<double> encoding = sinusoidal_encoding(positions, width, one.at("base").get<double>());
    append(checks, compared<double>(Section::functions, "sinusoidal",
                                    std::to_string(positions) + " x " + std::to_string(width),
                                    {{"encoding", one.at("encoding")}}, {{"encoding", encoding}}, tolerance));
  }
  Json rotary = file.at("rotary");
  const auto x = stored_tensor<double>(rotary.at("x"));
  rotary.erase("x");
  append(checks, compared<double>(Section::functions, "rotary", "2 x 3 x 6", rotary,
                                  {{"interleaved", rotary_encoding(x, 10000.0, RotaryPairing::interleaved)},
                                   {"halves", rotary_encoding(x, 10000.0, RotaryPairing::halves)}},
                                  tolerance));
  return checks;
}

/// NumPy's stages in float64; float32 is compared with them, too.
Checks additive_file(const Json& file) {
  return in_both_types(file, [](const Json& one, auto zero) {
    using T = decltype(zero);
    const auto read = [&](const char* name) { return stored_tensor<T>(one.at(name)); };
    const AdditiveStages<T> stages = additive_attention(AdditiveWeights<T>{read("w_hidden"), read("w_score")},
                                                        read("query"), read("key"), read("value"));
    // The inputs have more digits than a float: tanh passes their rounding on to the scores.
    const double largest = 10.0;
    const Json& stored = one.at("stages");
    return compared(Section::functions, "additive", one.at("name"), stored, named(stages),
                    tolerance_of_chain<T>(stored, largest));
  });
}

/// A number minus itself is 0: of a width of 1 only the bias is left. PyTorch stores its rounding (1e-5).
Json exact_for_width_1(const Json& one, Json stored) {
  if (one.at("gain").at("shape").front() != 1) return stored;
  for (Json& number : stored.at("plain").at("data")) number = 0.0;
  for (Json& number : stored.at("affine").at("data")) number = one.at("bias").at("data").front();
  return stored;
}

Checks layer_norm_file(const Json& file) {
  return in_both_types(file, [](const Json& one, auto zero) {
    using T = decltype(zero);
    const auto x = stored_tensor<T>(one.at("x"));
    LayerNorm<T> affine;
    affine.gain = stored_tensor<T>(one.at("gain"));
    affine.bias = stored_tensor<T>(one.at("bias"));
    // x - mean(x) carries the rounding of x itself, which the division by a small spread makes visible.
    const Json stored = exact_for_width_1(one, one.at(dtype_name<T>));
    return compared<T>(Section::functions, "layer_norm", one.at("name"), stored,
                       {{"plain", layer_norm(LayerNorm<T>{}, x)}, {"affine", layer_norm(affine, x)}},
                       tolerance_of_chain<T>(stored, largest_magnitude(x)));
  });
}

Checks transformer_layer_file(const Json& file) {
  const auto read_layer = [&](auto zero) {
    using T = decltype(zero);
    return stored_layer<T>([&](const char* name) { return stored_tensor<T>(file.at("weights").at(name)); });
  };
  Checks checks = in_both_types(file.at("layers"), [&](const Json& one, auto zero) {
    using T = decltype(zero);
    TransformerLayer<T> layer = read_layer(zero);
    layer.placement = one.at("placement") == "pre" ? NormPlacement::pre : NormPlacement::post;
    const TransformerLayerStages<T> stages = transformer_layer(
        layer, stored_tensor<T>(one.at("x")), {std::nullopt, stored_tensor<T>(file.at("mask"))});
    const double largest = largest_magnitude(stages.attention.attention.scores);
    return of_case("transformer_layer", one.at("placement"), one, named(stages),
                   tolerance_of_chain<T>(one.at(dtype_name<T>), largest));
  });
  append(checks, in_both_types(Json::array({file.at("mlp")}), [&](const Json& one, auto zero) {
           using T = decltype(zero);
           const FeedForwardStages<T> stages =
               feed_forward(read_layer(zero).mlp, stored_tensor<T>(one.at("x")));
           return of_case("mlp", "", one, named(stages), tolerance_of_chain<T>(one.at(dtype_name<T>), 0.0));
         }));
  return checks;
}

/// Frequencies and attention factor of a configuration, read and computed.
Checks rotary_scaling_file(const Json& file) {
  Checks checks;
  for (const Json& one : file) {
    const RotaryTurns turns = rotary_turns(one.at("base"), one.at("width"), one.at("length"),
                                           rotary_config(one.at("config")).scaling);
    const NamedTensors<double> stages{{"frequencies", to_tensor(turns.frequencies)},
                                      {"attention_factor", {turns.attention}}};
    append(checks, of_case<double>("rotary_scaling", one.at("name"), one, stages, tolerance64()));
  }
  return checks;
}

}  // namespace

Checks check_functions(const std::string& path, const Json& file) {
  static const std::map<std::string, Checks (*)(const Json&)> readers{
      {"attention/additive.json", additive_file},
      {"attention/softmax.json", softmax_file},
      {"attention/scaled_dot_product.json", attention_file},
      {"attention/multi_head.json", multi_head_file},
      {"attention/positional.json", positional_file},
      {"attention/rotary_scaling.json", rotary_scaling_file},
      {"attention/layer_norm.json", layer_norm_file},
      {"attention/transformer_layer.json", transformer_layer_file},
      {"random/numpy_random.json", check_numpy_random},
      {"random/torch_random.json", check_torch_random},
  };
  const auto reader = readers.find(path);
  if (reader == readers.end()) {
    return {failed_check(Section::functions, path, "",
                         {"data/reference のこのファイルを読む関数がありません",
                          "nothing reads this file of data/reference"})};
  }
  return reader->second(file);
}

}  // namespace attnlab
