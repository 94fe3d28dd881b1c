// The trace of one Transformer layer, written once for the encoder and the decoder.
#include "experiments/framework/layer_trace.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sym;

const std::vector<std::string> token_axes{"tokens", "width"};
const std::vector<std::string> hidden_axes{"tokens", "hidden"};
const std::vector<std::string> pair_axes{"heads", "queries", "keys"};

/// A stage and the letter that stands for it.
struct Named {
  std::string stage;
  Formula symbol;
};

std::vector<Stage> attention_stages(const Named& x, const std::string& mask,
                                    const MultiHeadStages<double>& stages) {
  const AttentionStages<double>& attention = stages.attention;
  const auto width = static_cast<double>(stages.key.shape().back());
  const auto project = [&x](const std::string& name, std::string_view weight, const char* length,
                            const Tensor<double>& values) {
    return step(name, row({x.symbol, sym(" "), formula::read(weight)}), values,
                {"heads", length, "head_width"}, derived::product(x.stage, "w_" + name));
  };
  std::vector<Stage> trace{
      project("query", "W_Q", "queries", stages.query),
      project("key", "W_K", "keys", stages.key),
      project("value", "W_V", "keys", stages.value),
      step("raw_scores", "Q K^T", attention.raw_scores, pair_axes,
           derived::product_with_transpose("query", "key")),
      step("scores", "frac{Q K^T}{√{d_k}}", attention.scores, pair_axes,
           derived::scaled("raw_scores", 1.0 / std::sqrt(width))),
  };
  if (!mask.empty()) {
    trace.push_back(step("masked", "S + M", attention.masked, pair_axes, derived::sum("scores", mask)));
  }
  append(trace, {step("weights", "softmax(S)", attention.weights, pair_axes,
                      derived::softmax(mask.empty() ? "scores" : "masked")),
                 step("head_output", "A V", attention.output, {"heads", "queries", "head_width"},
                      derived::product("weights", "value")),
                 step("concat", "Concat(heads)", stages.concat, {"tokens", "heads_width"},
                      derived::join_heads("head_output")),
                 step("attention", row({sym("Concat"), sym(" "), formula::read("W_O")}), stages.output,
                      token_axes, derived::product("concat", "w_output"))});
  return trace;
}

std::vector<Stage> mlp_stages(const Named& input, const FeedForwardStages<double>& stages) {
  const Formula activated = formula::read("max(0, H)");
  return {step("hidden", row({input.symbol, sym(" "), formula::read("W_1")}), stages.hidden, hidden_axes,
               derived::product(input.stage, "w_1")),
          step("activated", activated, stages.activated, hidden_axes, derived::relu("hidden")),
          step("mlp", row({activated, sym(" "), formula::read("W_2")}), stages.output, token_axes,
               derived::product("activated", "w_2"))};
}

/// What entered a sub-layer plus what it gave.
Stage residual_sum(const std::string& name, const Named& stream, const std::string& sublayer,
                   const char* symbol, const Tensor<double>& values) {
  return step(name, row({stream.symbol, sym("+"), sym(symbol)}), values, token_axes,
              derived::sum(stream.stage, sublayer));
}

Stage norm_stage(const std::string& name, const Named& input, const LayerNorm<double>& norm,
                 const Tensor<double>& values) {
  return step(name, call("LN", input.symbol), values, token_axes, derived::layer_norm(input.stage, norm.eps));
}

}  // namespace

Tensor<double> token_lengths(const Tensor<double>& tokens) {
  Tensor<double> lengths({tokens.shape()[0]}, 0.0);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    lengths(i / tokens.shape()[1]) += tokens.flat(i) * tokens.flat(i);
  }
  return xt::sqrt(lengths);
}

DrawnLayer draw_layer(std::size_t width, std::size_t heads, std::size_t hidden,
                      const std::function<Tensor<double>(const std::string& name,
                                                         const std::vector<std::size_t>& shape)>& draw) {
  const std::size_t head = head_width(width, heads);
  DrawnLayer drawn;
  drawn.attention.query = draw("w_query", {heads, width, head});
  drawn.attention.key = draw("w_key", {heads, width, head});
  drawn.attention.value = draw("w_value", {heads, width, head});
  drawn.attention.output = draw("w_output", {width, width});
  drawn.w_1 = draw("w_1", {width, hidden});
  drawn.w_2 = draw("w_2", {hidden, width});
  return drawn;
}

