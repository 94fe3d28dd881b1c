// The figures of `self-attention`: the annotated weights, and the way from X to the output.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "experiments/colour_range.hpp"
#include "experiments/self_attention_parts.hpp"
#include "experiments/tensor_array.hpp"

namespace attnlab {
namespace {

// As many digits as a cell of the default page holds.
int digits_that_fit(std::size_t tokens) {
  if (tokens <= 8) return 3;
  return tokens <= 12 ? 2 : no_numbers;
}

struct Place {
  std::size_t query = 0;
  std::size_t key = 0;
};

Place place_of_largest(const Tensor<double>& weights) {
  const std::size_t keys = weights.shape().back();
  const auto index = static_cast<std::size_t>(
      std::distance(weights.begin(), std::max_element(weights.begin(), weights.end())));
  return {index / keys, index % keys};
}

Text weights_title(const SelfAttentionRun& run) {
  if (almost_even(run)) {
    return {fmt::format("学習前の注意度はほぼ均等: {}", range_text(run.data).ja()),
            fmt::format("Before training, attention is almost even: {}", range_text(run.data).en())};
  }
  const Tensor<double>& weights = run.attention.weights;
  const Place place = place_of_largest(weights);
  const double largest = weights(place.query, place.key);
  return {fmt::format("最大の注意度 {:.2f}: {} から {} へ", largest, run.labels[place.query],
                      run.labels[place.key]),
          fmt::format("The largest weight is {:.2f}: {} reads {}", largest, run.labels[place.query],
                      run.labels[place.key])};
}

Text weights_description(const SelfAttentionRun& run) {
  const std::size_t tokens = run.labels.size();
  const Place place = place_of_largest(run.attention.weights);
  const double largest = run.attention.weights(place.query, place.key);
  return {
      fmt::format("{0} × {0} のヒートマップ。行はクエリ、列はキー、各行の和は 1。注意度は {1}。最大は "
                  "クエリ {2}、キー {3} の {4:.3f}。",
                  tokens, range_text(run.data).ja(), run.labels[place.query], run.labels[place.key], largest),
      fmt::format("Heat map of {0} by {0} weights; rows are queries, columns are keys, every row sums to 1. "
                  "The weights run from {1}; the largest, {4:.3f}, is query {2} on key {3}.",
                  tokens, range_text(run.data).en(), run.labels[place.query], run.labels[place.key],
                  largest)};
}

Text weights_caption(const SelfAttentionRun& run) {
  const Text words = run.labels_are_words ? Text{"語はラベルだけで、入力は乱数です。",
                                                 " The words are only labels; the input is random."}
                                          : Text::same("");
  return {fmt::format("乱数の種 {}。色は {}。{}", run.seed, range_text(run.colours).ja(), words.ja()),
          fmt::format("Seed {}. Colours: {}.{}", run.seed, range_text(run.colours).en(), words.en())};
}

// The cells fill their panel, so that a row can be read from panel to panel whatever the shapes.
Panel stage_panel(const std::string& id, Text title, const Tensor<double>& values, ColourScale scale) {
  return {std::move(title), HeatMap{id,
                                    to_matrix(values),
                                    {},
                                    {},
                                    Text::same(""),
                                    Text::same(""),
                                    std::move(scale),
                                    no_numbers,
                                    false}};
}

}  // namespace

bool almost_even(const SelfAttentionRun& run) {
  return run.data.high - run.data.low < 0.5 / static_cast<double>(run.labels.size());
}

Figure self_attention_weights_figure(const SelfAttentionRun& run) {
  const HeatMap map{"weights",
                    to_matrix(run.attention.weights),
                    run.labels,
                    run.labels,
                    {"クエリ", "Query position"},
                    {"キー", "Key position"},
                    {Palette::blues, run.colours.low, run.colours.high, {"注意度", "Weight"}},
                    digits_that_fit(run.labels.size())};
  return {"weights",
          weights_title(run),
          weights_description(run),
          weights_caption(run),
          {{Text::same(""), map}},
          1,
          {},
          {8.0, 6.5}};
}

Figure self_attention_stages_figure(const SelfAttentionRun& run) {
  const AttentionStages<double>& attention = run.attention;
  const std::size_t tokens = run.x.shape()[0];
  const std::size_t width = run.x.shape()[1];
  const ColourScale blues{Palette::blues, run.colours.low, run.colours.high, Text::same("")};
  const Text sizes{
      fmt::format("X とバリューは {} × {}、注意度は {} × {}", tokens, width, tokens, tokens),
      fmt::format("X and the values are {} x {}, the weights {} x {}", tokens, width, tokens, tokens)};
  return {
      "stages",
      {fmt::format("{0} 個のトークンが入り、互いに混ざって {0} 個出る", tokens),
       fmt::format("{0} tokens go in, read one another, and {0} come out", tokens)},
      {fmt::format("計算の順に 8 枚のヒートマップ: 入力 X、クエリ Q、キー K、バリュー "
                   "V、内積、スコア、注意度、出力。{}。",
                   sizes.ja()),
       fmt::format("Eight heat maps in the order of the computation: input X, queries Q, keys K, values V, "
                   "scores, weights, output. {}.",
                   sizes.en())},
      {fmt::format("乱数の種 {}。色の範囲は図ごとに違います。", run.seed),
       fmt::format("Seed {}. Each panel has its own colour range.", run.seed)},
      {stage_panel("x", {"入力 X", "Input X"}, run.x, signed_scale(run.x)),
       stage_panel("query", {"クエリ Q", "Queries Q"}, run.query, signed_scale(run.query)),
       stage_panel("key", {"キー K", "Keys K"}, run.key, signed_scale(run.key)),
       stage_panel("value", {"バリュー V", "Values V"}, run.value, signed_scale(run.value)),
       stage_panel("raw_scores", {"内積", "Dot products"}, attention.raw_scores,
                   signed_scale(attention.raw_scores)),
       stage_panel("scores", {"スコア", "Scores"}, attention.scores, signed_scale(attention.scores)),
       stage_panel("weights", {"注意度", "Weights"}, attention.weights, blues),
       stage_panel("output", {"出力", "Output"}, attention.output, signed_scale(attention.output))},
      0,
      {},
      {14.0, 7.0}};
}

}  // namespace attnlab
