// What a run of self-attention holds.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// n tokens; rows of the weights are queries, columns are keys. Or one head of a trained model
/// (model/experiments), whose queries, keys and values are what it begins with. What is only drawn stands on
/// the tape alone.
struct SelfAttentionRun {
  Tape tape;
  std::optional<Tensor<double>> mask;  // (n, n)  0, a bias or -inf; of a model that reads backwards alone
  AttentionStages<double> attention;
  double scale = 1.0;      // what multiplied the scores
  std::string scale_text;  // as the user typed it: "default", "none" or a number
  Interval data;           // smallest and largest weight
  std::vector<ShortText> labels;
  bool labels_are_words = false;
  bool is_documents = false;  // nothing was chosen

  static SelfAttentionRun compute(const Arguments& arguments, const Context& context);
};

std::vector<Scalar> scalars(const SelfAttentionRun& run);
std::vector<Invariant> invariants(const SelfAttentionRun& run);
std::vector<Block> body(const SelfAttentionRun& run, const std::vector<Stage>& stages);
std::vector<Figure> figures(const SelfAttentionRun& run);

/// Whether all weights lie within half an equal share, 1 / (2 n), of one another.
bool almost_even(const SelfAttentionRun& run);
/// Whether the weights are almost uniform because small random projections leave every score below 1/4 in
/// size. False for a number as --scale: then the scale may be the reason.
bool small_by_projection(const SelfAttentionRun& run);

}  // namespace attnlab
