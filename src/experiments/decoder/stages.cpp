// The trace of `decoder`: from the words to the next word's probabilities, single numbers, and what must
// hold: rows that sum to 1, a future that stays hidden, and a stream that is a sum.
#include <algorithm>

#include "attention/masks.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::read;
using formula::sym;

const std::vector<std::string> stream_axes{"tokens", "width"};
const std::vector<std::string> word_axes{"tokens", "words"};

std::string layer_prefix(std::size_t layer) {
  return fmt::format("layer_{}_", layer);
}

/// The stream as it enters a layer: a stage and its symbol.
std::string stream_name(std::size_t layer) {
  return layer == 0 ? "x" : layer_prefix(layer - 1) + "output";
}
Formula stream_symbol(std::size_t layer) {
  return read(layer == 0 ? "X" : fmt::format("X_{}", layer));
}

void add_inputs(std::vector<Stage>& stages, const DecoderRun& run) {
  const DecoderPass& pass = run.pass;
  append(stages, {input("one_hot", pass.one_hot, word_axes),
                  input("embedding", run.model.embedding, {"words", "width"})});
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    append(stages, layer_weight_stages(run.model.layers[layer], layer_prefix(layer)));
  }
  const std::vector<Chain> positions = worked::lines(run.prompt.size(), [&](std::size_t n) {
    return worked::sinusoids(n, &pass.positions(n, 0), run.model.embedding.shape()[1], position_base);
  });
  append(stages,
         {input("w_vocabulary", run.model.w_vocabulary, {"width", "words"}),
          input("mask", pass.mask, {"queries", "keys"}),
          step("embedded", "T E", pass.embedded, stream_axes, derived::product("one_hot", "embedding")),
          step("positions", "r_n", pass.positions, stream_axes, derived::worked({}, positions)),
          step("x", "T E + r", pass.x, stream_axes, derived::sum("embedded", "positions"))});
}

void add_layers(std::vector<Stage>& stages, const DecoderRun& run) {
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const LayerTrace trace{layer_prefix(layer), stream_name(layer), stream_symbol(layer), "mask"};
    append(stages, layer_stages(trace, transformer_layer_of(run.model.layers[layer], NormPlacement::pre),
                                run.pass.layers[layer]));
  }
}

void add_output(std::vector<Stage>& stages, const DecoderRun& run) {
  const DecoderPass& pass = run.pass;
  const std::size_t layers = run.model.layers.size();
  const Formula norm = formula::call("LN", stream_symbol(layers));
  append(stages, {step("final_norm", norm, pass.final_norm, stream_axes,
                       derived::layer_norm(stream_name(layers), LayerNorm<double>{}.eps)),
                  step("logits", formula::row({norm, sym(" "), read("W_vocab")}), pass.logits, word_axes,
                       derived::product("final_norm", "w_vocabulary")),
                  step("probabilities", "softmax(logits)", pass.probabilities, word_axes,
                       derived::softmax("logits"))});
}

/// The weights of all layers in one array, (layers, heads, n, n).
void add_weights(std::vector<Stage>& stages, const DecoderRun& run) {
  const std::size_t layers = run.model.layers.size();
  const std::size_t tokens = run.prompt.size();
  Array all{{layers, run.heads, tokens, tokens}, {"layers", "heads", "queries", "keys"}, {}};
  std::vector<std::string> operands;
  std::vector<Chain> lines;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Tensor<double>& weights = run.pass.layers[layer].attention.attention.weights;
    all.data.insert(all.data.end(), weights.begin(), weights.end());
    operands.push_back(layer_prefix(layer) + "weights");
    lines.push_back(worked::equation(worked::entry("weights", {layer, 0, tokens - 1}),
                                     {worked::entry(operands.back(), {0, tokens - 1}),
                                      worked::numbers(&weights(0, tokens - 1, 0), tokens)}));
  }
  stages.push_back(
      {"weights", read("A_l"), std::move(all), derived::worked(std::move(operands), std::move(lines))});
}

// --- Measurements

/// Lengths (places, n): where they are read, and the first token's written out.
struct Lengths {
  std::vector<std::string> operands;
  std::vector<Chain> lines;

  /// "‖x[0]‖ = √(0.2² + (−0.1)² + ⋯ + 0.5²) ≈ 1.3".
  void add(const std::string& stage, const Tensor<double>& tokens, const Tensor<double>& lengths) {
    const Written squares = worked::sum(
        tokens.shape()[1], [&](std::size_t k) { return worked::square(worked::factor(tokens(0, k))); });
    lines.push_back(worked::equation(sym(fmt::format("‖{}[0]‖", stage)),
                                     {worked::root(squares), lengths(operands.size(), 0)}));
    operands.push_back(stage);
  }
};

