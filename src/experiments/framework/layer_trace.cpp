// The trace of one Transformer layer, written once for the encoder and the decoder.
#include "experiments/framework/layer_trace.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sym;

const Axes token_axes{"tokens", "width"};

/// A stage and the letter that stands for it.
struct Named {
  std::string stage;
  Formula symbol;
};

MultiHeadStages<double> attend(Tape& tape, const LayerTrace& trace, const Named& x) {
  const auto named = [&trace](const std::string& stage) { return trace.prefix + stage; };
  const auto project = [&](const std::string& name, const char* weight, const char* length) {
    return tape.product(named(name), row({x.symbol, sym(" "), formula::read(weight)}), x.stage,
                        named("w_" + name), {"heads", length, "head_width"});
  };
  MultiHeadStages<double> stages;
  stages.query = project("query", "W_Q", "queries");
  stages.key = project("key", "W_K", "keys");
  stages.value = project("value", "W_V", "keys");
  RecordedAttention recorded;
  recorded.scores = "\\frac{Q K^T}{\\sqrt{d_k}}";
  recorded.prefix = trace.prefix;
  recorded.output_name = "head_output";
  recorded.mask = trace.mask;
  if (!trace.mask.empty()) recorded.masked = "S + M";
  stages.attention = tape.attention(named("query"), named("key"), named("value"), std::nullopt, recorded);
  stages.concat =
      tape.join_heads(named("concat"), "Concat(heads)", named("head_output"), {"tokens", "heads_width"});
  stages.output = tape.product(named("attention"), row({sym("Concat"), sym(" "), formula::read("W_O")}),
                               named("concat"), named("w_output"), token_axes);
  return stages;
}

FeedForwardStages<double> feed_forward(Tape& tape, const std::string& prefix, const Named& input) {
  const Formula activated = formula::read("max(0, H)");
  FeedForwardStages<double> stages;
  stages.hidden = tape.product(prefix + "hidden", row({input.symbol, sym(" "), formula::read("W_1")}),
                               input.stage, prefix + "w_1", {"tokens", "hidden"});
  stages.activated = tape.relu(prefix + "activated", activated, prefix + "hidden");
  stages.output = tape.product(prefix + "mlp", row({activated, sym(" "), formula::read("W_2")}),
                               prefix + "activated", prefix + "w_2", token_axes);
  return stages;
}

/// What entered a sub-layer plus what it gave.
Tensor<double> add(Tape& tape, const std::string& name, const Named& stream, const std::string& sublayer,
                   const char* symbol) {
  return tape.sum(name, row({stream.symbol, sym("+"), sym(symbol)}), stream.stage, sublayer);
}

Tensor<double> normalise(Tape& tape, const std::string& name, const Named& input) {
  return tape.layer_norm(name, call("LN", input.symbol), input.stage);
}

}  // namespace

Tensor<double> token_lengths(const Tensor<double>& tokens) {
  Tensor<double> lengths({tokens.shape()[0]}, 0.0);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    lengths(i / tokens.shape()[1]) += tokens.flat(i) * tokens.flat(i);
  }
  return xt::sqrt(lengths);
}

DrawnLayer draw_layer(Tape& tape, const std::string& prefix, std::size_t width, std::size_t heads,
                      std::size_t hidden, Factor (*factor)(std::size_t inputs)) {
  const std::size_t head = head_width(width, heads);
  const auto draw = [&](const char* name, const std::vector<std::size_t>& shape, const Axes& axes) {
    return tape.normal(prefix + name, shape, axes, factor(shape[shape.size() - 2]));
  };
  const Axes per_head{"heads", "width", "head_width"};
  DrawnLayer drawn;
  drawn.attention.query = draw("w_query", {heads, width, head}, per_head);
  drawn.attention.key = draw("w_key", {heads, width, head}, per_head);
  drawn.attention.value = draw("w_value", {heads, width, head}, per_head);
  drawn.attention.output = draw("w_output", {width, width}, {"heads_width", "width"});
  drawn.w_1 = draw("w_1", {width, hidden}, {"width", "hidden"});
  drawn.w_2 = draw("w_2", {hidden, width}, {"hidden", "width"});
  return drawn;
}

std::vector<DeclaredInput> declared_layer(const std::string& prefix, const std::string& hidden) {
  const std::vector<std::string> per_head{"heads", "width", "width / heads"};
  return {{prefix + "w_query", per_head},      {prefix + "w_key", per_head},
          {prefix + "w_value", per_head},      {prefix + "w_output", {"width", "width"}},
          {prefix + "w_1", {"width", hidden}}, {prefix + "w_2", {hidden, "width"}}};
}

