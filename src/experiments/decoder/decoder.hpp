// The decoder experiment in parts: the model, what is measured on it, what it says, and what it draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attention/transformer_layer.hpp"
#include "core/tensor.hpp"
#include "experiments/framework/layer_trace.hpp"
#include "experiments/framework/random_stream.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// GPT-2's arrangement without biases and gains: pre-norm layers, a last layer norm, a linear map, softmax.
struct DecoderModel {
  Tensor<double> embedding;        // (words, width)
  std::vector<DrawnLayer> layers;  // MLPs of 4 width hidden units
  Tensor<double> w_vocabulary;     // (width, words)
};

struct DecoderSize {
  std::size_t words = 0;
  std::size_t width = 0;
  std::size_t heads = 0;
  std::size_t layers = 0;
};

/// In this order: the embedding; per layer W_Q, W_K, W_V, W_O, W_1, W_2; the output's W. Standard normals,
/// all but the embedding divided by the root of the number of inputs.
DecoderModel draw_decoder(RandomStream& random, const DecoderSize& size);

/// What a query may read: the words up to its own, or all of them (an encoder; for comparison).
enum class Sight { causal, everything };

/// 0 where a query may read, -inf where not; (n, n).
Tensor<double> sight_mask(std::size_t tokens, Sight sight);

/// One run over n words.
struct DecoderPass {
  Tensor<double> one_hot;    // (n, words)
  Tensor<double> embedded;   // (n, width)
  Tensor<double> positions;  // (n, width)  the sinusoidal encoding
  Tensor<double> x;          // (n, width)  their sum: the residual stream at its beginning
  Tensor<double> mask;       // (n, n)
  std::vector<TransformerLayerStages<double>> layers;
  Tensor<double> final_norm;     // (n, width)
  Tensor<double> logits;         // (n, words)
  Tensor<double> probabilities;  // (n, words)  row i: the word after word i
};

/// `words` are indices into the vocabulary. Source: slides, GPT preview (LSM); Radford et al. 2019, 2.3.
DecoderPass decode(const DecoderModel& model, const std::vector<std::size_t>& words, Sight sight);

struct DecoderRun {
  std::vector<std::string> vocabulary;
  std::vector<std::size_t> prompt;   // indices into the vocabulary
  std::vector<std::string> history;  // the prompt's words
  DecoderSize size;
  DecoderModel model;
  DecoderPass pass;
  // how far the logits of position i move when word j is replaced by the next of the vocabulary
  Tensor<double> reaction;               // (n, n)
  Tensor<double> reaction_without_mask;  // (n, n)
  Tensor<double> stream_length;          // (2 layers + 1, n)  before, and after every sub-layer
  Tensor<double> added_length;           // (2 layers, n)  what each sub-layer added
  double prefix_error = 0.0;             // logits of the prompt without its last word against the first rows
  double sum_error = 0.0;                // end of the stream against x plus everything that was added
  std::uint32_t seed = 0;
};

/// The largest entry above the diagonal: what the future changes.
double leak(const Tensor<double>& reaction);

/// The words of row `position`, most probable first.
std::vector<std::size_t> ranking(const DecoderRun& run, std::size_t position);

/// "アテンション 0", "Attention 0", "MLP 0": sub-layers 2 l and 2 l + 1 belong to layer l.
Text sublayer_name(std::size_t sublayer);

std::vector<Stage> decoder_trace(const DecoderRun& run);
std::vector<Scalar> decoder_scalars(const DecoderRun& run);
std::vector<Invariant> decoder_invariants(const DecoderRun& run);
std::vector<Block> decoder_body(const DecoderRun& run, const std::vector<Stage>& stages);

/// next-token, stream, leak, weights.
std::vector<Figure> decoder_figures(const DecoderRun& run);

}  // namespace attnlab
