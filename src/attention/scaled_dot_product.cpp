// Attention(Q, K, V) = softmax(Q Kᵀ · scale + M) V, one line per stage.
#include "attention/scaled_dot_product.hpp"

#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

void require_operands_that_fit(const Shape& query, const Shape& key, const Shape& value) {
  require_matrices(query, key, value);
  if (query.back() != key.back()) {
    refuse_usage(text("クエリとキーの次元が異なります (d_q {}, d_k {})",
                      "query and key differ in width: d_q {}, d_k {}", query.back(), key.back()),
                 {"内積アテンションでは d_q = d_k にしてください。異なる次元には加法アテンションを使えます",
                  "a dot product needs d_q = d_k; additive attention takes unequal widths"});
  }
  require_one_value_per_key(key, value);
  if (key[key.size() - 2] == 0 || query.back() == 0) {
    refuse_usage(text("キーの形状は {} で、内積をとる相手がありません",
                      "keys of shape {} leave nothing to attend to", printed(key)),
                 {"次元 1 以上のキーを 1 個以上与えてください", "give at least one key of width 1 or more"});
  }
}

/// S + M, NumPy's broadcasting.
template <class T>
Tensor<T> add_mask(const Tensor<T>& scores, const Tensor<T>& mask) {
  masked_shape(shape_of(scores), shape_of(mask));
  return scores + mask;
}

}  // namespace

template <class T>
AttentionStages<T> scaled_dot_product_attention(const Tensor<T>& query, const Tensor<T>& key,
                                                const Tensor<T>& value, const AttentionOptions<T>& options) {
  require_operands_that_fit(shape_of(query), shape_of(key), shape_of(value));
  const auto d_k = static_cast<T>(key.shape().back());
  const T scale = options.scale.value_or(1 / std::sqrt(d_k));

  AttentionStages<T> stages;
  stages.raw_scores = matmul(query, transpose(key));                                      // Q Kᵀ
  stages.scores = stages.raw_scores * scale;                                              // Q Kᵀ / √d_k
  stages.masked = options.mask ? add_mask(stages.scores, *options.mask) : stages.scores;  // Q Kᵀ / √d_k + M
  stages.weights = softmax(stages.masked);                                                // A
  stages.output = matmul(stages.weights, value);                                          // A V
  return stages;
}

template AttentionStages<float> scaled_dot_product_attention(const Tensor<float>&, const Tensor<float>&,
                                                             const Tensor<float>&,
                                                             const AttentionOptions<float>&);
template AttentionStages<double> scaled_dot_product_attention(const Tensor<double>&, const Tensor<double>&,
                                                              const Tensor<double>&,
                                                              const AttentionOptions<double>&);

}  // namespace attnlab
