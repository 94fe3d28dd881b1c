// Document C: the notebook's multi-head attention.

#include <algorithm>
#include <cmath>

#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "attention/weight_layout.hpp"
#include "claims/claim.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "random/torch_random.hpp"

namespace attnlab {

namespace {

constexpr std::size_t notebook_width = 128;
constexpr std::size_t notebook_heads = 4;

/// nn.Linear's weight (out, in) as one projection per head (heads, in, out / heads).
Tensor<float> per_head(const Tensor<float>& weight) {
  return split_heads(transpose(weight), notebook_heads);
}

Tensor<float> bias_per_head(const Tensor<float>& bias) {
  Tensor<float> split = bias;
  split.reshape({notebook_heads, notebook_width / notebook_heads});
  return split;
}

/// The notebook from torch.manual_seed(0): the input, then W_q, W_k, W_v, W_o.
MultiHeadStages<float> notebook() {
  TorchRandom random(0);
  const Tensor<float> x = random.randn({1, 7, notebook_width});
  const TorchLinear query = random.linear(notebook_width, notebook_width);
  const TorchLinear key = random.linear(notebook_width, notebook_width);
  const TorchLinear value = random.linear(notebook_width, notebook_width);
  const TorchLinear output = random.linear(notebook_width, notebook_width);
  MultiHeadWeights<float> weights;
  weights.query = per_head(query.weight);
  weights.key = per_head(key.weight);
  weights.value = per_head(value.weight);
  weights.output = transpose(output.weight);
  weights.query_bias = bias_per_head(query.bias);
  weights.key_bias = bias_per_head(key.bias);
  weights.value_bias = bias_per_head(value.bias);
  weights.output_bias = output.bias;
  return multi_head_attention(weights, x, x, x);
}

Finding output_shape(const Mathematics&) {
  const Tensor<float> output = notebook().output;
  const bool same = output.dimension() == 3 && output.shape()[0] == 1 && output.shape()[1] == 7 &&
                    output.shape()[2] == notebook_width;
  return holds_if(same,
                  text("torch.manual_seed(0) で出力は ({}, {}, {})、最初の値は {:.6f} です。",
                       "From torch.manual_seed(0) the output has shape ({}, {}, {}) and begins with {:.6f}.",
                       output.shape()[0], output.shape()[1], output.shape()[2], output.flat(0)),
                  {{"first_value", static_cast<double>(output.flat(0))}});
}

Finding normalised(const Mathematics&) {
  const Tensor<double> weights = xt::cast<double>(notebook().attention.weights);  // (1, heads, 7, 7)
  const double error = row_sum_error(weights);
  return holds_if(error < 1e-6,
                  text("4 ヘッド × 7 行の注意度で、行の和と 1 の差は最大 {:.1g} です（float32）。",
                       "The sums of 4 heads × 7 rows differ from 1 by at most {:.1g} (float32).", error),
                  {{"sum_error", error}});
}

Finding different_heads(const Mathematics&) {
  const Tensor<float> weights = notebook().attention.weights;
  double smallest = 1.0;
  for (std::size_t a = 0; a < notebook_heads; ++a) {
    for (std::size_t b = a + 1; b < notebook_heads; ++b) {
      double difference = 0.0;
      for (std::size_t i = 0; i < 49; ++i) {
        difference = std::max(difference, std::abs(static_cast<double>(weights.flat(a * 49 + i)) -
                                                   static_cast<double>(weights.flat(b * 49 + i))));
      }
      smallest = std::min(smallest, difference);
    }
  }
  return holds_if(
      smallest > 0.01,
      text("学習前の乱数の重みでも、どの 2 つのヘッドを比べても、注意度が {:.2f} 以上違うところがあります。",
           "Even with untrained random weights any two heads differ by {:.2f} or more somewhere.", smallest),
      {{"smallest_difference", smallest}});
}

}  // namespace

std::vector<ClaimCheck> notebook_checks() {
  return {
      {"C-normalised", normalised},
      {"C-different-heads", different_heads},
      {"C-output-shape", output_shape},
  };
}

}  // namespace attnlab
