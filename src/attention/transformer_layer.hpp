// One layer of a Transformer: attention, then the MLP, each with a residual connection and a layer norm. With
// a causal mask it is a layer of a decoder-only model (GPT); without, of an encoder.
#pragma once

#include "attention/layer_norm.hpp"
#include "attention/linear.hpp"
#include "attention/multi_head.hpp"

namespace attnlab {

/// The MLP: two linear layers with ReLU between, the same for every token.
template <class T>
struct FeedForward {
  Linear<T> first;   // (hidden, width)
  Linear<T> second;  // (width, hidden)
};

template <class T>
struct FeedForwardStages {
  Tensor<T> hidden;     // (..., hidden)  x W_1ᵀ + b_1
  Tensor<T> activated;  // (..., hidden)  max(0, hidden)
  Tensor<T> output;     // (..., width)
};

/// max(0, x), element by element; NaN stays NaN, as in NumPy and PyTorch.
template <class T>
Tensor<T> relu(const Tensor<T>& x);

/// x (..., width). Throws Error (usage) when the widths do not fit. Source: Vaswani et al. 2017, eq. 2;
/// slides, MLP.
template <class T>
FeedForwardStages<T> feed_forward(const FeedForward<T>& mlp, const Tensor<T>& x);

/// Where the norm stands: after the addition (the slides, Vaswani et al. 2017), or before each sub-layer
/// (GPT-2).
enum class NormPlacement { post, pre };

template <class T>
struct TransformerLayer {
  MultiHeadWeights<T> attention;
  FeedForward<T> mlp;
  LayerNorm<T> attention_norm;
  LayerNorm<T> mlp_norm;
  NormPlacement placement = NormPlacement::post;
};

/// post: residual_1 = x + attention(x), norm_1 = LN(residual_1), residual_2 = norm_1 + mlp(norm_1),
///       norm_2 = LN(residual_2), output = norm_2.
/// pre:  norm_1 = LN(x), residual_1 = x + attention(norm_1), norm_2 = LN(residual_1),
///       residual_2 = residual_1 + mlp(norm_2), output = residual_2.
template <class T>
struct TransformerLayerStages {
  MultiHeadStages<T> attention;
  Tensor<T> residual_1;  // (..., tokens, width); so are all below but the MLP's hidden ones
  Tensor<T> norm_1;
  FeedForwardStages<T> mlp;
  Tensor<T> residual_2;
  Tensor<T> norm_2;
  Tensor<T> output;
};

/// x (..., tokens, width); the options' mask broadcasts to (..., heads, tokens, tokens). Throws Error (usage)
/// when a weight does not fit. Source: Vaswani et al. 2017, section 3.1; slides, encoder layer and GPT
/// preview.
template <class T>
TransformerLayerStages<T> transformer_layer(const TransformerLayer<T>& layer, const Tensor<T>& x,
                                            const AttentionOptions<T>& options = {});

}  // namespace attnlab
