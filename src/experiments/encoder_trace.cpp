// The trace of `encoder`: every stage with its origin, single numbers, and what must hold of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using worked::most_lines;

/// "‖LN(X′)[0] − LN(X)[0]‖ = (4, 0, ⋯)" for x_j = 0 in X′, one number for every j.
std::vector<Chain> reaction_lines(const Tensor<double>& reaction, const std::string& function) {
  using formula::sym;
  std::vector<Chain> lines;
  const std::size_t tokens = reaction.shape()[0];
  for (std::size_t i = 0; i < std::min(tokens, most_lines); ++i) {
    const Formula change = sym(fmt::format("‖{0}(X′)[{1}] − {0}(X)[{1}]‖", function, i));
    const Formula zeroed = formula::sub(sym("x′"), sym("j"));
    lines.push_back(worked::equation(
        change, {worked::together({worked::numbers(&reaction(i, 0), tokens), worked::exactly(","),
                                   worked::exactly(zeroed), worked::exactly("="), worked::exactly("0"),
                                   worked::exactly(","), worked::exactly("j = 0, 1, ⋯")})}));
  }
  return lines;
}

/// "(1 − 2.5) / √(1.118 + 10⁻⁵) ≈ −1.4186", one line per component.
std::vector<Chain> slide_norm_lines(const NormExample& example) {
  const Moments moments = moments_of(example.before, 0);
  const Written below =
      worked::root(worked::together({worked::number(std::sqrt(moments.variance)), worked::exactly("+"),
                                     worked::number(LayerNorm<double>{}.eps)}));
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < example.before.size(); ++i) {
    const Written above = worked::together(
        {worked::number(example.before(i)), worked::exactly("−"), worked::factor(moments.mean)});
    lines.push_back(
        worked::equation(worked::entry("example_slide", {i}),
                         {worked::quotient(above, below), worked::number(example.by_deviation(i))}));
  }
  return lines;
}

std::vector<Chain> deviation_lines(const NormExample& example) {
  std::vector<Chain> lines;
  const double own = std::sqrt(moments_of(example.before, 0).variance);
  for (std::size_t i = 0; i < example.deviation.size(); ++i) {
    const double deviation = example.deviation(i);
    lines.push_back(worked::equation(
        worked::indexed("σ", i),
        {worked::together({worked::number(deviation / own), worked::exactly("·"), worked::number(own)}),
         worked::number(deviation)}));
  }
  return lines;
}

/// σ² / (σ² + δ), or σ² / (σ + δ).
std::vector<Chain> variance_lines(const NormExample& example, NormDivisor divisor) {
  const double eps = LayerNorm<double>{}.eps;
  const bool standard = divisor == NormDivisor::variance;
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < example.deviation.size(); ++i) {
    const double deviation = example.deviation(i);
    const Written square = worked::number(deviation * deviation);
    const Written below = worked::together(
        {standard ? square : worked::number(deviation), worked::exactly("+"), worked::number(eps)});
    lines.push_back(worked::equation(
        worked::entry(standard ? "variance_after" : "variance_after_slide", {i}),
        {worked::quotient(square, below),
         worked::number((standard ? example.variance_after : example.variance_deviation)(i))}));
  }
  return lines;
}

Formula slide_norm_formula() {
  using formula::sym;
  return formula::fraction(formula::row({sym("y"), sym("−"), sym("μ")}),
                           formula::root(formula::row({sym("σ"), sym("+"), sym("δ")})));
}

Formula variance_formula(Formula divisor) {
  const Formula square = formula::sup(formula::sym("σ"), formula::sym("2"));
  return formula::fraction(square, formula::row({std::move(divisor), formula::sym("+"), formula::sym("δ")}));
}

void add_reactions(std::vector<Stage>& stages, const EncoderRun& run) {
  const std::vector<std::string> axes{"tokens", "changed_tokens"};
  const auto add = [&](const std::string& name, const char* function, const Tensor<double>& values,
                       std::vector<std::string> operands) {
    const Formula difference = formula::sym(fmt::format("‖Δ {}‖", function));
    stages.push_back({name, difference, to_array(values, axes),
                      derived::worked(std::move(operands), reaction_lines(values, function))});
  };
  add("attention_reaction", "Attention", run.reactions.attention,
      {"x", "w_query", "w_key", "w_value", "w_output"});
  add("norm_reaction", "LN", run.reactions.norm, {"x"});
  add("mlp_reaction", "MLP", run.reactions.mlp, {"x", "w_1", "w_2"});
}

