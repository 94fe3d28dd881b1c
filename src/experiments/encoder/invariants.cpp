// What must hold of an encoder layer: rows that sum to 1, normed tokens, and nothing but attention that mixes
// tokens.
#include <algorithm>
#include <cmath>

#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

/// The largest entry off the diagonal.
double largest_mixing(const Tensor<double>& reaction) {
  double most = 0.0;
  for (std::size_t i = 0; i < reaction.shape()[0]; ++i) {
    for (std::size_t j = 0; j < reaction.shape()[1]; ++j) {
      if (i != j) most = std::max(most, reaction(i, j));
    }
  }
  return most;
}

struct NormErrors {
  double mean = 0.0;
  double variance = 0.0;
  double eps_share = 0.0;  // the most that eps takes from the variance of any token
};

/// Both norms of the layer, each against what entered it.
NormErrors norm_errors(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.chosen();
  const double eps = LayerNorm<double>{}.eps;
  NormErrors errors;
  const auto measure = [&](const Tensor<double>& before, const Tensor<double>& after) {
    for (std::size_t i = 0; i < run.tokens; ++i) {
      const Moments moments = moments_of(after, i);
      errors.mean = std::max(errors.mean, std::abs(moments.mean));
      errors.variance = std::max(errors.variance, std::abs(moments.variance - 1.0));
      errors.eps_share = std::max(errors.eps_share, eps / (moments_of(before, i).variance + eps));
    }
  };
  measure(run.is_post() ? stages.residual_1 : run.x, stages.norm_1);
  measure(run.is_post() ? stages.residual_2 : stages.residual_1, stages.norm_2);
  return errors;
}

}  // namespace

std::vector<Invariant> encoder_invariants(const EncoderRun& run) {
  // tolerance64 of the agreement rule: a few hundred roundings of numbers near 1
  constexpr double rounding = 1e-12;
  const NormErrors norms = norm_errors(run);
  const double deviation = std::sqrt(run.example.variance);
  return {
      invariant("weights_sum_to_one", row_sum_error(run.chosen().attention.attention.weights), rounding,
                "注意度の各行の和は 1", "every row of the weights sums to 1"),
      invariant("norm_mean_zero", norms.mean, rounding, "レイヤ正規化の後、どのトークンも平均 0",
                "after layer norm every token has mean 0"),
      // not exactly 1: δ under the root takes the share δ / (σ² + δ)
      invariant("norm_variance_one", norms.variance, norms.eps_share + rounding,
                "レイヤ正規化の後、どのトークンも分散 1", "after layer norm every token has variance 1"),
      invariant("mlp_treats_rows_alike", run.alone_error, rounding,
                "MLP の結果は、トークンを 1 個ずつ与えても同じ",
                "the MLP gives each token alone the same result"),
      invariant("mlp_does_not_mix_tokens", largest_mixing(run.reactions.mlp), rounding,
                "MLP では、ほかのトークンを変えても結果は同じ",
                "changing another token changes no token's result in the MLP"),
      invariant("norm_does_not_mix_tokens", largest_mixing(run.reactions.norm), rounding,
                "レイヤ正規化では、ほかのトークンを変えても結果は同じ",
                "changing another token changes no token's result in layer norm"),
      invariant("layer_follows_order", run.order_error, rounding,
                "トークンを逆順にすると、出力も逆順になるだけ",
                "reversing the tokens only reverses the outputs"),
      // σ² / (σ + δ) is σ up to δ
      invariant("slide_leaves_sigma", std::abs(run.example.slide_variance - deviation),
                LayerNorm<double>{}.eps + rounding * deviation, "スライドの式では、分散が 1 でなく σ になる",
                "the slide's divisor leaves the variance σ, not 1"),
  };
}

}  // namespace attnlab
