// The decoder experiment: a small GPT, one run of it, and what is measured on it.
#pragma once

#include "experiments/framework/experiment_kit.hpp"
#include "experiments/framework/layer_trace.hpp"

namespace attnlab {

/// GPT-2's arrangement without biases and gains: pre-norm layers, a last layer norm, a linear map, softmax.
/// Drawn in this order.
struct DecoderModel {
  Tensor<double> embedding;        // (words, width)
  std::vector<DrawnLayer> layers;  // MLPs of 4 width hidden units
  Tensor<double> w_vocabulary;     // (width, words)
};

/// How large a model is, and how many weights its parts have; biases and gains are not counted.
struct WeightCounts {
  std::size_t words = 0;   // of the vocabulary
  std::size_t width = 0;   // of the stream
  std::size_t hidden = 0;  // of the MLP
  std::size_t embedding = 0;
  std::size_t attention = 0;  // of one layer: W_Q, W_K, W_V, W_O
  std::size_t mlp = 0;        // of one layer: W_1, W_2
  std::size_t vocabulary = 0;
  std::size_t layers = 0;

  std::size_t in_layers() const { return layers * (attention + mlp); }
  std::size_t all() const { return embedding + in_layers() + vocabulary; }
};

constexpr double position_base = 10000.0;  // Vaswani et al. 2017; the slides' L

/// One run over n words.
struct DecoderPass {
  Tensor<double> x;  // (n, width)  word vectors plus positions: the residual stream at its beginning
  std::vector<TransformerLayerStages<double>> layers;
  Tensor<double> logits;         // (n, words)
  Tensor<double> probabilities;  // (n, words)  row i: the word after word i
};

/// The book's model, drawn; or a trained one that has read a text (model/experiments): of its vocabulary and
/// its pass there is then what the figures show, the likeliest words and the heads' weights.
struct DecoderRun {
  Tape tape;
  std::vector<std::string> vocabulary;
  std::vector<std::size_t> prompt;   // its words by their numbers
  std::vector<std::string> history;  // its words
  std::string replacement;           // what the last one is replaced by, to see what that moves
  bool is_gpt = true;                // layer norms before the sub-layers, and places that are added
  std::size_t heads = 0;
  std::size_t lit = 0;  // boxes of the architecture
  DecoderModel model;
  WeightCounts counts;
  DecoderPass pass;
  // how far the logits of position i move when word j is replaced by the next of the vocabulary
  Tensor<double> reaction;               // (n, n)
  Tensor<double> reaction_without_mask;  // (n, n)
  Tensor<double> stream_length;          // (2 layers + 1, n)  before, and after every sub-layer
  Tensor<double> added_length;           // (2 layers, n)  what each sub-layer added
  double prefix_error = 0.0;             // logits of the prompt without its last word against the first rows
  double sum_error = 0.0;                // end of the stream against x plus everything that was added

  static DecoderRun compute(const Arguments& arguments, const Context& context);
  std::size_t last() const { return prompt.size() - 1; }  // position
};

/// By their numbers.
using WordNumbers = std::vector<std::size_t>;

/// How far the logits of every place, `logits_of` (n, vocabulary), move when the word of one place becomes
/// the next of the vocabulary: (n, n).
Tensor<double> reactions(const WordNumbers& prompt, std::size_t vocabulary,
                         const std::function<Tensor<double>(const WordNumbers&)>& logits_of);

/// The largest entry above the diagonal: what the future changes.
double leak(const Tensor<double>& reaction);

/// The words of row `position`, most probable first.
std::vector<std::size_t> ranking(const DecoderRun& run, std::size_t position);

/// A word of the prompt or the vocabulary: in English a sentence of as many words, some of which come again
/// at the same places, stands for the book's: This is a small cat . It is not named . Any other word is as
/// the user typed it.
Text word_text(const std::string& word);

/// "アテンション 0", "Attention 0", "MLP 0": sub-layers 2 l and 2 l + 1 belong to layer l.
Text sublayer_name(std::size_t sublayer);

std::vector<Scalar> scalars(const DecoderRun& run);
std::vector<Invariant> invariants(const DecoderRun& run);
std::vector<Block> body(const DecoderRun& run, const std::vector<Stage>& stages);
/// next-token, stream, leak, weights, and of a GPT architecture: the slides' preview.
std::vector<Figure> figures(const DecoderRun& run);

}  // namespace attnlab
