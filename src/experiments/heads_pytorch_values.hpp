// What PyTorch's nn.MultiheadAttention gives for the weights and tokens of `heads --variant parity`.
#pragma once

#include <vector>

namespace attnlab {

struct PytorchValues {
  // Floats, kept as double.
  std::vector<double> output;   // (tokens, d_model) = (4, 8), float32
  std::vector<double> weights;  // (heads, queries, keys) = (2, 4, 4), float32
};

/// Article's comparison: in_proj_weight holds W_Q, W_K, W_V of all heads, out_proj.weight is W_O transposed.
/// Recipe: data/reference/make_heads_reference.py.
const PytorchValues& pytorch_values();

}  // namespace attnlab
