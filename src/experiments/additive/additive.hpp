// The additive experiment: a small network scores query and key together, beside the dot product.
#pragma once

#include "attention/additive.hpp"
#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// The dot product of the same queries and keys; only where they have the same width.
struct DotProductRuns {
  Tensor<double> plain;   // (queries, keys)  the weights
  Tensor<double> scaled;  // (queries, keys)  those of scores times 1 / sqrt(d_k)
};

/// The same keys cut to half their width, which the additive network takes and the dot product refuses.
struct ShortenedKeys {
  Tensor<double> key;                // (keys, d_k / 2)
  AdditiveStages<double> attention;  // the values are the keys
};

/// The same network without its tanh: W v is a single vector (u; w), and the score is u·q + w·k.
struct LinearScores {
  Tensor<double> vector;   // (d_q + d_k)  W v = (u; w)
  Tensor<double> scores;   // (queries, keys)
  Tensor<double> weights;  // (queries, keys)
};

/// m queries of width d_q, n keys (also the values) of width d_k, a hidden layer of `units`.
struct AdditiveRun {
  Tape tape;
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t d_q = 0;
  std::size_t d_k = 0;
  std::size_t joined_width = 0;  // d_q + d_k
  std::size_t units = 0;
  std::size_t parameters = 0;        // that are learned: W and v; the dot product has none
  Tensor<double> query;              // (m, d_q)
  Tensor<double> key;                // (n, d_k)
  AdditiveWeights<double> network;   // W (d_q + d_k, units), v (units)
  Tensor<double> pairs;              // (m, n, d_q + d_k)  [q; k]
  AdditiveStages<double> attention;  // the values are the keys
  std::optional<DotProductRuns> dot;
  std::optional<ShortenedKeys> shortened;  // exists when `dot` does
  std::optional<Text> refusal;             // what the dot product says to unequal widths
  double refusals = 0.0;                   // of one attempt
  LinearScores linear;

  static AdditiveRun compute(const Arguments& arguments, const Context& context);
};

/// "0.36": the largest weight; one below 1 that would be printed as 1.00 becomes "> 0.99".
std::string largest_in_two_digits(const Tensor<double>& weights);

/// The largest difference between two rows, over all columns.
double difference_of_rows(const Tensor<double>& weights);

std::vector<Invariant> invariants(const AdditiveRun& run);
/// weights, network, mistake.
std::vector<Figure> figures(const AdditiveRun& run);

}  // namespace attnlab
