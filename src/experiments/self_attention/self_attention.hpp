// What a run of self-attention holds, and what is made of it: the trace, the words, the figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attention/scaled_dot_product.hpp"
#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// n tokens of width d; rows of the weights are queries, columns are keys.
struct SelfAttentionRun {
  Tensor<double> x;        // (n, d)
  Tensor<double> w_query;  // (d, d)
  Tensor<double> w_key;    // (d, d)
  Tensor<double> w_value;  // (d, d)
  Tensor<double> query;    // (n, d)  X W_Q
  Tensor<double> key;      // (n, d)  X W_K
  Tensor<double> value;    // (n, d)  X W_V
  AttentionStages<double> attention;
  double scale = 1.0;      // what multiplied the scores
  std::string scale_text;  // as the user typed it: "default", "none" or a number
  Interval data;           // smallest and largest weight
  std::vector<std::string> labels;
  bool labels_are_words = false;
  std::uint32_t seed = 0;
  std::string rng;  // "numpy" or "torch"
};

/// Whether all weights lie within half an equal share, 1 / (2 n), of one another.
bool almost_even(const SelfAttentionRun& run);

/// Whether the weights are almost even because small random projections leave every score below 1/4 in size.
/// False for a number as --scale: then the scale may be the reason.
bool small_by_projection(const SelfAttentionRun& run);

// stages.cpp
std::vector<Stage> self_attention_stages(const SelfAttentionRun& run);
std::vector<Scalar> self_attention_scalars(const SelfAttentionRun& run);
std::vector<Invariant> self_attention_invariants(const SelfAttentionRun& run);

// report.cpp
std::vector<Block> self_attention_body(const SelfAttentionRun& run, const std::vector<Stage>& stages);

// figures.cpp: the article's annotated weights, and every matrix from X to the output
std::vector<Figure> self_attention_figures(const SelfAttentionRun& run);

}  // namespace attnlab
