// One encoder layer, every sub-step kept: attention is added, normalised, the MLP is added, normalised.
#include <algorithm>
#include <cmath>
#include <xtensor/xmanipulation.hpp>
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
      {"tokens", IntegerKind{{1, 64}}, "6", {"トークンの個数", "how many tokens"}},
      {"width", IntegerKind{{2, 256}}, "16", {"トークンの次元 D", "width D of the tokens"}},
      {"heads",
       IntegerKind{{1, 16}},
       "4",
       {"ヘッドの個数（D の約数）", "how many heads; must divide the width"}},
      {"hidden", IntegerKind{{1, 1024}}, "64", {"MLP の中間層の次元", "width of the MLP's hidden layer"}},
      {"norm",
       ChoiceKind{{"post", "pre"}},
       "post",
       {"レイヤ正規化の位置。post は足した後（スライド）、pre は各サブレイヤの前（GPT-2）",
        "where layer norm stands; post: after the addition (slides), pre: before each sub-layer (GPT-2)"}},
      {"example",
       NumbersKind{{2, 12}, {-1e6, 1e6}},
       "1,2,3,4",
       {"レイヤ正規化の例に使うトークン", "the token that is normalised as an example"}},
      labels_parameter(),
      rng_parameter(),
      seed_parameter("0"),
  };
}

// --- The computation

template <class Function>
Tensor<double> reaction(const Tensor<double>& x, Function function) {
  const std::size_t tokens = x.shape()[0];
  const Tensor<double> before = function(x);
  Tensor<double> moved = Tensor<double>::from_shape({tokens, tokens});
  for (std::size_t j = 0; j < tokens; ++j) {
    Tensor<double> changed = x;
    xt::view(changed, j, xt::all()) = 0.0;
    const Tensor<double> difference = function(changed) - before;
    for (std::size_t i = 0; i < tokens; ++i) moved(i, j) = token_length(difference, i);
  }
  return moved;
}

Reactions react(const Tensor<double>& x, const TransformerLayer<double>& layer) {
  return {reaction(x,
                   [&](const Tensor<double>& tokens) {
                     return multi_head_attention(layer.attention, tokens, tokens, tokens).output;
                   }),
          reaction(x, [&](const Tensor<double>& tokens) { return layer_norm(layer.mlp_norm, tokens); }),
          reaction(x, [&](const Tensor<double>& tokens) { return feed_forward(layer.mlp, tokens).output; })};
}

/// The MLP on each token alone against the MLP on all of them.
double alone_error(const FeedForward<double>& mlp, const Tensor<double>& x) {
  const Tensor<double> together = feed_forward(mlp, x).output;
  double largest = 0.0;
  for (std::size_t i = 0; i < x.shape()[0]; ++i) {
    const Tensor<double> token = xt::view(x, i, xt::all());
    const Tensor<double> row = xt::view(together, i, xt::all());
    largest = std::max(largest, largest_difference(feed_forward(mlp, token).output, row));
  }
  return largest;
}

NormExample normalise_example(const std::vector<double>& numbers) {
  NormExample example;
  example.before = Tensor<double>::from_shape({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), example.before.begin());
  example.variance = moments_of(example.before, 0).variance;
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
  example.standard_variance = moments_of(example.by_variance, 0).variance;
  example.slide_variance = moments_of(example.by_deviation, 0).variance;

  const Tensor<double> stretch{0.1, 0.3, 1.0, 3.0, 10.0};
  for (Tensor<double>* sweep : {&example.deviation, &example.variance_after, &example.variance_deviation}) {
    *sweep = Tensor<double>::from_shape({stretch.size()});
  }
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    const Tensor<double> token = example.before * stretch(i);
    example.deviation(i) = std::sqrt(moments_of(token, 0).variance);
    example.variance_after(i) = moments_of(layer_norm({}, token), 0).variance;
    example.variance_deviation(i) = moments_of(layer_norm(slide, token), 0).variance;
  }
  return example;
}

EncoderRun compute(const Arguments& arguments) {
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
  run.alone_error = alone_error(post.mlp, run.x);
  const Tensor<double> reversed = xt::flip(run.x, 0);
  const Tensor<double> backwards = transformer_layer(run.is_post() ? post : pre, reversed).output;
  run.order_error = largest_difference(backwards, xt::flip(run.chosen().output, 0));
  return run;
}

Report run_encoder(const Arguments& arguments, const Context&) {
  const EncoderRun run = compute(arguments);
  Report report;
  report.stages = encoder_stages(run);
  report.scalars = encoder_scalars(run);
  report.invariants = encoder_invariants(run);
  report.body = encoder_words(run, report.stages);
  report.figures = encoder_figures(run);
  return report;
}

}  // namespace

double mean_length(const Tensor<double>& tokens) {
  const std::size_t count = tokens.shape()[0];
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += token_length(tokens, i);
  return sum / static_cast<double>(count);
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

Experiment encoder_experiment() {
  return {"encoder",
          {"エンコーダー 1 層のすべての途中結果：残差、レイヤ正規化、MLP",
           "one encoder layer, every sub-step kept: residuals, layer norm, MLP"},
          {"スライド「レイヤ正規化」「残差表現」「符号器・1 層分」",
           "slides, layer normalisation, residual representation, encoder (one layer)"},
          parameters(),
          run_encoder};
}

}  // namespace attnlab
