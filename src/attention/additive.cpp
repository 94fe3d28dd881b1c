// Additive attention: score(q, k) = v · tanh([q; k] W), one line per stage.
#include "attention/additive.hpp"

#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "attention/shape.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"

namespace attnlab {
namespace {

void require_batches_that_fit(const Shape& query, const Shape& key, const Shape& value) {
  const std::optional<Shape> pairs = broadcast(batch_of(query), batch_of(key));
  if (pairs && broadcast(*pairs, batch_of(value))) return;
  refuse_usage(text("クエリ・キー・バリューのバッチ次元はブロードキャストできません: {}, {}, {}",
                    "the batch dimensions of query, key and value do not broadcast: {}, {}, {}",
                    printed(query), printed(key), printed(value)),
               {"バッチ次元は同じ大きさか 1 にしてください", "make each batch dimension equal, or 1"});
}

void require_keys(const Shape& key) {
  if (key[key.size() - 2] > 0) return;
  refuse_usage(text("キーの形状は {} で、注意を向ける相手がありません",
                    "keys of shape {} leave nothing to attend to", printed(key)),
               {"キーを 1 個以上与えてください", "give at least one key"});
}

void require_network_that_fits(const Shape& hidden, const Shape& score, std::size_t d_q, std::size_t d_k) {
  if (hidden.size() != 2 || hidden[0] != d_q + d_k) {
    refuse_usage(
        text(
            "隠れ層の重みの形状は {} ですが、入力 [q; k] の次元は d_q + d_k = {} + {} = {} です",
            "the hidden layer has weights of shape {}, but its input [q; k] has d_q + d_k = {} + {} = {} entries",
            printed(hidden), d_q, d_k, d_q + d_k),
        {"形状を (d_q + d_k, ユニット数) にしてください", "give it the shape (d_q + d_k, units)"});
  }
  if (score.size() != 1 || score[0] != hidden[1]) {
    refuse_usage(text("出力層の重みの形状は {} ですが、隠れ層のユニットは {} 個です",
                      "the output layer has weights of shape {}, but there are {} hidden units",
                      printed(score), hidden[1]),
                 {"形状を (ユニット数,) にしてください", "give it the shape (units,)"});
  }
}

/// x (..., n, width) times W (width, units), with an axis of size 1 at `axis` counted from the end:
/// (..., n, 1, units) for 2, (..., 1, n, units) for 3.
template <class T>
Tensor<T> layer_input(const Tensor<T>& x, const Tensor<T>& weight, std::ptrdiff_t axis) {
  Tensor<T> input = matmul(x, weight);
  Shape shape = shape_of(input);
  shape.insert(shape.end() - (axis - 1), 1);
  input.reshape(shape);
  return input;
}

/// tanh([q; k] W) for every pair, (..., queries, keys, units). [q; k] W = q W_q + k W_k, where W_q and W_k
/// are the rows of W that read the query and the key: each is computed once and added up for every pair.
template <class T>
Tensor<T> hidden_layer(const Tensor<T>& weight, const Tensor<T>& query, const Tensor<T>& key) {
  const std::size_t d_q = query.shape().back();
  const Tensor<T> query_rows = xt::view(weight, xt::range(std::size_t{0}, d_q), xt::all());
  const Tensor<T> key_rows = xt::view(weight, xt::range(d_q, weight.shape()[0]), xt::all());
  const Tensor<T> from_query = layer_input(query, query_rows, 2);  // (..., queries, 1, units)
  const Tensor<T> from_key = layer_input(key, key_rows, 3);        // (..., 1, keys, units)
  Tensor<T> hidden = from_query + from_key;
  for (T& unit : hidden) unit = std::tanh(unit);  // not xsimd's tanh: the lesson's
  return hidden;
}

/// hidden (..., units) times v (units) gives (...).
template <class T>
Tensor<T> output_layer(const Tensor<T>& hidden, const Tensor<T>& weight) {
  Tensor<T> column = weight;
  column.reshape(Shape{weight.size(), 1});
  Tensor<T> scores = matmul(hidden, column);
  Shape shape = shape_of(scores);
  shape.pop_back();
  scores.reshape(shape);
  return scores;
}

}  // namespace

template <class T>
AdditiveStages<T> additive_attention(const AdditiveWeights<T>& weights, const Tensor<T>& query,
                                     const Tensor<T>& key, const Tensor<T>& value) {
  require_matrices(shape_of(query), shape_of(key), shape_of(value));
  require_one_value_per_key(shape_of(key), shape_of(value));
  require_keys(shape_of(key));
  require_batches_that_fit(shape_of(query), shape_of(key), shape_of(value));
  require_network_that_fits(shape_of(weights.hidden), shape_of(weights.score), query.shape().back(),
                            key.shape().back());

  AdditiveStages<T> stages;
  stages.hidden = hidden_layer(weights.hidden, query, key);    // tanh([q; k] W)
  stages.scores = output_layer(stages.hidden, weights.score);  // v · tanh([q; k] W)
  stages.weights = softmax(stages.scores);                     // A
  stages.output = matmul(stages.weights, value);               // A V
  return stages;
}

template AdditiveStages<float> additive_attention(const AdditiveWeights<float>&, const Tensor<float>&,
                                                  const Tensor<float>&, const Tensor<float>&);
template AdditiveStages<double> additive_attention(const AdditiveWeights<double>&, const Tensor<double>&,
                                                   const Tensor<double>&, const Tensor<double>&);

}  // namespace attnlab
