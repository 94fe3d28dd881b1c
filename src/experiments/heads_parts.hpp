// The heads experiment in parts: what it computes, and the figures that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attention/multi_head.hpp"
#include "core/tensor.hpp"
#include "plotting/figure.hpp"

namespace attnlab {

/// n tokens of width d_model, h heads of width d_model / h.
struct HeadsRun {
  Tensor<double> x;                  // (n, d_model)
  MultiHeadWeights<double> weights;  // W_Q, W_K, W_V (h, d_model, d_k), W_O (h d_k, d_model)
  MultiHeadStages<double> stages;    // weights (h, n, n), output (n, d_model)
  std::size_t tokens = 0;
  std::size_t heads = 0;
  Interval data;     // smallest and largest weight of all heads
  Interval colours;  // the numbers at both ends of the colour scale
  std::vector<std::string> labels;
  bool labels_are_words = false;
  std::uint32_t seed = 0;
};

/// The key that a query of a head weighs most.
std::size_t favourite_key(const HeadsRun& run, std::size_t head, std::size_t query);

/// For how many queries the heads do not all have the same favourite key.
std::size_t disagreements(const HeadsRun& run);

/// Article's figure: one panel of weights per head, one colour scale.
Figure heads_weights_figure(const HeadsRun& run);

/// The joined heads beside the output, W_O between them.
Figure heads_output_figure(const HeadsRun& run);

}  // namespace attnlab
