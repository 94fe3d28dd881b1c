// The trace of `encoder`: every stage with its origin, single numbers, and what must hold: rows that sum to
// 1, normed tokens, and nothing but attention that mixes tokens.
#include <algorithm>
#include <cmath>

#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::sym;

/// "‖LN(X′)[0] − LN(X)[0]‖ = (4, 0, ⋯)" for x_j = 0 in X′, one number for every j.
std::vector<Chain> reaction_lines(const Tensor<double>& reaction, const std::string& function) {
  const std::size_t tokens = reaction.shape()[0];
  return worked::lines(tokens, [&](std::size_t i) {
    return worked::equation(sym(fmt::format("‖{0}(X′)[{1}] − {0}(X)[{1}]‖", function, i)),
                            {worked::together({worked::numbers(&reaction(i, 0), tokens), ",",
                                               formula::read("x′_j"), "=", "0", ",", "j = 0, 1, ⋯"})});
  });
}

/// "(1 − 2.5) / √(1.118 + 10⁻⁵) ≈ −1.4186", one line per component.
std::vector<Chain> slide_norm_lines(const NormExample& example) {
  const double mean = moments_of(example.before).mean;
  const Written below =
      worked::root(worked::together({std::sqrt(example.variance), "+", LayerNorm<double>{}.eps}));
  return worked::lines(example.before.size(), [&](std::size_t i) {
    const Written above = worked::together({example.before(i), "−", worked::factor(mean)});
    return worked::equation(worked::entry("example_slide", {i}),
                            {worked::quotient(above, below), example.by_deviation(i)});
  });
}

std::vector<Chain> deviation_lines(const NormExample& example) {
  const double own = std::sqrt(example.variance);
  return worked::lines(example.deviation.size(), [&](std::size_t i) {
    const double deviation = example.deviation(i);
    return worked::equation(worked::indexed("σ", i),
                            {worked::together({deviation / own, "·", own}), deviation});
  });
}

/// σ² / (σ² + δ), or σ² / (σ + δ).
std::vector<Chain> variance_lines(const NormExample& example, NormDivisor divisor) {
  const bool standard = divisor == NormDivisor::variance;
  const Tensor<double>& after = standard ? example.variance_after : example.variance_deviation;
  return worked::lines(after.size(), [&](std::size_t i) {
    const double deviation = example.deviation(i);
    const double square = deviation * deviation;
    const Written below = worked::together({standard ? square : deviation, "+", LayerNorm<double>{}.eps});
    return worked::equation(worked::entry(standard ? "variance_after" : "variance_after_slide", {i}),
                            {worked::quotient(square, below), after(i)});
  });
}

/// How far the rows of a function of X move, named for what it is.
Stage reaction_stage(const std::string& name, const std::string& function, const Tensor<double>& reaction,
                     std::vector<std::string> operands) {
  return step(name, sym("‖Δ " + function + "‖"), reaction, {"tokens", "changed_tokens"},
              derived::worked(std::move(operands), reaction_lines(reaction, function)));
}

}  // namespace

std::vector<Stage> stages(const EncoderRun& run) {
  std::vector<Stage> all{input("x", run.x, {"tokens", "width"})};
  append(all, layer_weight_stages(run.drawn, ""));
  append(all,
         layer_stages({"", "x", sym("X"), ""}, transformer_layer_of(run.drawn, run.placement), run.chosen()));
  append(all, {reaction_stage("attention_reaction", "Attention", run.reactions.attention,
                              {"x", "w_query", "w_key", "w_value", "w_output"}),
               reaction_stage("norm_reaction", "LN", run.reactions.norm, {"x"}),
               reaction_stage("mlp_reaction", "MLP", run.reactions.mlp, {"x", "w_1", "w_2"})});
  const NormExample& example = run.example;
  append(all,
         {input("example", example.before, {"components"}),
          step("example_norm", "LN(y)", example.by_variance, {"components"},
               derived::layer_norm("example", LayerNorm<double>{}.eps)),
          step("example_slide", "frac{y − μ}{√{σ + δ}}", example.by_deviation, {"components"},
               derived::worked({"example"}, slide_norm_lines(example))),
          step("deviation", "σ", example.deviation, {"stretched_tokens"},
               derived::worked({"example"}, deviation_lines(example))),
          step("variance_after", "frac{σ^2}{σ^2 + δ}", example.variance_after, {"stretched_tokens"},
               derived::worked({"deviation"}, variance_lines(example, NormDivisor::variance))),
          step("variance_after_slide", "frac{σ^2}{σ + δ}", example.variance_deviation, {"stretched_tokens"},
               derived::worked({"deviation"}, variance_lines(example, NormDivisor::standard_deviation)))});
  return all;
}

std::vector<Scalar> scalars(const EncoderRun& run) {
  return {{"length_x", mean_length(run.x)},
          {"length_attention", mean_length(run.chosen().attention.output)},
          {"length_mlp", mean_length(run.chosen().mlp.output)},
          {"length_output", mean_length(run.chosen().output)},
          {"length_output_post", mean_length(run.post.output)},
          {"length_output_pre", mean_length(run.pre.output)},
          {"example_variance", run.example.variance},
          {"example_variance_after", run.example.standard_variance},
          {"example_variance_after_slide", run.example.slide_variance}};
}

// --- What must hold

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

std::vector<Invariant> invariants(const EncoderRun& run) {
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
