// What must hold of every layer of `heads`.
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/framework/tensor_measures.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// How far two ways to compute the same numbers may lie apart, relative to the largest: the rule of
/// agreement, and for wide layers the roundings of a sum of d_model terms, which grow like its root.
double rounding(const HeadsRun& run) {
  const double root = std::sqrt(static_cast<double>(run.d_model));
  if (run.dtype == DType::float32) return std::max(1e-6, root * std::numeric_limits<float>::epsilon());
  return std::max(1e-12, root * std::numeric_limits<double>::epsilon());
}

/// max |a - b| / max |b|; infinite for NaN.
double relative_difference(const Tensor<double>& a, const Tensor<double>& b) {
  const double apart = largest_difference(a, b);
  return apart == 0.0 ? 0.0 : apart / largest_magnitude(b);
}

/// (..., length, heads * width) to (..., heads, length, width), number by number.
Tensor<double> cut_into_heads(const Tensor<double>& joined, std::size_t length, std::size_t heads) {
  const std::size_t width = joined.shape().back() / heads;
  Tensor<double> cut = Tensor<double>::from_shape({joined.size()});
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const std::size_t head = i / width % heads;
    const std::size_t token = i / width / heads % length;
    const std::size_t entry = i / width / heads / length;  // of the batch
    cut(((entry * heads + head) * length + token) * width + i % width) = joined.flat(i);
  }
  return cut;
}

double largest_error_of_fused_projections(const HeadsRun& run) {
  const Projections<double>& fused = run.projected;
  return std::max({relative_difference(cut_into_heads(fused.query, run.queries, run.heads), run.stages.query),
                   relative_difference(cut_into_heads(fused.key, run.keys, run.heads), run.stages.key),
                   relative_difference(cut_into_heads(fused.value, run.keys, run.heads), run.stages.value)});
}

/// The first query's output as a sum over heads, against the output of the layer.
double error_of_the_sum_of_heads(const HeadsRun& run) {
  const Tensor<double> shares = contributions(run);
  Tensor<double> sum = Tensor<double>::from_shape({run.d_model});
  Tensor<double> output = Tensor<double>::from_shape({run.d_model});
  for (std::size_t i = 0; i < run.d_model; ++i) {
    sum(i) = run.weights.output_bias ? (*run.weights.output_bias)(i) : 0.0;
    for (std::size_t head = 0; head < run.heads; ++head) sum(i) += shares(head, i);
    output(i) = run.stages.output.flat(i);
  }
  return relative_difference(sum, output);
}

/// The largest weight on a key that the mask hides.
double leaked_weight(const HeadsRun& run) {
  const Tensor<double>& mask = *run.options.mask;  // (1, heads, queries, keys): for every batch entry
  const Tensor<double>& weights = run.stages.attention.weights;
  double largest = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isinf(mask.flat(i % mask.size()))) largest = std::max(largest, weights.flat(i));
  }
  return largest;
}

}  // namespace

std::vector<Invariant> heads_invariants(const HeadsRun& run) {
  const double cut_error = relative_difference(cut_into_heads(run.stages.concat, run.queries, run.heads),
                                               run.stages.attention.output);
  std::vector<Invariant> invariants{
      invariant("weights_sum_to_one", row_sum_error(run.stages.attention.weights), rounding(run),
                "どの行の注意度も和は 1", "every row of the weights sums to 1"),
      invariant("concat_holds_the_heads", cut_error, 0.0,  // numbers are moved, not computed
                "結合はヘッドの出力を並べるだけ", "the joined heads are the heads' outputs side by side"),
      invariant("one_matrix_equals_heads", largest_error_of_fused_projections(run), rounding(run),
                "全ヘッドを 1 つの行列で射影しても同じ",
                "one matrix for all heads gives what one per head gives"),
      invariant("output_sums_the_heads", error_of_the_sum_of_heads(run), rounding(run),
                "出力は各ヘッドと W_O の積の和", "the output is the sum of every head times its rows of W_O"),
  };
  if (run.options.mask) {
    invariants.push_back(invariant("hidden_keys_have_no_weight", leaked_weight(run), 0.0,  // exp(-inf) = 0
                                   "隠したキーの注意度は 0", "keys behind the mask have weight 0"));
  }
  if (run.variant == HeadsVariant::parity) {
    invariants.push_back(invariant(
        "output_agrees_with_pytorch", relative_difference(run.stages.output, run.pytorch_output),
        rounding(run), "出力が nn.MultiheadAttention と一致", "the output is nn.MultiheadAttention's"));
    invariants.push_back(invariant(
        "weights_agree_with_pytorch", relative_difference(run.stages.attention.weights, run.pytorch_weights),
        rounding(run), "注意度が nn.MultiheadAttention と一致", "the weights are nn.MultiheadAttention's"));
  }
  return invariants;
}

}  // namespace attnlab
