// `heads` and `self-attention` over a model: the queries, keys and values of one of its layers, in float64
// from there on.
#include <xtensor/xview.hpp>

#include "attention/streaming/score_tiles.hpp"
#include "core/constants.hpp"
#include "core/utf8.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/self_attention/self_attention.hpp"
#include "model/experiments/experiments.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_tokens_of_heads = 128;
constexpr std::size_t most_tokens_of_one = 256;

/// What a layer's heads have made of the tokens before they meet.
struct LayerRead {
  Tensor<double> query;                // (heads, n, head_width)
  Tensor<double> key;                  // (heads, n, head_width); several heads may share theirs
  Tensor<double> value;                // (heads, n, head_width)
  std::optional<Tensor<double>> mask;  // (1, n, n), or of each head (heads, n, n)
  double scale = 1.0;
  double distance = 0.0;  // the largest difference of a weight from the model's own, computed in float32
};

/// What is added to the scores: -inf where they say that a token may not read, and linear biases, which
/// differ from head to head; nothing where there is neither.
std::optional<Tensor<double>> mask_of(const Architecture& a, const Tensor<float>& scores) {
  const std::size_t n = scores.shape()[1];
  const bool is_biased = !a.alibi_slopes.empty();
  Tensor<double> mask = is_biased ? alibi_bias(a.alibi_slopes, n, n) : Tensor<double>({1, n, n}, 0.0);
  bool hides = false;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (!std::isinf(scores.data()[i])) continue;
    mask.flat(i) = -infinity;
    hides = true;
  }
  return hides || is_biased ? std::optional(mask) : std::nullopt;
}

LayerRead layer_read(const ModelRun& model) {
  const Architecture& a = model.architecture();
  const std::optional<Breakdown>& breakdown = model.pass->breakdown;
  if (breakdown && breakdown->depth <= model.layer + 1) refuse_breakdown(*breakdown);
  if (a.score_cap > 0.0) refuse_model("room_capped", {{"model", quotation(model.opened.checkpoint.name)}});
  const LayerStages& stages = model.pass->forward.layers[model.layer];
  const std::size_t group = a.heads / a.kv_heads;  // of heads that share a key and a value
  LayerRead layer{widened(stages.query), repeat_heads(widened(stages.key), group),
                  repeat_heads(widened(stages.value), group), mask_of(a, stages.scores)};
  layer.scale = a.scales ? 1.0 / std::sqrt(static_cast<double>(a.score_width)) : 1.0;
  const Tensor<double> weights =
      scaled_dot_product_attention(layer.query, layer.key, layer.value, {layer.scale, layer.mask}).weights;
  layer.distance = largest_difference(weights, widened(stages.weights));
  return layer;
}

/// "world.en, layer 3"
Text source_of(const ModelRun& model, const std::optional<std::size_t>& head) {
  const std::string name = printable(model.opened.checkpoint.name);
  const Text layer = text("{} の第 {} 層", "{}, layer {}", name, model.layer);
  return head ? text("{}、ヘッド {}", "{}, head {}", layer, *head) : layer;
}

/// The rounding of float32 in a sum of a few dozen products, where the largest scores are about ten.
Invariant agrees_with_the_model(const LayerRead& layer) {
  constexpr double of_float32 = 1e-4;
  return invariant("weights_agree_with_the_model", layer.distance, of_float32,
                   "注意度がモデル自身の計算（float32）と一致",
                   "the weights are those that the model computed in float32");
}

/// x W of a matrix, as (in, out).
Tensor<double> in_out(const StoredMatrix& matrix) {
  Tensor<double> values = Tensor<double>::from_shape({matrix.in(), matrix.out()});
  for (std::size_t column = 0; column < matrix.out(); ++column) {
    const std::vector<float> numbers = matrix.column(column);
    for (std::size_t row = 0; row < numbers.size(); ++row) values(row, column) = numbers[row];
  }
  return values;
}

/// What every run over a layer begins with.
template <class Run>
void take_layer(const ModelRun& model, const LayerRead& layer, const Text& source, Run& run) {
  run.scale = layer.scale;
  const Architecture& a = model.architecture();
  run.scale_text = !a.scales ? "none" : a.score_width == a.head_width ? "default" : python_repr(layer.scale);
  run.labels = {model.labels.begin(), model.labels.end()};
  run.labels_are_words = true;
  run.tape.come_from(source);
}

/// (heads, n, m) of one head: (n, m).
Tensor<double> of_head(const Tensor<double>& all, std::size_t head) {
  return xt::view(all, head, xt::all(), xt::all());
}

}  // namespace

Report heads_over_model(const Arguments& arguments, const Context& context) {
  const ModelRun model = read_by_model(arguments, context, most_tokens_of_heads);
  const Architecture& a = model.architecture();
  const LayerRead layer = layer_read(model);
  HeadsRun run;
  run.variant = HeadsVariant::model;
  run.queries = run.keys = model.tokens.size();
  run.heads = a.heads;
  run.d_model = a.width;
  run.width = a.head_width;
  take_layer(model, layer, source_of(model, std::nullopt), run);
  Tape& tape = run.tape;
  const Projection& output = model.opened.model.weights.layers[model.layer].output;
  tape.input_or("x", widened(model.pass->forward.layers[model.layer].normed), {"tokens", "d_model"});
  tape.input_or("w_output", in_out(output.matrix), {"heads_width", "d_model"});
  tape.input_or("query", layer.query, {"heads", "queries", "width"});
  tape.input_or("key", layer.key, {"heads", "keys", "width"});
  tape.input_or("value", layer.value, {"heads", "keys", "width"});
  if (layer.mask) run.mask = tape.user_or("mask", *layer.mask);
  if (output.bias) run.drawn["bias_output"] = widened(*output.bias);
  attend(run);
  Report report = report_from(run);
  report.invariants.push_back(agrees_with_the_model(layer));
  return report;
}

Report self_attention_over_model(const Arguments& arguments, const Context& context) {
  const ModelRun model = read_by_model(arguments, context, most_tokens_of_one);
  const LayerRead layer = layer_read(model);
  const std::size_t head = model.head;
  SelfAttentionRun run;
  if (layer.mask) run.mask = of_head(*layer.mask, layer.mask->shape()[0] == 1 ? 0 : head);
  take_layer(model, layer, source_of(model, head), run);
  Tape& tape = run.tape;
  tape.input_or("x", widened(model.pass->forward.layers[model.layer].normed), {"tokens", "width"});
  tape.input_or("query", of_head(layer.query, head), {"queries", "head_width"});
  tape.input_or("key", of_head(layer.key, head), {"keys", "head_width"});
  tape.input_or("value", of_head(layer.value, head), {"keys", "head_width"});
  RecordedAttention recorded;
  recorded.scores = scaled_scores(run.scale_text, recorded.product.formula);
  recorded.masked = "S";
  if (run.mask) {
    recorded.mask = "mask";
    recorded.user_mask = tape.user_or("mask", *run.mask);
    recorded.masked = "S + M";
    recorded.weights = "softmax(S + M)";
  }
  run.attention = tape.attention("query", "key", "value", parse_scale(run.scale_text), recorded);
  run.data = extremes(run.attention.weights);
  Report report = report_from(run);
  report.invariants.push_back(agrees_with_the_model(layer));
  return report;
}

}  // namespace attnlab
