// One encoder layer, every sub-step kept: attention is added, normalised, the MLP is added, normalised.
#include "experiments/encoder/encoder.hpp"

#include <xtensor/xadapt.hpp>

#include "experiments/framework/stack_diagram.hpp"

namespace attnlab {
namespace {

// --- The computation

/// The MLP on each token alone against the MLP on all of them.
double error_of_tokens_alone(const FeedForward<double>& mlp, const Tensor<double>& x) {
  Tensor<double> alone = x;
  for (std::size_t i = 0; i < x.shape()[0]; ++i) {
    xt::view(alone, i) = feed_forward(mlp, Tensor<double>(xt::view(x, i))).output;
  }
  return largest_difference(alone, feed_forward(mlp, x).output);
}

/// 1e-12 is tolerance64 of the agreement rule: a few hundred roundings of numbers near 1. Own arrays may be
/// of any size.
void measure_rounding(EncoderRun& run) {
  run.alone_rounding = 1e-12;
  run.order_rounding = 1e-12;
  if (!run.tape.any_read()) return;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto width = static_cast<double>(run.drawn.w_1.shape()[0]);
  const auto hidden = static_cast<double>(run.drawn.w_1.shape()[1]);
  const double tokens = std::max(largest_magnitude(run.x), largest_magnitude(run.other));
  const double size =
      width * hidden * tokens * largest_magnitude(run.drawn.w_1) * largest_magnitude(run.drawn.w_2);
  run.alone_rounding = std::max(1e-12, 2.0 * epsilon * (width + hidden) * size);
  run.order_rounding =
      std::max(1e-12, 2.0 * rounding_of_layer(run.drawn, run.placement, run.chosen(), run.x, 0.0));
}

NormExample normalise_example(const std::vector<double>& numbers) {
  NormExample example;
  example.before = xt::adapt(numbers, {numbers.size()});
  example.variance = row_variance(example.before)();
  if (!(example.variance > 0.0)) {
    refuse_usage({"--example の数がすべて等しいので、分散が 0 で正規化できません",
                  "the numbers of --example are all equal: their variance is 0"},
                 {"異なる数を含めてください（例：--example 1,2,3,4）",
                  "give numbers that differ, such as --example 1,2,3,4"});
  }
  LayerNorm<double> slide;
  slide.divisor = NormDivisor::standard_deviation;
  example.by_variance = layer_norm({}, example.before);
  example.by_deviation = layer_norm(slide, example.before);
  example.standard_variance = row_variance(example.by_variance)();
  example.slide_variance = row_variance(example.by_deviation)();

  const Tensor<double> stretch{0.1, 0.3, 1.0, 3.0, 10.0};
  const Tensor<double> tokens = xt::view(stretch, xt::all(), xt::newaxis()) * example.before;
  example.deviation = xt::sqrt(row_variance(tokens));
  example.variance_after = row_variance(layer_norm({}, tokens));
  example.variance_deviation = row_variance(layer_norm(slide, tokens));
  return example;
}

// --- The trace

using namespace worked;
using formula::sym;

/// "‖LN(X′)[0] − LN(X)[0]‖ = (4, 0, ⋯)" for x_j = 0 in X′, one number for every j.
std::vector<Chain> reaction_lines(const Tensor<double>& reaction, const std::string& function) {
  const std::size_t tokens = reaction.shape()[0];
  return lines(tokens, [&](std::size_t i) {
    return equation(sym(fmt::format("‖{0}(X′)[{1}] − {0}(X)[{1}]‖", function, i)),
                    {together({numbers(&reaction(i, 0), tokens), ",", formula::read("x′_j"), "=", "0", ",",
                               "j = 0, 1, ⋯"})});
  });
}

/// "(1 − 2.5) / √(1.118 + 10⁻⁵) ≈ −1.4186", one line per component.
std::vector<Chain> slide_norm_lines(const NormExample& example) {
  const double mean = row_mean(example.before)();
  const Written below = root(together({std::sqrt(example.variance), "+", LayerNorm<double>{}.eps}));
  return lines(example.before.size(), [&](std::size_t i) {
    const Written above = together({example.before(i), "−", factor(mean)});
    return equation(entry("example_slide", {i}), {quotient(above, below), example.by_deviation(i)});
  });
}

std::vector<Chain> deviation_lines(const NormExample& example) {
  const double own = std::sqrt(example.variance);
  return lines(example.deviation.size(), [&](std::size_t i) {
    const double deviation = example.deviation(i);
    return equation(indexed("σ", i), {together({deviation / own, "·", own}), deviation});
  });
}

/// σ² / (σ² + δ), or σ² / (σ + δ).
std::vector<Chain> variance_lines(const NormExample& example, NormDivisor divisor) {
  const bool standard = divisor == NormDivisor::variance;
  const Tensor<double>& after = standard ? example.variance_after : example.variance_deviation;
  return lines(after.size(), [&](std::size_t i) {
    const double deviation = example.deviation(i);
    const double square = deviation * deviation;
    const Written below = together({standard ? square : deviation, "+", LayerNorm<double>{}.eps});
    return equation(entry(standard ? "variance_after" : "variance_after_slide", {i}),
                    {quotient(square, below), after(i)});
  });
}

Reactions react(Tape& tape, const Tensor<double>& x, const TransformerLayer<double>& layer) {
  /// How far the rows of a function of X move, named for what it is.
  const auto move = [&](const char* name, const std::string& function, const OfTokens& of_x,
                        std::vector<std::string> operands, const char* code) {
    const Tensor<double> moved = reaction(x, of_x);
    return tape.step(name, sym("‖Δ " + function + "‖"), moved, {"tokens", "changed_tokens"},
                     derived::worked(std::move(operands), reaction_lines(moved, function),
                                     fmt::format("reactions({}, x, lambda row: 0 * row)", code)));
  };
  Reactions reactions;
  reactions.attention = move(
      "attention_reaction", "Attention",
      [&](const auto& tokens) {
        return multi_head_attention(layer.attention, tokens, tokens, tokens).output;
      },
      {"x", "w_query", "w_key", "w_value", "w_output"},
      "lambda x: multi_head_attention(x, w_query, w_key, w_value, w_output)");
  reactions.norm = move(
      "norm_reaction", "LN", [&](const auto& tokens) { return layer_norm(layer.mlp_norm, tokens); }, {"x"},
      "lambda x: layer_norm(x, eps=1e-05)");
  reactions.mlp = move(
      "mlp_reaction", "MLP", [&](const auto& tokens) { return feed_forward(layer.mlp, tokens).output; },
      {"x", "w_1", "w_2"}, "lambda x: relu(x @ w_1) @ w_2");
  return reactions;
}

void record_example(Tape& tape, const NormExample& example) {
  const Axes stretched{"stretched_tokens"};
  tape.input("example", example.before, {"components"});
  tape.layer_norm("example_norm", "LN(y)", "example");
  tape.step("example_slide", "\\frac{y − μ}{\\sqrt{σ + δ}}", example.by_deviation, {"components"},
            derived::worked({"example"}, slide_norm_lines(example),
                            "(example - np.mean(example)) / np.sqrt(standard_deviation(example) + 1e-05)"));
  tape.step("deviation", "σ", example.deviation, stretched,
            derived::worked({"example"}, deviation_lines(example),
                            "np.array([0.1, 0.3, 1.0, 3.0, 10.0]) * standard_deviation(example)"));
  tape.step("variance_after", "\\frac{σ^2}{σ^2 + δ}", example.variance_after, stretched,
            derived::worked({"deviation"}, variance_lines(example, NormDivisor::variance),
                            "deviation**2 / (deviation**2 + 1e-05)"));
  tape.step("variance_after_slide", "\\frac{σ^2}{σ + δ}", example.variance_deviation, stretched,
            derived::worked({"deviation"}, variance_lines(example, NormDivisor::standard_deviation),
                            "deviation**2 / (deviation + 1e-05)"));
}

// --- What must hold

struct NormErrors {
  double mean = 0.0;
  double variance = 0.0;
  double eps_share = 0.0;  // the most that eps takes from the variance of any token
  double size = 1.0;       // of the largest component in standard deviations of its token, before the norm
};

/// Both norms of the layer, each against what entered it.
NormErrors norm_errors(const EncoderRun& run) {
  const TransformerLayerStages<double>& stages = run.chosen();
  const double eps = LayerNorm<double>{}.eps;
  NormErrors errors;
  const auto measure = [&](const Tensor<double>& before, const Tensor<double>& after) {
    const Tensor<double> variances = row_variance(before);
    errors.mean = std::max(errors.mean, largest(xt::abs(row_mean(after))));
    errors.variance = std::max(errors.variance, largest(xt::abs(row_variance(after) - 1.0)));
    for (std::size_t i = 0; i < run.tokens; ++i) {
      errors.eps_share = std::max(errors.eps_share, eps / (variances(i) + eps));
      errors.size =
          std::max(errors.size, largest_magnitude(values_of(before, i)) / std::sqrt(variances(i) + eps));
    }
  };
  measure(run.is_post() ? stages.residual_1 : run.x, stages.norm_1);
  measure(run.is_post() ? stages.residual_2 : stages.residual_1, stages.norm_2);
  return errors;
}

}  // namespace

Tensor<double> reaction(const Tensor<double>& x, const OfTokens& function) {
  const std::size_t tokens = x.shape()[0];
  const Tensor<double> before = function(x);
  Tensor<double> moved = Tensor<double>::from_shape({tokens, tokens});
  for (std::size_t j = 0; j < tokens; ++j) {
    Tensor<double> changed = x;
    xt::view(changed, j) = 0.0;
    xt::view(moved, xt::all(), j) = token_lengths(function(changed) - before);
  }
  return moved;
}

double largest_off_diagonal(const Tensor<double>& reaction) {
  return largest_where(reaction, std::not_equal_to<>());
}

EncoderRun EncoderRun::compute(const Arguments& arguments, const Context& /*context*/) {
  EncoderRun run;
  run.tokens = arguments.count("tokens");
  run.width = arguments.count("width");
  run.placement = arguments.chosen<NormPlacement>("norm");
  run.lit = arguments.count("lit");
  run.labels = token_labels(arguments, run.tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.example = normalise_example(arguments.numbers("example"));

  Tape& tape = run.tape = Tape(arguments);
  run.x = tape.normal("x", {run.tokens, run.width}, {"tokens", "width"});
  run.drawn = draw_layer(tape, "", run.width, arguments.count("heads"), arguments.count("hidden"),
                         [](std::size_t) { return times(0.1); });
  const TransformerLayer<double> post = transformer_layer_of(run.drawn, NormPlacement::post);
  const TransformerLayer<double> pre = transformer_layer_of(run.drawn, NormPlacement::pre);
  (run.is_post() ? run.pre : run.post) = transformer_layer(run.is_post() ? pre : post, run.x);
  (run.is_post() ? run.post : run.pre) = layer_on(tape, {"", "x", sym("X"), ""}, run.placement);
  run.reactions = react(tape, run.x, post);
  run.other =
      tape.normal("x_2", {run.tokens, run.width}, {"tokens", "width"});  // last: it moves no other number
  run.batch = react_in_batch(tape, run, post);
  record_example(tape, run.example);
  run.alone_error = error_of_tokens_alone(post.mlp, run.x);
  measure_rounding(run);
  const Tensor<double> reversed = xt::flip(run.x, 0);
  const Tensor<double> backwards = transformer_layer(run.is_post() ? post : pre, reversed).output;
  run.order_error = largest_difference(backwards, xt::flip(run.chosen().output, 0));
  return run;
}

double mean_length(const Tensor<double>& tokens) {
  return sum_of(token_lengths(tokens)) / static_cast<double>(tokens.shape()[0]);
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

std::vector<Invariant> invariants(const EncoderRun& run) {
  // tolerance64 of the agreement rule: a few hundred roundings of numbers near 1
  constexpr double rounding = 1e-12;
  const NormErrors norms = norm_errors(run);
  const double of_norms = run.tape.any_read() ? rounding * norms.size * norms.size : rounding;
  const double deviation = std::sqrt(run.example.variance);
  std::vector<Invariant> all{
      invariant("weights_sum_to_one", row_sum_error(run.chosen().attention.attention.weights), rounding,
                "注意度の各行の和は 1", "every row of the weights sums to 1"),
      invariant("norm_mean_zero", norms.mean, of_norms, "レイヤ正規化の後、どのトークンも平均 0",
                "after layer norm every token has mean 0"),
      // not exactly 1: δ under the root takes the share δ / (σ² + δ)
      invariant("norm_variance_one", norms.variance, norms.eps_share + of_norms,
                "レイヤ正規化の後、どのトークンも分散 1", "after layer norm every token has variance 1"),
      invariant("mlp_treats_rows_alike", run.alone_error, run.alone_rounding,
                "MLP の結果は、トークンを 1 個ずつ与えても同じ",
                "the MLP gives each token alone the same result"),
      invariant("mlp_does_not_mix_tokens", largest_off_diagonal(run.reactions.mlp), run.alone_rounding,
                "MLP では、ほかのトークンを変えても結果は同じ",
                "in the MLP a token's result does not depend on other tokens"),
      invariant("norm_does_not_mix_tokens", largest_off_diagonal(run.reactions.norm), rounding,
                "レイヤ正規化では、ほかのトークンを変えても結果は同じ",
                "in layer norm a token's result does not depend on other tokens"),
      invariant("layer_follows_order", run.order_error, run.order_rounding,
                "トークンを逆順にすると、出力も逆順になるだけ",
                "reversing the tokens reverses the outputs, no more"),
      // σ² / (σ + δ) is σ up to δ
      invariant("slide_leaves_sigma", std::abs(run.example.slide_variance - deviation),
                LayerNorm<double>{}.eps + rounding * deviation, "スライドの式では、分散が 1 でなく σ になる",
                "the slide's divisor leaves the variance σ, not 1"),
  };
  for (Invariant& one : batch_invariants(run)) all.push_back(std::move(one));
  return all;
}

Experiment encoder_experiment() {
  std::vector<DeclaredInput> arrays{{"x", {"tokens", "width"}}};
  for (DeclaredInput& weight : declared_layer("", "hidden")) arrays.push_back(std::move(weight));
  arrays.push_back({"x_2", {"tokens", "width"}});
  arrays.push_back({"example", {"components?"}});
  return Experiment{
      "encoder",
      {"エンコーダー 1 層のすべての途中結果：残差、レイヤ正規化、MLP",
       "one encoder layer, every sub-step kept: residuals, layer norm, MLP"},
      {"スライド「レイヤ正規化」「残差表現」「符号器・1 層分」、講座 Task 1 の MHA と FFN",
       "slides, layer normalisation, residual representation, encoder (one layer); course task 1, MHA and FFN"},
      {parameter("tokens", IntegerKind{{1, 64}}, "6", "トークンの個数", "number of tokens"),
       parameter("width", IntegerKind{{2, 256}}, "16", "トークンの次元 D", "width D of the tokens"),
       parameter("heads", IntegerKind{{1, 16}}, "4", "ヘッドの個数（D の約数）",
                 "number of heads; must divide the width"),
       parameter("hidden", IntegerKind{{1, 1024}}, "64", "MLP の中間層の次元",
                 "width of the MLP's hidden layer"),
       parameter(
           "norm", ChoiceKind{{"post", "pre"}}, "post",
           "レイヤ正規化の位置。post は足した後（スライド）、pre は各サブレイヤの前（GPT-2）",
           "position of layer norm; post: after the addition (slides), pre: before each sub-layer (GPT-2)"),
       parameter("example", NumbersKind{{2, 12}, {-1e6, 1e6}}, "1,2,3,4", "レイヤ正規化の例に使うトークン",
                 "the token that is normalised as an example"),
       lit_parameter(7), labels_parameter(), rng_parameter(), seed_parameter("0")},
      report_of<EncoderRun>}
      .with_inputs(std::move(arrays))
      .with_sliders({{"heads=1,2,4,8,16"}});
}

}  // namespace attnlab
