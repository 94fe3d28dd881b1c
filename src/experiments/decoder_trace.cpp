// The trace of `decoder`: from the words to the next word's probabilities, and what must hold on the way.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/formula.hpp"
#include "experiments/decoder/decoder.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sub;
using formula::sym;
using worked::most_lines;

/// "‖x[0]‖ = √(0.2² + (−0.1)² + ⋯ + 0.5²) ≈ 1.3" for the first token.
Chain length_line(const std::string& stage, const Tensor<double>& tokens, double length) {
  const Written squares = worked::sum(
      tokens.shape()[1], [&](std::size_t k) { return worked::square(worked::factor(tokens(0, k))); });
  return worked::equation(sym(fmt::format("‖{}[0]‖", stage)),
                          {worked::root(squares), worked::number(length)});
}

std::vector<Chain> position_lines(const Tensor<double>& positions) {
  std::vector<Chain> lines;
  for (std::size_t n = 0; n < std::min(positions.shape()[0], most_lines); ++n) {
    lines.push_back(worked::sinusoids(n, &positions(n, 0), positions.shape()[1], 10000.0));
  }
  return lines;
}

std::string layer_prefix(std::size_t layer) {
  return fmt::format("layer_{}_", layer);
}

// --- Inputs

void add_inputs(std::vector<Stage>& stages, const DecoderRun& run) {
  const Formula given = row({});
  const DecoderPass& pass = run.pass;
  stages.push_back({"one_hot", given, to_array(pass.one_hot, {"tokens", "words"})});
  stages.push_back({"embedding", given, to_array(run.model.embedding, {"words", "width"})});
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const std::vector<Stage> weights = layer_weight_stages(run.model.layers[layer], layer_prefix(layer));
    stages.insert(stages.end(), weights.begin(), weights.end());
  }
  stages.push_back({"w_vocabulary", given, to_array(run.model.w_vocabulary, {"width", "words"})});
  stages.push_back({"mask", given, to_array(pass.mask, {"queries", "keys"})});
  stages.push_back({"embedded", row({sym("T"), sym("E")}), to_array(pass.embedded, {"tokens", "width"}),
                    derived::product("one_hot", "embedding")});
  stages.push_back({"positions", sub(sym("r"), sym("n")), to_array(pass.positions, {"tokens", "width"}),
                    derived::worked({}, position_lines(pass.positions))});
  stages.push_back({"x", row({sym("T"), sym("E"), sym("+"), sym("r")}), to_array(pass.x, {"tokens", "width"}),
                    derived::sum("embedded", "positions")});
}

// --- The layers and the output

std::string output_name(std::size_t layer) {
  return layer_prefix(layer) + "output";
}

void add_layers(std::vector<Stage>& stages, const DecoderRun& run) {
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const std::string input = layer == 0 ? "x" : output_name(layer - 1);
    const Formula symbol = layer == 0 ? sym("X") : sub(sym("X"), sym(std::to_string(layer)));
    const std::vector<Stage> more = layer_stages(
        {layer_prefix(layer), input, symbol, "mask"},
        transformer_layer_of(run.model.layers[layer], NormPlacement::pre), run.pass.layers[layer]);
    stages.insert(stages.end(), more.begin(), more.end());
  }
}

void add_output(std::vector<Stage>& stages, const DecoderRun& run) {
  const DecoderPass& pass = run.pass;
  const std::size_t layers = run.model.layers.size();
  const Formula last = sub(sym("X"), sym(std::to_string(layers)));
  const Formula w = sub(sym("W"), sym("vocab"));
  stages.push_back({"final_norm", formula::call("LN", last), to_array(pass.final_norm, {"tokens", "width"}),
                    derived::layer_norm(output_name(layers - 1), LayerNorm<double>{}.eps)});
  stages.push_back({"logits", row({formula::call("LN", last), sym(" "), w}),
                    to_array(pass.logits, {"tokens", "words"}),
                    derived::product("final_norm", "w_vocabulary")});
  stages.push_back({"probabilities", formula::call("softmax", sym("logits")),
                    to_array(pass.probabilities, {"tokens", "words"}), derived::softmax("logits")});
}

/// The weights of all layers in one array, (layers, heads, n, n).
void add_weights(std::vector<Stage>& stages, const DecoderRun& run) {
  const std::size_t layers = run.model.layers.size();
  const std::size_t tokens = run.prompt.size();
  Array all{{layers, run.size.heads, tokens, tokens}, {"layers", "heads", "queries", "keys"}, {}};
  std::vector<std::string> operands;
  std::vector<Chain> lines;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Tensor<double>& weights = run.pass.layers[layer].attention.attention.weights;
    all.data.insert(all.data.end(), weights.begin(), weights.end());
    operands.push_back(layer_prefix(layer) + "weights");
    const double* last_row = weights.data() + (tokens - 1) * tokens;
    lines.push_back(worked::equation(worked::entry("weights", {layer, 0, tokens - 1}),
                                     {worked::exactly(worked::entry(operands.back(), {0, tokens - 1})),
                                      worked::numbers(last_row, tokens)}));
  }
  stages.push_back({"weights", sub(sym("A"), sym("l")), std::move(all),
                    derived::worked(std::move(operands), std::move(lines))});
}

// --- Measurements

