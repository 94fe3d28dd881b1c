// What a run of the permutation experiment holds: one self-attention over four orders of its tokens.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// Self-attention over one order of the tokens. (n, d)
struct PermutationCase {
  Tensor<double> x;
  AttentionStages<double> attention;
};

/// The tokens in their first order and permuted, both without or both with positions added.
struct PermutationPair {
  PermutationCase first;
  PermutationCase permuted;
  Tensor<double> reordered_output;  // (n, d)  P Y: the first run's rows in the new order
  double output_error = 0.0;        // largest |Y' - P Y|
  double weights_error = 0.0;       // largest |A' - P A Pᵀ|
  double unmoved_difference = 0.0;  // largest |Y' - Y|, row by row as they stand
  double mean_difference = 0.0;     // largest difference of the mean over all rows
};

struct PermutationRun {
  Tape tape;
  std::vector<std::size_t> order;  // row i of the permuted run is token order[i]
  bool is_identity = false;
  std::vector<std::string> labels;  // of the tokens
  bool labels_are_words = false;
  Tensor<double> w_query;  // (d, d)
  Tensor<double> w_key;    // (d, d)
  Tensor<double> w_value;  // (d, d)
  PermutationPair plain;
  PermutationPair positioned;
  double carried_error = 0.0;  // the largest error when each token takes its position along

  /// Whether another order gives other rows once positions are added: not where own arrays make all rows
  /// alike.
  bool positions_matter() const;

  static PermutationRun compute(const Arguments& arguments, const Context& context);
};

/// "1.7e-16", "0.0392", "0".
std::string error_text(double error);

std::vector<Invariant> invariants(const PermutationRun& run);
std::vector<Block> body(const PermutationRun& run, const std::vector<Stage>& stages);
/// rows, plane.
std::vector<Figure> figures(const PermutationRun& run);

}  // namespace attnlab