double rounding_of_norm(const Tensor<double>& tokens, double error) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto width = static_cast<double>(tokens.shape()[1]);
  const Tensor<double> variances = row_variance(tokens);
  const double least = *std::min_element(variances.begin(), variances.end());
  const double own = epsilon * (width + 4.0) * largest_magnitude(tokens);
  return (width + 1.0) * (error + own) / std::sqrt(least + LayerNorm<double>{}.eps) +
         4.0 * epsilon * std::sqrt(width);
}

double rounding_of_layer(const DrawnLayer& drawn, NormPlacement placement,
                         const TransformerLayerStages<double>& stages, const Tensor<double>& x,
                         double error) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto tokens = static_cast<double>(x.shape()[0]);
  const auto width = static_cast<double>(x.shape()[1]);
  const auto hidden = static_cast<double>(drawn.w_1.shape()[1]);
  const auto head = static_cast<double>(drawn.attention.query.shape().back());
  // Attention: a score is a sum of sums of products, and exp makes its error that of the weight.
  const auto after_attention = [&](double size, double before) {
    const double query = width * size * largest_magnitude(drawn.attention.query);
    const double key = width * size * largest_magnitude(drawn.attention.key);
    const double value = width * size * largest_magnitude(drawn.attention.value);
    const double relative = before / std::max(size, std::numeric_limits<double>::min());
    const double score = std::sqrt(head) * query * key * (8.0 * epsilon * (width + head) + 8.0 * relative);
    const double weight = std::min(2.0, score + epsilon * (8.0 + tokens));
    const double output = width * value * largest_magnitude(drawn.attention.output);
    return output * (weight + relative + epsilon * (3.0 * width + tokens));
  };
  const auto after_mlp = [&](double size, double before) {
    const double gain = width * hidden * largest_magnitude(drawn.w_1) * largest_magnitude(drawn.w_2);
    return gain * (before + epsilon * (width + hidden) * size);
  };
  const auto added = [&](double one, double other, const Tensor<double>& sum) {
    return one + other + epsilon * largest_magnitude(sum);
  };
  const double size = std::sqrt(width);
  if (placement == NormPlacement::post) {
    const double sum = added(error, after_attention(largest_magnitude(x), error), stages.residual_1);
    const double norm = rounding_of_norm(stages.residual_1, sum);
    return rounding_of_norm(stages.residual_2, added(norm, after_mlp(size, norm), stages.residual_2));
  }
  const double sum = added(error, after_attention(size, rounding_of_norm(x, error)), stages.residual_1);
  const double mlp = after_mlp(size, rounding_of_norm(stages.residual_1, sum));
  return added(sum, mlp, stages.residual_2);
}

TransformerLayer<double> transformer_layer_of(const DrawnLayer& drawn, NormPlacement placement) {
  TransformerLayer<double> layer;
  layer.attention = drawn.attention;
  layer.mlp = {{attnlab::transpose(drawn.w_1), {}},
               {attnlab::transpose(drawn.w_2), {}}};  // Linear: (out, in)
  layer.placement = placement;
  return layer;
}

TransformerLayerStages<double> layer_on(Tape& tape, const LayerTrace& trace, NormPlacement placement) {
  const bool post = placement == NormPlacement::post;  // with one norm inside, Z needs no number
  const auto named = [&trace](const char* stage) { return trace.prefix + stage; };
  const Named x{trace.input, trace.input_symbol};
  const Named residual_1{named("residual_1"), formula::read("R_1")};
  const Named residual_2{named("residual_2"), formula::read("R_2")};
  const Named norm_1{named("norm_1"), formula::read(post ? "Z" : "Z_1")};
  const Named norm_2{named("norm_2"), formula::read("Z_2")};
  TransformerLayerStages<double> stages;
  if (!post) stages.norm_1 = normalise(tape, norm_1.stage, x);
  stages.attention = attend(tape, trace, post ? x : norm_1);
  stages.residual_1 = add(tape, residual_1.stage, x, named("attention"), "Attention");
  const Named& normed = post ? norm_1 : norm_2;
  (post ? stages.norm_1 : stages.norm_2) = normalise(tape, normed.stage, residual_1);
  stages.mlp = feed_forward(tape, trace.prefix, normed);
  stages.residual_2 = add(tape, residual_2.stage, post ? norm_1 : residual_1, named("mlp"), "MLP");
  stages.output = post ? normalise(tape, named("output"), residual_2)
                       : tape.scaled(named("output"), residual_2.symbol, residual_2.stage, times(1.0));
  if (post) stages.norm_2 = stages.output;
  return stages;
}

}  // namespace attnlab
