// What must hold of a stack of causal layers: rows that sum to 1, a future that stays hidden, and a stream
// that is a sum.
#include <algorithm>

#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// The largest weight on a later key, over all heads.
double largest_future_weight(const Tensor<double>& weights) {
  const std::size_t tokens = weights.shape().back();
  double most = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool future = i % tokens > i / tokens % tokens;
    if (future) most = std::max(most, weights.flat(i));
  }
  return most;
}

}  // namespace

std::vector<Invariant> decoder_invariants(const DecoderRun& run) {
  // tolerance64 of the agreement rule: a few hundred roundings of numbers near 1
  constexpr double rounding = 1e-12;
  double weights_error = 0.0;
  double future_weight = 0.0;
  for (const TransformerLayerStages<double>& layer : run.pass.layers) {
    const Tensor<double>& weights = layer.attention.attention.weights;
    weights_error = std::max(weights_error, row_sum_error(weights));
    future_weight = std::max(future_weight, largest_future_weight(weights));
  }
  return {
      invariant("weights_sum_to_one", weights_error, rounding, "注意度の各行の和は 1",
                "every row of the weights sums to 1"),
      invariant("probabilities_sum_to_one", row_sum_error(run.pass.probabilities), rounding,
                "次の語の確率の和は 1", "the next word's probabilities sum to 1"),
      // exp(-inf) is exactly 0
      invariant("no_weight_on_the_future", future_weight, 0.0, "後の語への注意度は 0",
                "no weight falls on a later word"),
      // the masked values are multiplied by an exact 0; only the order of BLAS's sums could differ
      invariant("no_leak_from_the_future", leak(run.reaction), rounding,
                "後の語を変えても、前の位置の出力は変わらない",
                "changing a later word changes no earlier output"),
      invariant("prefix_gives_the_same_rows", run.prefix_error, rounding,
                "最後の語を除いて計算しても、残りの行は同じ",
                "without the last word the other rows are the same"),
      invariant("stream_is_the_sum", run.sum_error, rounding,
                "最後の残差ストリームは、入力に各サブレイヤの出力を足したもの",
                "the end of the stream is its beginning plus what every sub-layer added"),
  };
}

}  // namespace attnlab
