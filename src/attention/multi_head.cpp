// Multi-head attention: project the tokens once per head, attend in each head, join the heads, mix with W_O.
#include "attention/multi_head.hpp"

#include <algorithm>
#include <string>

#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {

namespace {

template <class T>
void require_weights_that_fit(const MultiHeadWeights<T>& weights) {
  const auto& query = weights.query.shape();
  const auto& key = weights.key.shape();
  const auto& value = weights.value.shape();
  if (query.size() != 3 || key.size() != 3 || value.size() != 3 || query[0] != key[0] ||
      query[0] != value[0]) {
    const std::string shapes = "W_Q " + printed(shape_of(weights.query)) + ", W_K " +
                               printed(shape_of(weights.key)) + ", W_V " + printed(shape_of(weights.value));
    throw Error(ErrorKind::usage,
                Text("ヘッドごとの射影行列の形状が合いません: " + shapes,
                     "the heads' projections do not fit: " + shapes),
                Text("三つとも形状を (ヘッド数, d_model, ヘッドの次元) にしてください",
                     "give all three the shape (heads, d_model, head width)"));
  }
  const std::size_t joined = value[0] * value[2];  // heads * d_v
  if (weights.output.dimension() != 2 || weights.output.shape()[0] != joined) {
    const std::string shape = printed(shape_of(weights.output));
    const std::string product = std::to_string(value[0]) + " * " + std::to_string(value[2]);
    throw Error(ErrorKind::usage,
                Text("結合したヘッドの次元は " + product + " = " + std::to_string(joined) +
                         " ですが、W_O の形状は " + shape + " です",
                     "the joined heads have width " + product + " = " + std::to_string(joined) +
                         ", but W_O has shape " + shape),
                Text("W_O の行数をヘッド数 * d_v にしてください", "give W_O heads * d_v rows"));
  }
}

/// Every token through every head's projection W (heads, d_model, width).
/// tokens (..., length, d_model) gives (..., heads, length, width).
template <class T>
Tensor<T> project(const Tensor<T>& tokens, const Tensor<T>& projection) {
  Shape shape = shape_of(tokens);
  if (shape.size() < 2 || shape.back() != projection.shape()[1]) {
    const std::string d_model = std::to_string(projection.shape()[1]);
    throw Error(
        ErrorKind::usage,
        Text("形状 " + printed(shape) + " の入力は、次元 " + d_model + " のトークンの列ではありません",
             "an input of shape " + printed(shape) + " is no sequence of tokens of width " + d_model),
        Text("最後の 2 軸を (トークン数, " + d_model + ") にしてください",
             "make its last two axes (tokens, " + d_model + ")"));
  }
  shape.insert(shape.end() - 2, 1);  // (..., 1, length, d_model): all heads read the same tokens
  Tensor<T> shared = tokens;
  shared.reshape(shape);
  return matmul(shared, projection);
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

std::size_t head_width(std::size_t d_model, std::size_t heads) {
  if (heads == 0 || d_model == 0 || d_model % heads != 0) {
    const std::string width = std::to_string(d_model);
    const std::string count = std::to_string(heads);
    throw Error(ErrorKind::usage,
                Text("d_model " + width + " を " + count + " 個のヘッドに等分できません",
                     "d_model " + width + " cannot be split over " + count + " heads"),
                d_model == 0
                    ? Text("d_model は 1 以上にしてください", "choose a d_model of 1 or more")
                    : Text("ヘッド数は " + width + " の約数にしてください", "choose a divisor of " + width));
  }
  return d_model / heads;
}

template <class T>
MultiHeadStages<T> multi_head_attention(const MultiHeadWeights<T>& weights, const Tensor<T>& query_input,
                                        const Tensor<T>& key_input, const Tensor<T>& value_input,
                                        const AttentionOptions<T>& options) {
  require_weights_that_fit(weights);
  MultiHeadStages<T> stages;
  stages.query = project(query_input, weights.query);  // Q W_Q, per head
  stages.key = project(key_input, weights.key);        // K W_K
  stages.value = project(value_input, weights.value);  // V W_V
  stages.attention = scaled_dot_product_attention(stages.query, stages.key, stages.value, options);
  stages.concat = concatenate_heads(stages.attention.output);  // Concat(head_1, ..., head_h)
  stages.output = matmul(stages.concat, weights.output);       // Concat(...) W_O
  return stages;
}

template MultiHeadStages<float> multi_head_attention(const MultiHeadWeights<float>&, const Tensor<float>&,
                                                     const Tensor<float>&, const Tensor<float>&,
                                                     const AttentionOptions<float>&);
template MultiHeadStages<double> multi_head_attention(const MultiHeadWeights<double>&, const Tensor<double>&,
                                                      const Tensor<double>&, const Tensor<double>&,
                                                      const AttentionOptions<double>&);

}  // namespace attnlab