std::vector<DeclaredInput> declared_layer(const std::string& prefix, const std::string& hidden) {
  const std::vector<std::string> per_head{"heads", "width", "width / heads"};
  return {{prefix + "w_query", per_head},      {prefix + "w_key", per_head},
          {prefix + "w_value", per_head},      {prefix + "w_output", {"width", "width"}},
          {prefix + "w_1", {"width", hidden}}, {prefix + "w_2", {hidden, "width"}}};
}

double rounding_of_layer(const DrawnLayer& drawn, NormPlacement placement,
                         const TransformerLayerStages<double>& stages, const Tensor<double>& x,
                         double error) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto tokens = static_cast<double>(x.shape()[0]);
  const auto width = static_cast<double>(x.shape()[1]);
  const auto hidden = static_cast<double>(drawn.w_1.shape()[1]);
  const auto head = static_cast<double>(drawn.attention.query.shape().back());
  // What enters is off by `error`; LN divides by √(σ² + δ) of the least token, and its results are up to √d.
  const auto after_norm = [&](const Tensor<double>& rows, double before) {
    double least = infinity;
    for (std::size_t i = 0; i < rows.shape()[0]; ++i) {
      const auto row = xt::view(rows, i, xt::all());
      const double mean = sum_of(row) / width;
      least = std::min(least, sum_of(xt::square(row - mean)) / width);
    }
    const double own = epsilon * (width + 4.0) * largest_magnitude(rows);
    return (width + 1.0) * (before + own) / std::sqrt(least + LayerNorm<double>{}.eps) +
           4.0 * epsilon * std::sqrt(width);
  };
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
    const double norm = after_norm(stages.residual_1, sum);
    return after_norm(stages.residual_2, added(norm, after_mlp(size, norm), stages.residual_2));
  }
  const double sum = added(error, after_attention(size, after_norm(x, error)), stages.residual_1);
  const double mlp = after_mlp(size, after_norm(stages.residual_1, sum));
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

std::vector<Stage> layer_weight_stages(const DrawnLayer& drawn, const std::string& prefix) {
  const std::vector<std::string> per_head{"heads", "width", "head_width"};
  return {
      input(prefix + "w_query", drawn.attention.query, per_head),
      input(prefix + "w_key", drawn.attention.key, per_head),
      input(prefix + "w_value", drawn.attention.value, per_head),
      input(prefix + "w_output", drawn.attention.output, {"heads_width", "width"}),
      input(prefix + "w_1", drawn.w_1, {"width", "hidden"}),
      input(prefix + "w_2", drawn.w_2, {"hidden", "width"}),
  };
}

std::vector<Stage> layer_stages(const LayerTrace& trace, const TransformerLayer<double>& layer,
                                const TransformerLayerStages<double>& stages) {
  const bool post = layer.placement == NormPlacement::post;  // with one norm inside, Z needs no number
  const Named x{trace.input, trace.input_symbol};
  const Named residual_1{"residual_1", formula::read("R_1")};
  const Named residual_2{"residual_2", formula::read("R_2")};
  const Named norm_1{"norm_1", formula::read(post ? "Z" : "Z_1")};
  const Named norm_2{"norm_2", formula::read("Z_2")};
  std::vector<Stage> result;
  if (post) {
    append(result, attention_stages(x, trace.mask, stages.attention));
    append(result, {residual_sum("residual_1", x, "attention", "Attention", stages.residual_1),
                    norm_stage("norm_1", residual_1, layer.attention_norm, stages.norm_1)});
    append(result, mlp_stages(norm_1, stages.mlp));
    append(result, {residual_sum("residual_2", norm_1, "mlp", "MLP", stages.residual_2),
                    norm_stage("output", residual_2, layer.mlp_norm, stages.output)});
  } else {
    result.push_back(norm_stage("norm_1", x, layer.attention_norm, stages.norm_1));
    append(result, attention_stages(norm_1, trace.mask, stages.attention));
    append(result, {residual_sum("residual_1", x, "attention", "Attention", stages.residual_1),
                    norm_stage("norm_2", residual_1, layer.mlp_norm, stages.norm_2)});
    append(result, mlp_stages(norm_2, stages.mlp));
    append(result, {residual_sum("residual_2", residual_1, "mlp", "MLP", stages.residual_2),
                    step("output", residual_2.symbol, stages.output, token_axes,
                         derived::scaled("residual_2", 1.0))});
  }
  for (Stage& stage : result) {  // all but the input and the mask are this layer's own
    stage.name.insert(0, trace.prefix);
    for (std::string& operand : stage.derivation.operands) {
      if (operand != trace.input && operand != trace.mask) operand.insert(0, trace.prefix);
    }
  }
  return result;
}

}  // namespace attnlab
