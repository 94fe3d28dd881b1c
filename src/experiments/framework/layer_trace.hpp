// The sub-steps of one Transformer layer as stages of a trace, each derived from the one before.
#pragma once

#include "attention/transformer_layer.hpp"
#include "experiments/framework/tape.hpp"

namespace attnlab {

/// A layer without biases and gains as it was drawn: the MLP's matrices are (in, out), as the documents write
/// them.
struct DrawnLayer {
  MultiHeadWeights<double> attention;
  Tensor<double> w_1;  // (width, hidden)
  Tensor<double> w_2;  // (hidden, width)
};

/// Puts W_Q, W_K, W_V (heads, width, head_width), W_O (width, width), W_1, W_2 on the tape, in this order and
/// as `prefix`w_query, w_key, w_value, w_output, w_1, w_2: standard normals times factor(inputs).
DrawnLayer draw_layer(Tape& tape, const std::string& prefix, std::size_t width, std::size_t heads,
                      std::size_t hidden, Factor (*factor)(std::size_t inputs));

/// How a layer's weights are declared as inputs; the head's width and the hidden one in words or as
/// parameters.
std::vector<DeclaredInput> declared_layer(const std::string& prefix, const std::string& hidden);

/// For weights of any size, how far another order of the same sums may move a number of the layer's output
/// where its input x is already off by `error`: bounds of every sum's size, one after the other.
double rounding_of_layer(const DrawnLayer& drawn, NormPlacement placement,
                         const TransformerLayerStages<double>& stages, const Tensor<double>& x, double error);

/// The same behind a layer norm of these tokens: it divides by √(σ² + δ) of the least of them, and its
/// results are up to √d.
double rounding_of_norm(const Tensor<double>& tokens, double error);

TransformerLayer<double> transformer_layer_of(const DrawnLayer& drawn, NormPlacement placement);

/// What a trace must know besides the numbers: names are interfaces, symbols go into formulas.
struct LayerTrace {
  std::string prefix;  // of this layer's stages, its weights included: "layer_0_"
  std::string input;   // the stage that enters the layer: "x"
  Formula input_symbol;
  std::string mask;  // the stage that is added to the scores; empty without one
};

/// Computes query, key, value, raw_scores, scores, (masked,) weights, head_output, concat, attention,
/// residual_1, norm_1, hidden, activated, mlp, residual_2, output; with the norm before the sub-layers also
/// norm_2. The layer has no biases and no gains, and its weights stand on the tape.
TransformerLayerStages<double> layer_on(Tape& tape, const LayerTrace& trace, NormPlacement placement);

/// The Euclidean length of every row of tokens (n, width): (n).
Tensor<double> token_lengths(const Tensor<double>& tokens);

}  // namespace attnlab