void add_example(std::vector<Stage>& stages, const NormExample& example) {
  using formula::sym;
  const std::vector<std::string> components{"components"};
  const std::vector<std::string> sweep{"stretched_tokens"};
  const LayerNorm<double> norm;
  stages.insert(
      stages.end(),
      {{"example", formula::row({}), to_array(example.before, components)},
       {"example_norm", formula::call("LN", sym("y")), to_array(example.by_variance, components),
        derived::layer_norm("example", norm.eps)},
       {"example_slide", slide_norm_formula(), to_array(example.by_deviation, components),
        derived::worked({"example"}, slide_norm_lines(example))},
       {"deviation", sym("σ"), to_array(example.deviation, sweep),
        derived::worked({"example"}, deviation_lines(example))},
       {"variance_after", variance_formula(formula::sup(sym("σ"), sym("2"))),
        to_array(example.variance_after, sweep),
        derived::worked({"deviation"}, variance_lines(example, NormDivisor::variance))},
       {"variance_after_slide", variance_formula(sym("σ")), to_array(example.variance_deviation, sweep),
        derived::worked({"deviation"}, variance_lines(example, NormDivisor::standard_deviation))}});
}

}  // namespace

std::vector<Stage> encoder_trace(const EncoderRun& run) {
  std::vector<Stage> stages{{"x", formula::row({}), to_array(run.x, {"tokens", "width"})}};
  const auto append = [&stages](const std::vector<Stage>& more) {
    stages.insert(stages.end(), more.begin(), more.end());
  };
  append(layer_weight_stages(run.drawn, ""));
  append(layer_stages({"", "x", formula::sym("X"), ""}, transformer_layer_of(run.drawn, run.placement),
                      chosen(run)));
  add_reactions(stages, run);
  add_example(stages, run.example);
  return stages;
}

std::vector<Scalar> encoder_scalars(const EncoderRun& run) {
  return {{"length_x", mean_length(run.x)},
          {"length_attention", mean_length(chosen(run).attention.output)},
          {"length_mlp", mean_length(chosen(run).mlp.output)},
          {"length_output", mean_length(chosen(run).output)},
          {"length_output_post", mean_length(run.post.output)},
          {"length_output_pre", mean_length(run.pre.output)},
          {"example_variance", moments_of(run.example.before, 0).variance},
          {"example_variance_after", moments_of(run.example.by_variance, 0).variance},
          {"example_variance_after_slide", moments_of(run.example.by_deviation, 0).variance}};
}

// tolerance64 of the agreement rule: a few hundred roundings of numbers near 1.
constexpr double rounding = 1e-12;

namespace {

/// The largest entry off the diagonal.
double largest_mixing(const Tensor<double>& reaction) {
  double largest = 0.0;
  for (std::size_t i = 0; i < reaction.shape()[0]; ++i) {
    for (std::size_t j = 0; j < reaction.shape()[1]; ++j) {
      if (i != j) largest = std::max(largest, reaction(i, j));
    }
  }
  return largest;
}

struct NormErrors {
  double mean = 0.0;
  double variance = 0.0;
  double eps_share = 0.0;  // the most that eps takes from the variance of any token
};

/// Both norms of the layer, each against what entered it.
NormErrors norm_errors(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = chosen(run);
  const bool post = run.placement == NormPlacement::post;
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
  measure(post ? stages.residual_1 : run.x, stages.norm_1);
  measure(post ? stages.residual_2 : stages.residual_1, stages.norm_2);
  return errors;
}

}  // namespace

std::vector<Invariant> encoder_invariants(const EncoderRun& run) {
  const NormErrors norms = norm_errors(run);
  const NormExample& example = run.example;
  const double slide = moments_of(example.by_deviation, 0).variance;
  const double deviation = std::sqrt(moments_of(example.before, 0).variance);
  return {
      {"weights_sum_to_one",
       {"注意度の各行の和は 1", "every row of the weights sums to 1"},
       row_sum_error(chosen(run).attention.attention.weights),
       rounding},
      {"norm_mean_zero",
       {"レイヤ正規化の後、どのトークンも平均 0", "after layer norm every token has mean 0"},
       norms.mean,
       rounding},
      // not exactly 1: δ under the root takes the share δ / (σ² + δ)
      {"norm_variance_one",
       {"レイヤ正規化の後、どのトークンも分散 1", "after layer norm every token has variance 1"},
       norms.variance,
       norms.eps_share + rounding},
      {"mlp_treats_rows_alike",
       {"MLP の結果は、トークンを 1 個ずつ与えても同じ", "the MLP gives each token alone the same result"},
       run.alone_error,
       rounding},
      {"mlp_does_not_mix_tokens",
       {"MLP では、ほかのトークンを変えても結果は同じ",
        "changing another token changes no token's result in the MLP"},
       largest_mixing(run.reactions.mlp),
       rounding},
      {"norm_does_not_mix_tokens",
       {"レイヤ正規化では、ほかのトークンを変えても結果は同じ",
        "changing another token changes no token's result in layer norm"},
       largest_mixing(run.reactions.norm),
       rounding},
      {"layer_follows_order",
       {"トークンを逆順にすると、出力も逆順になるだけ", "reversing the tokens only reverses the outputs"},
       run.order_error,
       rounding},
      // σ² / (σ + δ) is σ up to δ
      {"slide_leaves_sigma",
       {"スライドの式では、分散が 1 でなく σ になる", "the slide's divisor leaves the variance σ, not 1"},
       std::abs(slide - deviation),
       LayerNorm<double>{}.eps + rounding * deviation},
  };
}

}  // namespace attnlab
