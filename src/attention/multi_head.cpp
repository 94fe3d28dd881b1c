// Multi-head attention: project the tokens once per head, attend in each head, join the heads, mix with W_O.
#include "attention/multi_head.hpp"

#include <algorithm>

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

/// Each head `times` times in a row: (..., kv_heads, keys, width) gives (..., kv_heads * times, keys, width).
template <class T>
Tensor<T> repeat_heads(const Tensor<T>& heads, std::size_t times) {
  if (times == 1) return heads;
  Shape shape = shape_of(heads);
  const std::size_t size = shape[shape.size() - 2] * shape.back();  // of one head
  shape[shape.size() - 3] *= times;
  Tensor<T> repeated = Tensor<T>::from_shape(shape);
  for (std::size_t start = 0; start < repeated.size(); start += size) {
    std::copy_n(heads.data() + start / size / times * size, size, repeated.data() + start);
  }
  return repeated;
}

/// Concat(head_1, ..., head_h): (..., heads, queries, d_v) gives (..., queries, heads * d_v).
template <class T>
Tensor<T> concatenate_heads(const Tensor<T>& heads) {
  const Shape shape = shape_of(heads);
  const std::size_t head_count = shape[shape.size() - 3];
  const std::size_t queries = shape[shape.size() - 2];
  const std::size_t width = shape.back();
  Shape joined(shape.begin(), shape.end() - 3);
  const std::size_t batches = element_count(joined);
  joined.insert(joined.end(), {queries, head_count * width});

  Tensor<T> concat = Tensor<T>::from_shape(joined);
  const T* from = heads.data();
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t head = 0; head < head_count; ++head) {
      for (std::size_t query = 0; query < queries; ++query, from += width) {
        std::copy_n(from, width, concat.data() + ((batch * queries + query) * head_count + head) * width);
      }
    }
  }
  return concat;
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
  stages.concat = concatenate_heads(stages.attention.output);  // Concat(head_1, ..., head_h)
  stages.output = matmul(stages.concat, weights.output);       // Concat(...) W_O
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
