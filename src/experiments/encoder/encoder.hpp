// The encoder experiment: one layer in both forms, and what is measured on it.
#pragma once

#include "experiments/framework/experiment_kit.hpp"
#include "experiments/framework/layer_trace.hpp"

namespace attnlab {

/// One token through both forms of layer norm, and what variance each leaves to tokens of other spread.
struct NormExample {
  Tensor<double> before;        // (n)
  Tensor<double> by_variance;   // (n)  (x - μ) / √(σ² + δ)
  Tensor<double> by_deviation;  // (n)  (x - μ) / √(σ + δ), as the slide prints it
  double variance = 0.0;        // of the three
  double standard_variance = 0.0;
  double slide_variance = 0.0;
  Tensor<double> deviation;           // (s)  σ of the token stretched by a factor
  Tensor<double> variance_after;      // (s)
  Tensor<double> variance_deviation;  // (s)  the slide's
};

/// How far the result's row i moves when token j is set to zero: 0 off the diagonal where rows do not mix.
struct Reactions {
  Tensor<double> attention;  // (n, n)
  Tensor<double> norm;       // (n, n)
  Tensor<double> mlp;        // (n, n)
};

/// The same of two sequences in one batch: 0 outside the two blocks of attention, and off the diagonal of the
/// MLP.
struct BatchReactions {
  Tensor<double> attention;  // (2 n, 2 n)
  Tensor<double> mlp;        // (2 n, 2 n)
};

struct EncoderRun {
  Tape tape;
  std::size_t tokens = 0;
  std::size_t width = 0;
  NormPlacement placement = NormPlacement::post;
  std::size_t lit = 0;  // boxes of the architecture
  Tensor<double> x;     // (n, d)
  DrawnLayer drawn;
  TransformerLayerStages<double> post;
  TransformerLayerStages<double> pre;
  Reactions reactions;
  Tensor<double> other;  // (n, d)  a second sequence, beside x in a batch
  BatchReactions batch;
  NormExample example;
  double alone_error = 0.0;     // largest difference of the MLP, one token at a time against all together
  double alone_rounding = 0.0;  // how far the order of sums may move these, with own arrays of any size
  double order_rounding = 0.0;
  double order_error = 0.0;  // of the layer, tokens in reverse order against outputs in reverse order
  std::vector<std::string> labels;
  bool labels_are_words = false;

  static EncoderRun compute(const Arguments& arguments, const Context& context);
  bool is_post() const { return placement == NormPlacement::post; }
  /// The stages of the placement that was asked for.
  const TransformerLayerStages<double>& chosen() const { return is_post() ? post : pre; }
};

/// Mean Euclidean length of the rows.
double mean_length(const Tensor<double>& tokens);

std::vector<Invariant> invariants(const EncoderRun& run);
std::vector<Block> body(const EncoderRun& run, const std::vector<Stage>& stages);
/// flow (the values through the layer), diagram, layer-norm, reaction, batch, architecture.
std::vector<Figure> figures(const EncoderRun& run);
/// The slides' architecture: the encoder with its positions, and the decoder beside it.
Figure encoder_architecture_figure(const EncoderRun& run);

using OfTokens = std::function<Tensor<double>(const Tensor<double>&)>;
/// How far row i of function(x) moves when row j of x is set to zero: (n, n).
Tensor<double> reaction(const Tensor<double>& x, const OfTokens& function);
/// 0 where no row moves another.
double largest_off_diagonal(const Tensor<double>& reaction);

// --- batch.cpp

BatchReactions react_in_batch(Tape& tape, const EncoderRun& run, const TransformerLayer<double>& layer);
std::vector<Invariant> batch_invariants(const EncoderRun& run);
/// Each change as a share of the map's largest: the functions change lengths that differ by far.
inline const ColourScale share_colours{Palette::blues, 0.0, 1.0, {"変化 ÷ 図の最大", "Change / its largest"}};
HeatMap share_map(const std::string& id, const Tensor<double>& values);
/// Who reacts to whom in a batch of two sequences.
Figure encoder_batch_figure(const EncoderRun& run);

}  // namespace attnlab
