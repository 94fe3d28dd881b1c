// Multi-head attention: project the tokens once per head, attend in each head, join the heads, mix with W_O.
#include "attention/multi_head.hpp"

#include "attention/head_axis.hpp"
#include "attention/matmul.hpp"
#include "attention/multi_head_checks.hpp"
#include "attention/shape.hpp"

namespace attnlab {

namespace {

/// Every token through every head's W (heads, d_model, width), plus that head's bias (heads, width).
/// tokens (..., length, d_model) gives (..., heads, length, width).
template <class T>
Tensor<T> project(const Tensor<T>& tokens, const Tensor<T>& projection,
                  const std::optional<Tensor<T>>& bias) {
  require_tokens_of_width(tokens, projection.shape()[1]);
  Shape shape = shape_of(tokens);
  shape.insert(shape.end() - 2, 1);  // (..., 1, length, d_model): all heads read the same tokens
  Tensor<T> shared = tokens;
  shared.reshape(shape);
  Tensor<T> projected = matmul(shared, projection);
  if (bias) {
    Tensor<T> row = *bias;
    row.reshape(Shape{projection.shape()[0], 1, projection.shape()[2]});  // the same for every token
    projected += row;
  }
  return projected;
}

}  // namespace

template <class T>
MultiHeadStages<T> multi_head_attention(const MultiHeadWeights<T>& weights, const Tensor<T>& query_input,
                                        const Tensor<T>& key_input, const Tensor<T>& value_input,
                                        const AttentionOptions<T>& options) {
  require_weights_that_fit(weights);
  const std::size_t group = weights.query.shape()[0] / weights.key.shape()[0];  // heads that share a key head
  MultiHeadStages<T> stages;
  stages.query = project(query_input, weights.query, weights.query_bias);               // Q W_Q, per head
  stages.key = repeat_heads(project(key_input, weights.key, weights.key_bias), group);  // K W_K
  stages.value = repeat_heads(project(value_input, weights.value, weights.value_bias), group);  // V W_V
  stages.attention = scaled_dot_product_attention(stages.query, stages.key, stages.value, options);
  stages.concat = join_heads(stages.attention.output);    // Concat(head_1, ..., head_h)
  stages.output = matmul(stages.concat, weights.output);  // Concat(...) W_O
  if (weights.output_bias) stages.output += *weights.output_bias;
  return stages;
}

template MultiHeadStages<float> multi_head_attention(const MultiHeadWeights<float>&, const Tensor<float>&,
                                                     const Tensor<float>&, const Tensor<float>&,
                                                     const AttentionOptions<float>&);
template MultiHeadStages<double> multi_head_attention(const MultiHeadWeights<double>&, const Tensor<double>&,
                                                      const Tensor<double>&, const Tensor<double>&,
                                                      const AttentionOptions<double>&);

}  // namespace attnlab
