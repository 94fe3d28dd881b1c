#include "verification/layer_file_checks.hpp"

#include <string>

#include "attention/layer_norm.hpp"
#include "attention/transformer_layer.hpp"
#include "verification/comparer.hpp"
#include "verification/stored_layer.hpp"

namespace attnlab {
namespace {

/// A number minus itself is 0: of a width of 1 only the bias is left. PyTorch stores its rounding (1e-5).
StoredJson exact_for_width_1(const StoredJson& one, StoredJson stored) {
  if (one.at("gain").at("shape").front() != 1) return stored;
  for (StoredJson& number : stored.at("plain").at("data")) number = 0.0;
  for (StoredJson& number : stored.at("affine").at("data")) number = one.at("bias").at("data").front();
  return stored;
}

template <class T>
void check_norm(const StoredJson& one, std::vector<VerifyCheck>& checks) {
  const auto x = stored_tensor<T>(one.at("x"));
  LayerNorm<T> affine;
  affine.gain = stored_tensor<T>(one.at("gain"));
  affine.bias = stored_tensor<T>(one.at("bias"));
  // x - mean(x) carries the rounding of x itself, which the division by a small spread makes visible.
  const StoredJson stored = exact_for_width_1(one, one.at(dtype_name<T>));
  Comparer<T> comparer("layer_norm", stored, one.at("name").get<std::string>(),
                       tolerance_of_chain<T>(stored, largest_magnitude(numbers_of(x))));
  comparer.compare("plain", layer_norm(LayerNorm<T>{}, x));
  comparer.compare("affine", layer_norm(affine, x));
  const std::vector<VerifyCheck> more = comparer.all_compared();
  checks.insert(checks.end(), more.begin(), more.end());
}

template <class T>
TransformerLayer<T> read_layer(const StoredJson& weights) {
  return stored_layer<T>([&](const char* name) { return stored_tensor<T>(weights.at(name)); });
}

template <class T>
void check_layer(const StoredJson& file, const StoredJson& one, std::vector<VerifyCheck>& checks) {
  TransformerLayer<T> layer = read_layer<T>(file.at("weights"));
  const auto placement = one.at("placement").get<std::string>();
  layer.placement = placement == "pre" ? NormPlacement::pre : NormPlacement::post;
  AttentionOptions<T> options;
  options.mask = stored_tensor<T>(file.at("mask"));
  const TransformerLayerStages<T> stages = transformer_layer(layer, stored_tensor<T>(one.at("x")), options);
  const StoredJson& stored = one.at(dtype_name<T>);
  const double largest = largest_magnitude(numbers_of(stages.attention.attention.scores));
  Comparer<T> comparer("transformer_layer", stored, placement, tolerance_of_chain<T>(stored, largest));
  comparer.compare("attention", stages.attention.output);
  comparer.compare("residual_1", stages.residual_1);
  comparer.compare("norm_1", stages.norm_1);
  comparer.compare("mlp", stages.mlp.output);
  comparer.compare("residual_2", stages.residual_2);
  comparer.compare("norm_2", stages.norm_2);
  comparer.compare("output", stages.output);
  const std::vector<VerifyCheck> more = comparer.all_compared();
  checks.insert(checks.end(), more.begin(), more.end());
}

template <class T>
void check_mlp(const StoredJson& file, std::vector<VerifyCheck>& checks) {
  const StoredJson& one = file.at("mlp");
  const FeedForwardStages<T> stages =
      feed_forward(read_layer<T>(file.at("weights")).mlp, stored_tensor<T>(one.at("x")));
  const StoredJson& stored = one.at(dtype_name<T>);
  Comparer<T> comparer("mlp", stored, "", tolerance_of_chain<T>(stored, 0.0));
  comparer.compare("hidden", stages.hidden);
  comparer.compare("activated", stages.activated);
  comparer.compare("output", stages.output);
  const std::vector<VerifyCheck> more = comparer.all_compared();
  checks.insert(checks.end(), more.begin(), more.end());
}

}  // namespace

std::vector<VerifyCheck> check_layer_norm_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& one : file) {
    check_norm<float>(one, checks);
    check_norm<double>(one, checks);
  }
  return checks;
}

std::vector<VerifyCheck> check_transformer_layer_file(const StoredJson& file) {
  std::vector<VerifyCheck> checks;
  for (const StoredJson& one : file.at("layers")) {
    check_layer<float>(file, one, checks);
    check_layer<double>(file, one, checks);
  }
  check_mlp<float>(file, checks);
  check_mlp<double>(file, checks);
  return checks;
}

}  // namespace attnlab
