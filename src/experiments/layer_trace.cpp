// The trace of one Transformer layer, written once for the encoder and the decoder.
#include "experiments/framework/layer_trace.hpp"

#include <cmath>
#include <utility>

#include "attention/matmul.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::row;
using formula::sub;
using formula::sym;

const std::vector<std::string> token_axes{"tokens", "width"};
const std::vector<std::string> pair_axes{"heads", "queries", "keys"};

/// Collects stages under the layer's prefix.
class Builder {
 public:
  explicit Builder(const LayerTrace& trace) : trace_(trace) {}

  /// The full name of a stage of this layer.
  std::string operator()(const std::string& name) const { return trace_.prefix + name; }

  void add(const std::string& name, Formula formula, const Tensor<double>& values,
           std::vector<std::string> axes, Derivation derivation) {
    stages_.push_back(
        {trace_.prefix + name, std::move(formula), to_array(values, std::move(axes)), std::move(derivation)});
  }

  std::vector<Stage> take() { return std::move(stages_); }

 private:
  const LayerTrace& trace_;
  std::vector<Stage> stages_;
};

/// A stage and the letter that stands for it.
struct Named {
  std::string stage;
  Formula symbol;
};

Formula raw_scores_formula() {
  return row({sym("Q"), formula::sup(sym("K"), sym("T"))});
}

void add_attention(Builder& build, const LayerTrace& trace, const Named& input,
                   const MultiHeadStages<double>& stages) {
  const AttentionStages<double>& attention = stages.attention;
  const auto width = static_cast<double>(stages.key.shape().back());
  const auto project = [&](const std::string& name, const char* letter, const char* length,
                           const Tensor<double>& values) {
    build.add(name, row({input.symbol, sym(" "), weight_symbol(letter)}), values,
              {"heads", length, "head_width"}, derived::product(input.stage, build("w_" + name)));
  };
  project("query", "Q", "queries", stages.query);
  project("key", "K", "keys", stages.key);
  project("value", "V", "keys", stages.value);
  build.add("raw_scores", raw_scores_formula(), attention.raw_scores, pair_axes,
            derived::product_with_transpose(build("query"), build("key")));
  const Formula scaled = formula::fraction(raw_scores_formula(), formula::root(sub(sym("d"), sym("k"))));
  build.add("scores", scaled, attention.scores, pair_axes,
            derived::scaled(build("raw_scores"), 1.0 / std::sqrt(width)));
  if (!trace.mask.empty()) {
    build.add("masked", row({sym("S"), sym("+"), sym("M")}), attention.masked, pair_axes,
              derived::sum(build("scores"), trace.mask));
  }
  build.add("weights", call("softmax", sym("S")), attention.weights, pair_axes,
            derived::softmax(build(trace.mask.empty() ? "scores" : "masked")));
  build.add("head_output", row({sym("A"), sym("V")}), attention.output, {"heads", "queries", "head_width"},
            derived::product(build("weights"), build("value")));
  build.add("concat", call("Concat", sym("heads")), stages.concat, {"tokens", "heads_width"},
            derived::join_heads(build("head_output")));
  build.add("attention", row({sym("Concat"), sym(" "), weight_symbol("O")}), stages.output, token_axes,
            derived::product(build("concat"), build("w_output")));
}

void add_mlp(Builder& build, const Named& input, const FeedForwardStages<double>& stages) {
  build.add("hidden", row({input.symbol, sym(" "), weight_symbol("1")}), stages.hidden, {"tokens", "hidden"},
            derived::product(input.stage, build("w_1")));
  build.add("activated", call("max", row({sym("0"), sym(","), sym("H")})), stages.activated,
            {"tokens", "hidden"}, derived::relu(build("hidden")));
  build.add("mlp", row({call("max", row({sym("0"), sym(","), sym("H")})), sym(" "), weight_symbol("2")}),
            stages.output, token_axes, derived::product(build("activated"), build("w_2")));
}

void add_sum(Builder& build, const std::string& name, const Named& stream, const std::string& sublayer,
             const char* sublayer_symbol, const Tensor<double>& values) {
  build.add(name, row({stream.symbol, sym("+"), sym(sublayer_symbol)}), values, token_axes,
            derived::sum(stream.stage, build(sublayer)));
}

void add_norm(Builder& build, const std::string& name, const Named& input, const LayerNorm<double>& norm,
              const Tensor<double>& values) {
  build.add(name, call("LN", input.symbol), values, token_axes, derived::layer_norm(input.stage, norm.eps));
}

}  // namespace

Formula weight_symbol(const char* index) {
  return sub(sym("W"), sym(index));
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
  const Formula input = row({});
  const std::vector<std::string> per_head{"heads", "width", "head_width"};
  return {
      {prefix + "w_query", input, to_array(drawn.attention.query, per_head)},
      {prefix + "w_key", input, to_array(drawn.attention.key, per_head)},
      {prefix + "w_value", input, to_array(drawn.attention.value, per_head)},
      {prefix + "w_output", input, to_array(drawn.attention.output, {"heads_width", "width"})},
      {prefix + "w_1", input, to_array(drawn.w_1, {"width", "hidden"})},
      {prefix + "w_2", input, to_array(drawn.w_2, {"hidden", "width"})},
  };
}

std::vector<Stage> layer_stages(const LayerTrace& trace, const TransformerLayer<double>& layer,
                                const TransformerLayerStages<double>& stages) {
  Builder build(trace);
  const Named x{trace.input, trace.input_symbol};
  const Named residual_1{build("residual_1"), sub(sym("R"), sym("1"))};
  const Named residual_2{build("residual_2"), sub(sym("R"), sym("2"))};
  const bool post = layer.placement == NormPlacement::post;  // with one norm inside, Z needs no number
  const Named norm_1{build("norm_1"), post ? sym("Z") : sub(sym("Z"), sym("1"))};
  const Named norm_2{build("norm_2"), sub(sym("Z"), sym("2"))};
  if (post) {
    add_attention(build, trace, x, stages.attention);
    add_sum(build, "residual_1", x, "attention", "Attention", stages.residual_1);
    add_norm(build, "norm_1", residual_1, layer.attention_norm, stages.norm_1);
    add_mlp(build, norm_1, stages.mlp);
    add_sum(build, "residual_2", norm_1, "mlp", "MLP", stages.residual_2);
    add_norm(build, "output", residual_2, layer.mlp_norm, stages.output);
    return build.take();
  }
  add_norm(build, "norm_1", x, layer.attention_norm, stages.norm_1);
  add_attention(build, trace, norm_1, stages.attention);
  add_sum(build, "residual_1", x, "attention", "Attention", stages.residual_1);
  add_norm(build, "norm_2", residual_1, layer.mlp_norm, stages.norm_2);
  add_mlp(build, norm_2, stages.mlp);
  add_sum(build, "residual_2", residual_1, "mlp", "MLP", stages.residual_2);
  build.add("output", residual_2.symbol, stages.output, token_axes,
            derived::scaled(build("residual_2"), 1.0));
  return build.take();
}

}  // namespace attnlab