void add_lengths(std::vector<Stage>& stages, const DecoderRun& run) {
  Lengths added;
  Lengths stream;
  stream.add("x", run.pass.x, run.stream_length);
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const TransformerLayerStages<double>& one = run.pass.layers[layer];
    const std::string prefix = layer_prefix(layer);
    added.add(prefix + "attention", one.attention.output, run.added_length);
    added.add(prefix + "mlp", one.mlp.output, run.added_length);
    stream.add(prefix + "residual_1", one.residual_1, run.stream_length);
    stream.add(prefix + "output", one.output, run.stream_length);
  }
  append(stages, {step("added_length", "‖ ΔX ‖", run.added_length, {"sublayers", "tokens"},
                       derived::worked(added.operands, added.lines)),
                  step("stream_length", "‖ X ‖", run.stream_length, {"places", "tokens"},
                       derived::worked(stream.operands, stream.lines))});
}

Stage reaction_stage(const std::string& name, const Tensor<double>& reaction) {
  const std::size_t tokens = reaction.shape()[0];
  const auto line = [&](std::size_t i) {
    return worked::equation(
        sym(fmt::format("‖logits′[{0}] − logits[{0}]‖", i)),
        {worked::together({worked::numbers(&reaction(i, 0), tokens), ",", "j = 0, 1, ⋯"})});
  };
  return step(name, sym("‖Δ logits‖"), reaction, {"tokens", "changed_tokens"},
              derived::worked({"one_hot", "logits"}, worked::lines(tokens, line)));
}

}  // namespace

std::vector<Stage> stages(const DecoderRun& run) {
  std::vector<Stage> all;
  add_inputs(all, run);
  add_layers(all, run);
  add_output(all, run);
  add_weights(all, run);
  add_lengths(all, run);
  append(all, {reaction_stage("reaction", run.reaction),
               reaction_stage("reaction_without_mask", run.reaction_without_mask)});
  return all;
}

std::vector<Scalar> scalars(const DecoderRun& run) {
  const std::size_t best = ranking(run, run.last()).front();
  return {{"most_likely", static_cast<double>(best)},
          {"largest_probability", run.pass.probabilities(run.last(), best)},
          {"entropy", entropy(run.pass.probabilities)(run.last())},
          {"leak", leak(run.reaction)},
          {"leak_without_mask", leak(run.reaction_without_mask)}};
}

// --- What must hold

std::vector<Invariant> invariants(const DecoderRun& run) {
  // tolerance64 of the agreement rule: a few hundred roundings of numbers near 1
  constexpr double rounding = 1e-12;
  double weights_error = 0.0;
  double future_weight = 0.0;
  const BooleanMask sight = causal_mask(run.prompt.size(), run.prompt.size());
  for (const TransformerLayerStages<double>& layer : run.pass.layers) {
    const Tensor<double>& weights = layer.attention.attention.weights;
    weights_error = std::max(weights_error, row_sum_error(weights));
    future_weight = std::max(future_weight, largest(leaked_mass(weights, sight)));
  }
  return {
      invariant("weights_sum_to_one", weights_error, rounding, "注意度の各行の和は 1",
                "every row of the weights sums to 1"),
      invariant("probabilities_sum_to_one", row_sum_error(run.pass.probabilities), rounding,
                "次の語の確率の和は 1", "the next word's probabilities sum to 1"),
      // exp(-inf) is exactly 0
      invariant("no_weight_on_the_future", future_weight, 0.0, "後の語への注意度は 0",
                "no weight falls on a later word"),
      // the masked values are multiplied by an exact 0; only the order of BLAS's sums could differ
      invariant("no_leak_from_the_future", leak(run.reaction), rounding,
                "後の語を変えても、前の位置の出力は変わらない",
                "changing a later word changes no earlier output"),
      invariant("prefix_gives_the_same_rows", run.prefix_error, rounding,
                "最後の語を除いて計算しても、残りの行は同じ",
                "without the last word the other rows are the same"),
      invariant("stream_is_the_sum", run.sum_error, rounding,
                "最後の残差ストリームは、入力に各サブレイヤの出力を足したもの",
                "the end of the stream is its beginning plus what every sub-layer added"),
  };
}

}  // namespace attnlab