void add_lengths(std::vector<Stage>& stages, const DecoderRun& run) {
  std::vector<std::string> added;
  std::vector<std::string> stream{"x"};
  std::vector<Chain> added_lines;
  std::vector<Chain> stream_lines{length_line("x", run.pass.x, run.stream_length(0, 0))};
  for (std::size_t layer = 0; layer < run.model.layers.size(); ++layer) {
    const TransformerLayerStages<double>& one = run.pass.layers[layer];
    const std::string prefix = layer_prefix(layer);
    added.insert(added.end(), {prefix + "attention", prefix + "mlp"});
    stream.insert(stream.end(), {prefix + "residual_1", prefix + "output"});
    added_lines.push_back(
        length_line(prefix + "attention", one.attention.output, run.added_length(2 * layer, 0)));
    added_lines.push_back(length_line(prefix + "mlp", one.mlp.output, run.added_length(2 * layer + 1, 0)));
    stream_lines.push_back(
        length_line(prefix + "residual_1", one.residual_1, run.stream_length(2 * layer + 1, 0)));
    stream_lines.push_back(length_line(prefix + "output", one.output, run.stream_length(2 * layer + 2, 0)));
  }
  const auto norm = [](const char* letter) { return row({sym("‖"), sym(letter), sym("‖")}); };
  stages.push_back({"added_length", norm("ΔX"), to_array(run.added_length, {"sublayers", "tokens"}),
                    derived::worked(std::move(added), std::move(added_lines))});
  stages.push_back({"stream_length", norm("X"), to_array(run.stream_length, {"places", "tokens"}),
                    derived::worked(std::move(stream), std::move(stream_lines))});
}

void add_reactions(std::vector<Stage>& stages, const DecoderRun& run) {
  const auto add = [&](const std::string& name, const Tensor<double>& reaction) {
    const std::size_t tokens = reaction.shape()[0];
    std::vector<Chain> lines;
    for (std::size_t i = 0; i < std::min(tokens, most_lines); ++i) {
      const Formula change = sym(fmt::format("‖logits′[{0}] − logits[{0}]‖", i));
      lines.push_back(worked::equation(
          change, {worked::together({worked::numbers(reaction.data() + i * tokens, tokens),
                                     worked::exactly(","), worked::exactly("j = 0, 1, ⋯")})}));
    }
    stages.push_back({name, sym("‖Δ logits‖"), to_array(reaction, {"tokens", "changed_tokens"}),
                      derived::worked({"one_hot", "logits"}, std::move(lines))});
  };
  add("reaction", run.reaction);
  add("reaction_without_mask", run.reaction_without_mask);
}

/// The largest weight on a later key, over all layers and heads.
double largest_future_weight(const DecoderRun& run) {
  const std::size_t tokens = run.prompt.size();
  double largest = 0.0;
  for (const TransformerLayerStages<double>& layer : run.pass.layers) {
    const Tensor<double>& weights = layer.attention.attention.weights;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool future = i % tokens > i / tokens % tokens;
      if (future) largest = std::max(largest, weights.flat(i));
    }
  }
  return largest;
}

}  // namespace

std::vector<Stage> decoder_trace(const DecoderRun& run) {
  std::vector<Stage> stages;
  add_inputs(stages, run);
  add_layers(stages, run);
  add_output(stages, run);
  add_weights(stages, run);
  add_lengths(stages, run);
  add_reactions(stages, run);
  return stages;
}

std::vector<Scalar> decoder_scalars(const DecoderRun& run) {
  const std::size_t last = run.prompt.size() - 1;
  const std::size_t best = ranking(run, last).front();
  return {{"most_likely", static_cast<double>(best)},
          {"largest_probability", run.pass.probabilities(last, best)},
          {"entropy", entropy(run.pass.probabilities)(last)},
          {"leak", leak(run.reaction)},
          {"leak_without_mask", leak(run.reaction_without_mask)}};
}

std::vector<Invariant> decoder_invariants(const DecoderRun& run) {
  // tolerance64 of the agreement rule: a few hundred roundings of numbers near 1
  constexpr double rounding = 1e-12;
  double weights_error = 0.0;
  for (const TransformerLayerStages<double>& layer : run.pass.layers) {
    weights_error = std::max(weights_error, row_sum_error(layer.attention.attention.weights));
  }
  return {
      {"weights_sum_to_one",
       {"注意度の各行の和は 1", "every row of the weights sums to 1"},
       weights_error,
       rounding},
      {"probabilities_sum_to_one",
       {"次の語の確率の和は 1", "the next word's probabilities sum to 1"},
       row_sum_error(run.pass.probabilities),
       rounding},
      // exp(-inf) is exactly 0
      {"no_weight_on_the_future",
       {"後の語への注意度は 0", "no weight falls on a later word"},
       largest_future_weight(run),
       0.0},
      // the masked values are multiplied by an exact 0; only the order of BLAS's sums could differ
      {"no_leak_from_the_future",
       {"後の語を変えても、前の位置の出力は変わらない", "changing a later word changes no earlier output"},
       leak(run.reaction),
       rounding},
      {"prefix_gives_the_same_rows",
       {"最後の語を除いて計算しても、残りの行は同じ", "without the last word the other rows are the same"},
       run.prefix_error,
       rounding},
      {"stream_is_the_sum",
       {"最後の残差ストリームは、入力に各サブレイヤの出力を足したもの",
        "the end of the stream is its beginning plus what every sub-layer added"},
       run.sum_error,
       rounding},
  };
}

}  // namespace attnlab
