// The trace of one Transformer layer, written once for the encoder and the decoder.
#include "experiments/framework/layer_trace.hpp"

#include <cmath>
#include <string_view>
#include <utility>
#include <xtensor/xmath.hpp>

#include "attention/matmul.hpp"
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

/// Collects stages under the layer's prefix.
class Builder {
 public:
  explicit Builder(const LayerTrace& trace) : trace_(trace) {}

  /// The full name of a stage of this layer.
  std::string operator()(const std::string& name) const { return trace_.prefix + name; }

  void add(const std::string& name, Formula formula, const Tensor<double>& values,
           std::vector<std::string> axes, Derivation derivation) {
    stages_.push_back(
        step(trace_.prefix + name, std::move(formula), values, std::move(axes), std::move(derivation)));
  }
  void add(const std::string& name, std::string_view formula, const Tensor<double>& values,
           std::vector<std::string> axes, Derivation derivation) {
    add(name, formula::read(formula), values, std::move(axes), std::move(derivation));
  }

  void attention(const Named& input, const MultiHeadStages<double>& stages) {
    const Builder& named = *this;
    const AttentionStages<double>& attention = stages.attention;
    const auto width = static_cast<double>(stages.key.shape().back());
    const auto project = [&](const std::string& name, std::string_view weight, const char* length,
                             const Tensor<double>& values) {
      add(name, row({input.symbol, sym(" "), formula::read(weight)}), values, {"heads", length, "head_width"},
          derived::product(input.stage, named("w_" + name)));
    };
    project("query", "W_Q", "queries", stages.query);
    project("key", "W_K", "keys", stages.key);
    project("value", "W_V", "keys", stages.value);
    add("raw_scores", "Q K^T", attention.raw_scores, pair_axes,
        derived::product_with_transpose(named("query"), named("key")));
    add("scores", "frac{Q K^T}{√{d_k}}", attention.scores, pair_axes,
        derived::scaled(named("raw_scores"), 1.0 / std::sqrt(width)));
    if (!trace_.mask.empty()) {
      add("masked", "S + M", attention.masked, pair_axes, derived::sum(named("scores"), trace_.mask));
    }
    add("weights", "softmax(S)", attention.weights, pair_axes,
        derived::softmax(named(trace_.mask.empty() ? "scores" : "masked")));
    add("head_output", "A V", attention.output, {"heads", "queries", "head_width"},
        derived::product(named("weights"), named("value")));
    add("concat", "Concat(heads)", stages.concat, {"tokens", "heads_width"},
        derived::join_heads(named("head_output")));
    add("attention", row({sym("Concat"), sym(" "), formula::read("W_O")}), stages.output, token_axes,
        derived::product(named("concat"), named("w_output")));
  }

  void mlp(const Named& input, const FeedForwardStages<double>& stages) {
    const Builder& named = *this;
    const Formula activated = formula::read("max(0, H)");
    add("hidden", row({input.symbol, sym(" "), formula::read("W_1")}), stages.hidden, hidden_axes,
        derived::product(input.stage, named("w_1")));
    add("activated", activated, stages.activated, hidden_axes, derived::relu(named("hidden")));
    add("mlp", row({activated, sym(" "), formula::read("W_2")}), stages.output, token_axes,
        derived::product(named("activated"), named("w_2")));
  }

  /// What entered a sub-layer plus what it gave.
  void sum(const std::string& name, const Named& stream, const std::string& sublayer, const char* symbol,
           const Tensor<double>& values) {
    add(name, row({stream.symbol, sym("+"), sym(symbol)}), values, token_axes,
        derived::sum(stream.stage, trace_.prefix + sublayer));
  }

  void norm(const std::string& name, const Named& input, const LayerNorm<double>& norm,
            const Tensor<double>& values) {
    add(name, call("LN", input.symbol), values, token_axes, derived::layer_norm(input.stage, norm.eps));
  }

  std::vector<Stage> take() { return std::move(stages_); }

 private:
  const LayerTrace& trace_;
  std::vector<Stage> stages_;
};

}  // namespace

Tensor<double> token_lengths(const Tensor<double>& tokens) {
  Tensor<double> lengths({tokens.shape()[0]}, 0.0);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    lengths(i / tokens.shape()[1]) += tokens.flat(i) * tokens.flat(i);
  }
  return xt::sqrt(lengths);
}

DrawnLayer draw_layer(std::size_t width, std::size_t heads, std::size_t hidden,
                      const std::function<Tensor<double>(const std::vector<std::size_t>& shape)>& draw) {
  const std::size_t head = head_width(width, heads);
  DrawnLayer drawn;
  drawn.attention.query = draw({heads, width, head});
  drawn.attention.key = draw({heads, width, head});
  drawn.attention.value = draw({heads, width, head});
  drawn.attention.output = draw({width, width});
  drawn.w_1 = draw({width, hidden});
  drawn.w_2 = draw({hidden, width});
  return drawn;
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
  Builder build(trace);
  const bool post = layer.placement == NormPlacement::post;  // with one norm inside, Z needs no number
  const Named x{trace.input, trace.input_symbol};
  const Named residual_1{build("residual_1"), formula::read("R_1")};
  const Named residual_2{build("residual_2"), formula::read("R_2")};
  const Named norm_1{build("norm_1"), formula::read(post ? "Z" : "Z_1")};
  const Named norm_2{build("norm_2"), formula::read("Z_2")};
  if (post) {
    build.attention(x, stages.attention);
    build.sum("residual_1", x, "attention", "Attention", stages.residual_1);
    build.norm("norm_1", residual_1, layer.attention_norm, stages.norm_1);
    build.mlp(norm_1, stages.mlp);
    build.sum("residual_2", norm_1, "mlp", "MLP", stages.residual_2);
    build.norm("output", residual_2, layer.mlp_norm, stages.output);
    return build.take();
  }
  build.norm("norm_1", x, layer.attention_norm, stages.norm_1);
  build.attention(norm_1, stages.attention);
  build.sum("residual_1", x, "attention", "Attention", stages.residual_1);
  build.norm("norm_2", residual_1, layer.mlp_norm, stages.norm_2);
  build.mlp(norm_2, stages.mlp);
  build.sum("residual_2", residual_1, "mlp", "MLP", stages.residual_2);
  build.add("output", residual_2.symbol, stages.output, token_axes,
            derived::scaled(build("residual_2"), 1.0));
  return build.take();
}

}  // namespace attnlab
