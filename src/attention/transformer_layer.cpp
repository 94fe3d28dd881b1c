// One layer of a Transformer: what attention found is added to the tokens, then what the MLP makes of that.
#include "attention/transformer_layer.hpp"

#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

/// x + f(x). Without the check, a sub-layer of width 1 would be repeated along x instead of refused.
template <class T>
Tensor<T> add_residual(const Tensor<T>& x, const Tensor<T>& sublayer, const Text& name) {
  if (x.shape().back() != sublayer.shape().back()) {
    const std::size_t before = x.shape().back();
    refuse_usage(text("{0}の出力の次元 {2} が入力の次元 {1} と異なるので、残差接続で足せません",
                      "{} turns tokens of width {} into width {}, which cannot be added to them", name,
                      before, sublayer.shape().back()),
                 text("出力の次元を {} にしてください", "make its last weight give width {}", before));
  }
  return x + sublayer;
}

const Text attention_name{"アテンション", "attention"};
const Text mlp_name{"MLP", "the MLP"};

template <class T>
TransformerLayerStages<T> post_norm_layer(const TransformerLayer<T>& layer, const Tensor<T>& x,
                                          const AttentionOptions<T>& options) {
  TransformerLayerStages<T> stages;
  stages.attention = multi_head_attention(layer.attention, x, x, x, options);
  stages.residual_1 = add_residual(x, stages.attention.output, attention_name);  // X + Attention(X)
  stages.norm_1 = layer_norm(layer.attention_norm, stages.residual_1);           // Z
  stages.mlp = feed_forward(layer.mlp, stages.norm_1);                           // MLP(Z)
  stages.residual_2 = add_residual(stages.norm_1, stages.mlp.output, mlp_name);  // Z + MLP(Z)
  stages.norm_2 = layer_norm(layer.mlp_norm, stages.residual_2);
  stages.output = stages.norm_2;
  return stages;
}

template <class T>
TransformerLayerStages<T> pre_norm_layer(const TransformerLayer<T>& layer, const Tensor<T>& x,
                                         const AttentionOptions<T>& options) {
  TransformerLayerStages<T> stages;
  stages.norm_1 = layer_norm(layer.attention_norm, x);
  stages.attention =
      multi_head_attention(layer.attention, stages.norm_1, stages.norm_1, stages.norm_1, options);
  stages.residual_1 = add_residual(x, stages.attention.output, attention_name);  // R = X + Attention(LN(X))
  stages.norm_2 = layer_norm(layer.mlp_norm, stages.residual_1);
  stages.mlp = feed_forward(layer.mlp, stages.norm_2);
  stages.residual_2 = add_residual(stages.residual_1, stages.mlp.output, mlp_name);  // R + MLP(LN(R))
  stages.output = stages.residual_2;
  return stages;
}

}  // namespace

template <class T>
Tensor<T> relu(const Tensor<T>& x) {
  Tensor<T> result = Tensor<T>::from_shape(x.shape());
  std::transform(x.begin(), x.end(), result.begin(), [](T value) { return value < T(0) ? T(0) : value; });
  return result;
}

// The MLP: widen, cut off what is negative, narrow again, each token by itself.
template <class T>
FeedForwardStages<T> feed_forward(const FeedForward<T>& mlp, const Tensor<T>& x) {
  FeedForwardStages<T> stages;
  stages.hidden = linear(mlp.first, x);                  // x W_1ᵀ + b_1
  stages.activated = relu(stages.hidden);                // max(0, x W_1ᵀ + b_1)
  stages.output = linear(mlp.second, stages.activated);  // max(0, x W_1ᵀ + b_1) W_2ᵀ + b_2
  return stages;
}

template <class T>
TransformerLayerStages<T> transformer_layer(const TransformerLayer<T>& layer, const Tensor<T>& x,
                                            const AttentionOptions<T>& options) {
  if (layer.placement == NormPlacement::post) return post_norm_layer(layer, x, options);
  return pre_norm_layer(layer, x, options);
}

template Tensor<float> relu(const Tensor<float>&);
template Tensor<double> relu(const Tensor<double>&);
template FeedForwardStages<float> feed_forward(const FeedForward<float>&, const Tensor<float>&);
template FeedForwardStages<double> feed_forward(const FeedForward<double>&, const Tensor<double>&);
template TransformerLayerStages<float> transformer_layer(const TransformerLayer<float>&, const Tensor<float>&,
                                                         const AttentionOptions<float>&);
template TransformerLayerStages<double> transformer_layer(const TransformerLayer<double>&,
                                                          const Tensor<double>&,
                                                          const AttentionOptions<double>&);

}  // namespace attnlab
