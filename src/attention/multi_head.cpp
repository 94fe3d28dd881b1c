// Multi-head attention: project the tokens once per head, attend in each head, join the heads, mix with W_O.
#include "attention/multi_head.hpp"

#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/weight_layout.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

// --- Do the weights fit each other and the tokens? What to change when they do not

template <class T>
void require_projections_that_fit(const MultiHeadWeights<T>& weights) {
  const Shape query = shape_of(weights.query);
  const Shape key = shape_of(weights.key);
  const Shape value = shape_of(weights.value);
  const bool matrices_per_head = query.size() == 3 && key.size() == 3 && value.size() == 3;
  if (!matrices_per_head || key[0] != value[0]) {
    refuse_usage(text("ヘッドごとの射影行列の形状が合いません: W_Q {}, W_K {}, W_V {}",
                      "the heads' projections do not fit: W_Q {}, W_K {}, W_V {}", printed(query),
                      printed(key), printed(value)),
                 {"三つとも形状を (ヘッド数, d_model, ヘッドの次元) にしてください",
                  "give all three the shape (heads, d_model, head width)"});
  }
  if (key[0] == 0 || query[0] % key[0] != 0) {
    refuse_usage(text("クエリのヘッド {} 個を、キーとバリューのヘッド {} 個に等分できません",
                      "{} heads of queries cannot share {} heads of keys and values", query[0], key[0]),
                 text("キーとバリューのヘッド数は {} の約数にしてください",
                      "choose a divisor of {} for the heads of keys and values", query[0]));
  }
}

template <class T>
void require_output_that_fits(const MultiHeadWeights<T>& weights) {
  const std::size_t heads = weights.query.shape()[0];
  const std::size_t width = weights.value.shape()[2];
  const Shape output = shape_of(weights.output);
  if (output.size() == 2 && output[0] == heads * width) return;
  refuse_usage(text("結合したヘッドの次元は {} * {} = {} ですが、W_O の形状は {} です",
                    "the joined heads have width {} * {} = {}, but W_O has shape {}", heads, width,
                    heads * width, printed(output)),
               {"W_O の行数をヘッド数 * d_v にしてください", "give W_O heads * d_v rows"});
}

template <class T>
void require_bias(const std::optional<Tensor<T>>& bias, const Shape& wanted, const std::string& name) {
  if (!bias || shape_of(*bias) == wanted) return;
  refuse_usage(
      text("{} のバイアスの形状が {} です", "the bias of {} has shape {}", name, printed(shape_of(*bias))),
      text("形状を {} にしてください", "give it the shape {}", printed(wanted)));
}

template <class T>
void require_weights_that_fit(const MultiHeadWeights<T>& weights) {
  require_projections_that_fit(weights);
  require_output_that_fits(weights);
  const auto per_head = [](const Tensor<T>& w) { return Shape{w.shape()[0], w.shape()[2]}; };
  require_bias(weights.query_bias, per_head(weights.query), "W_Q");
  require_bias(weights.key_bias, per_head(weights.key), "W_K");
  require_bias(weights.value_bias, per_head(weights.value), "W_V");
  require_bias(weights.output_bias, Shape{weights.output.shape()[1]}, "W_O");
}

void require_tokens_of_width(const Shape& shape, std::size_t d_model) {
  if (shape.size() >= 2 && shape.back() == d_model) return;
  refuse_usage(
      text("形状 {} の入力は、次元 {} のトークンの列ではありません",
           "an input of shape {} is no sequence of tokens of width {}", printed(shape), d_model),
      text("最後の 2 軸を (トークン数, {}) にしてください", "make its last two axes (tokens, {})", d_model));
}

// --- The layer

/// Every token through every head's W (heads, d_model, width), plus that head's bias (heads, width).
/// tokens (..., length, d_model) gives (..., heads, length, width).
template <class T>
Tensor<T> project(const Tensor<T>& tokens, const Tensor<T>& projection,
                  const std::optional<Tensor<T>>& bias) {
  require_tokens_of_width(shape_of(tokens), projection.shape()[1]);
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

std::size_t head_width(std::size_t d_model, std::size_t heads) {
  if (heads == 0 || d_model == 0 || d_model % heads != 0) {
    refuse_usage(text("d_model {} を {} 個のヘッドに等分できません",
                      "d_model {} cannot be split over {} heads", d_model, heads),
                 d_model == 0
                     ? Text{"d_model は 1 以上にしてください", "choose a d_model of 1 or more"}
                     : text("ヘッド数は {} の約数にしてください", "choose a divisor of {}", d_model));
  }
  return d_model / heads;
}

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
