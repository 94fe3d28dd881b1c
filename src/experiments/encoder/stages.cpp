// The trace of `encoder`: every stage with its origin, and single numbers.
#include <fmt/format.h>

#include <cmath>

#include "experiments/encoder/encoder.hpp"
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
  const double mean = moments_of(example.before, 0).mean;
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

std::vector<Stage> encoder_stages(const EncoderRun& run) {
  std::vector<Stage> stages{input("x", run.x, {"tokens", "width"})};
  append(stages, layer_weight_stages(run.drawn, ""));
  append(stages,
         layer_stages({"", "x", sym("X"), ""}, transformer_layer_of(run.drawn, run.placement), run.chosen()));
  append(stages, {reaction_stage("attention_reaction", "Attention", run.reactions.attention,
                                 {"x", "w_query", "w_key", "w_value", "w_output"}),
                  reaction_stage("norm_reaction", "LN", run.reactions.norm, {"x"}),
                  reaction_stage("mlp_reaction", "MLP", run.reactions.mlp, {"x", "w_1", "w_2"})});
  const NormExample& example = run.example;
  append(stages,
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
  return stages;
}

std::vector<Scalar> encoder_scalars(const EncoderRun& run) {
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

}  // namespace attnlab
