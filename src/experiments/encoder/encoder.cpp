// One encoder layer, every sub-step kept: attention is added, normalised, the MLP is added, normalised.
#include <cmath>
#include <functional>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "core/error.hpp"
#include "experiments/encoder/encoder.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

std::vector<Parameter> parameters() {
  return {
      parameter("tokens", IntegerKind{{1, 64}}, "6", "トークンの個数", "how many tokens"),
      parameter("width", IntegerKind{{2, 256}}, "16", "トークンの次元 D", "width D of the tokens"),
      parameter("heads", IntegerKind{{1, 16}}, "4", "ヘッドの個数（D の約数）",
                "how many heads; must divide the width"),
      parameter("hidden", IntegerKind{{1, 1024}}, "64", "MLP の中間層の次元",
                "width of the MLP's hidden layer"),
      parameter(
          "norm", ChoiceKind{{"post", "pre"}}, "post",
          "レイヤ正規化の位置。post は足した後（スライド）、pre は各サブレイヤの前（GPT-2）",
          "where layer norm stands; post: after the addition (slides), pre: before each sub-layer (GPT-2)"),
      parameter("example", NumbersKind{{2, 12}, {-1e6, 1e6}}, "1,2,3,4", "レイヤ正規化の例に使うトークン",
                "the token that is normalised as an example"),
      labels_parameter(),
      rng_parameter(),
      seed_parameter("0"),
  };
}

// --- The computation

using OfTokens = std::function<Tensor<double>(const Tensor<double>&)>;

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

Reactions react(const Tensor<double>& x, const TransformerLayer<double>& layer) {
  return {reaction(x,
                   [&](const auto& tokens) {
                     return multi_head_attention(layer.attention, tokens, tokens, tokens).output;
                   }),
          reaction(x, [&](const auto& tokens) { return layer_norm(layer.mlp_norm, tokens); }),
          reaction(x, [&](const auto& tokens) { return feed_forward(layer.mlp, tokens).output; })};
}

/// The MLP on each token alone against the MLP on all of them.
double error_of_tokens_alone(const FeedForward<double>& mlp, const Tensor<double>& x) {
  Tensor<double> alone = x;
  for (std::size_t i = 0; i < x.shape()[0]; ++i) {
    xt::view(alone, i) = feed_forward(mlp, Tensor<double>(xt::view(x, i))).output;
  }
  return largest_difference(alone, feed_forward(mlp, x).output);
}

NormExample normalise_example(const std::vector<double>& numbers) {
  NormExample example;
  example.before = xt::adapt(numbers, {numbers.size()});
  example.variance = moments_of(example.before).variance;
  if (!(example.variance > 0.0)) {
    throw Error(ErrorKind::usage,
                {"--example の数がすべて等しいので、分散が 0 で正規化できません",
                 "the numbers of --example are all equal: they have no variance to normalise"},
                {"異なる数を含めてください（例：--example 1,2,3,4）",
                 "give numbers that differ, such as --example 1,2,3,4"});
  }
  LayerNorm<double> slide;
  slide.divisor = NormDivisor::standard_deviation;
  example.by_variance = layer_norm({}, example.before);
  example.by_deviation = layer_norm(slide, example.before);
  example.standard_variance = moments_of(example.by_variance).variance;
  example.slide_variance = moments_of(example.by_deviation).variance;

  const Tensor<double> stretch{0.1, 0.3, 1.0, 3.0, 10.0};
  const Tensor<double> tokens = xt::view(stretch, xt::all(), xt::newaxis()) * example.before;
  example.deviation = xt::sqrt(variances_of(tokens));
  example.variance_after = variances_of(layer_norm({}, tokens));
  example.variance_deviation = variances_of(layer_norm(slide, tokens));
  return example;
}

}  // namespace

EncoderRun EncoderRun::compute(const Arguments& arguments, const Context& /*context*/) {
  EncoderRun run;
  run.tokens = arguments.count("tokens");
  run.width = arguments.count("width");
  run.heads = arguments.count("heads");
  run.hidden = arguments.count("hidden");
  run.placement = arguments.text("norm") == "pre" ? NormPlacement::pre : NormPlacement::post;
  run.labels = token_labels(arguments, run.tokens);
  run.labels_are_words = !arguments.text("labels").empty();
  run.seed = static_cast<std::uint32_t>(arguments.integer("seed"));
  run.example = normalise_example(arguments.numbers("example"));

  RandomStream random = random_stream(arguments);
  run.x = random.randn({run.tokens, run.width});
  run.drawn = draw_layer(
      run.width, run.heads, run.hidden,
      [&](const std::vector<std::size_t>& shape) -> Tensor<double> { return random.randn(shape) * 0.1; });
  const TransformerLayer<double> post = transformer_layer_of(run.drawn, NormPlacement::post);
  const TransformerLayer<double> pre = transformer_layer_of(run.drawn, NormPlacement::pre);
  run.post = transformer_layer(post, run.x);
  run.pre = transformer_layer(pre, run.x);
  run.reactions = react(run.x, post);
  run.alone_error = error_of_tokens_alone(post.mlp, run.x);
  const Tensor<double> reversed = xt::flip(run.x, 0);
  const Tensor<double> backwards = transformer_layer(run.is_post() ? post : pre, reversed).output;
  run.order_error = largest_difference(backwards, xt::flip(run.chosen().output, 0));
  return run;
}

double mean_length(const Tensor<double>& tokens) {
  return sum_of(token_lengths(tokens)) / static_cast<double>(tokens.shape()[0]);
}

Moments moments_of(const Tensor<double>& tokens, std::size_t row) {
  const std::size_t width = tokens.shape().back();
  const double* token = tokens.data() + row * width;
  Moments moments;
  for (std::size_t k = 0; k < width; ++k) moments.mean += token[k];
  moments.mean /= static_cast<double>(width);
  for (std::size_t k = 0; k < width; ++k) {
    moments.variance += (token[k] - moments.mean) * (token[k] - moments.mean);
  }
  moments.variance /= static_cast<double>(width);
  return moments;
}

Tensor<double> variances_of(const Tensor<double>& tokens) {
  Tensor<double> variances = Tensor<double>::from_shape({tokens.shape()[0]});
  for (std::size_t i = 0; i < variances.size(); ++i) variances(i) = moments_of(tokens, i).variance;
  return variances;
}

Experiment encoder_experiment() {
  return {"encoder",
          {"エンコーダー 1 層のすべての途中結果：残差、レイヤ正規化、MLP",
           "one encoder layer, every sub-step kept: residuals, layer norm, MLP"},
          {"スライド「レイヤ正規化」「残差表現」「符号器・1 層分」",
           "slides, layer normalisation, residual representation, encoder (one layer)"},
          parameters(),
          report_of<EncoderRun>};
}

}  // namespace attnlab
