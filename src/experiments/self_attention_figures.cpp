// The figures of `self-attention`: the annotated weights, and the way from X to the output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attention/matmul.hpp"
#include "core/formula.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/self_attention/self_attention.hpp"
#include "experiments/framework/tensor_array.hpp"

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
    const Text range = range_text(run.data);
    if (!small_by_projection(run)) {
      return {fmt::format("注意度はほぼ均等：{}", range.ja()),
              fmt::format("Attention is almost even: {}", range.en())};
    }
    return {fmt::format("重みの小さい乱数では注意度はほぼ均等：{}", range.ja()),
            fmt::format("Small random weights attend almost evenly: {}", range.en())};
  }
  const Tensor<double>& weights = run.attention.weights;
  const Place place = place_of_largest(weights);
  const double largest = weights(place.query, place.key);
  return {fmt::format("最大の注意度 {:.2f}：「{}」から「{}」へ", largest, run.labels[place.query],
                      run.labels[place.key]),
          fmt::format("The largest weight is {:.2f}: {} reads {}", largest, run.labels[place.query],
                      run.labels[place.key])};
}

Text weights_description(const SelfAttentionRun& run) {
  const std::size_t tokens = run.labels.size();
  const Place place = place_of_largest(run.attention.weights);
  const double largest = run.attention.weights(place.query, place.key);
  return {
      fmt::format("{0} × {0} のヒートマップ。行はクエリ、列はキー、各行の和は 1。注意度は {1}。最大は"
                  "クエリ「{2}」、キー「{3}」の {4:.3f}。",
                  tokens, range_text(run.data).ja(), run.labels[place.query], run.labels[place.key], largest),
      fmt::format("Heat map of {0} by {0} weights; rows are queries, columns are keys, every row sums to 1. "
                  "The weights run from {1}; the largest, {4:.3f}, is query {2} on key {3}.",
                  tokens, range_text(run.data).en(), run.labels[place.query], run.labels[place.key],
                  largest)};
}

/// "42", "42 (PyTorch)": the seed, and whose stream it starts.
std::string seed_text(const SelfAttentionRun& run) {
  return fmt::format("{}{}", run.seed, run.rng == "torch" ? " (PyTorch)" : "");
}

Text weights_caption(const SelfAttentionRun& run) {
  const Text words = run.labels_are_words ? Text{"語はラベルだけで、入力は乱数です。",
                                                 " The words are only labels; the input is random."}
                                          : Text::same("");
  return {fmt::format("乱数の種 {}。{}", seed_text(run), words.ja()),
          fmt::format("Seed {}.{}", seed_text(run), words.en())};
}

// --- The way from X to the output, as matrices

/// "(4, 8) ±1.9": the shape below a matrix, and the range of its colours.
std::string shape_and_range(const Matrix& matrix, const ColourScale& scale) {
  const std::string shape = fmt::format("({}, {})", matrix.rows, matrix.columns);
  if (scale.low == -scale.high) return fmt::format("{} ±{:.2g}", shape, scale.high);
  return fmt::format("{} {:.2g}–{:.2g}", shape, scale.low, scale.high);
}

MatrixTerm term(const std::string& id, Formula name, const Tensor<double>& values, ColourScale scale) {
  Matrix matrix = to_matrix(values);
  std::string below = shape_and_range(matrix, scale);
  return {id, std::move(matrix), std::move(name), std::move(below), std::move(scale), no_numbers, {}, {}};
}

MatrixTerm signed_term(const std::string& id, Formula name, const Tensor<double>& values) {
  return term(id, std::move(name), values, signed_scale(values));
}

/// What stands between Q Kᵀ and the scores.
OperatorTerm scaling_operator(const SelfAttentionRun& run) {
  using formula::sym;
  if (run.scale_text == "none") return {sym("=")};
  if (run.scale_text == "default") return {formula::row({sym("/"), formula::root(sym("d")), sym("=")})};
  return {formula::row({sym("×"), sym(run.scale_text), sym("=")})};
}

MatrixEquation projections(const SelfAttentionRun& run) {
  using formula::sym;
  return {{signed_term("x", sym("X"), run.x), OperatorTerm{sym("→")},
           signed_term("query", sym("Q"), run.query), OperatorTerm{sym(",")},
           signed_term("key", sym("K"), run.key), OperatorTerm{sym(",")},
           signed_term("value", sym("V"), run.value)}};
}

MatrixEquation comparison(const SelfAttentionRun& run) {
  using formula::sym;
  return {{signed_term("query.again", sym("Q"), run.query), OperatorTerm{sym("×")},
           signed_term("key.transposed", formula::sup(sym("K"), sym("T")), attnlab::transpose(run.key)),
           scaling_operator(run), signed_term("scores", sym("S"), run.attention.scores)}};
}

MatrixEquation average(const SelfAttentionRun& run) {
  using formula::sym;
  const ColourScale blues{Palette::blues, run.data.low, run.data.high, Text::same("")};
  return {{term("weights", formula::call("softmax", sym("S")), run.attention.weights, blues),
           OperatorTerm{sym("×")}, signed_term("value.again", sym("V"), run.value), OperatorTerm{sym("=")},
           signed_term("output", sym("Y"), run.attention.output)}};
}

}  // namespace

bool almost_even(const SelfAttentionRun& run) {
  return run.data.high - run.data.low < 0.5 / static_cast<double>(run.labels.size());
}

bool small_by_projection(const SelfAttentionRun& run) {
  constexpr double small = 0.25;
  const Tensor<double>& scores = run.attention.scores;
  return almost_even(run) && (run.scale_text == "default" || run.scale_text == "none") &&
         std::all_of(scores.begin(), scores.end(), [](double score) { return std::abs(score) < small; });
}

Figure self_attention_weights_figure(const SelfAttentionRun& run) {
  const HeatMap map{"weights",
                    to_matrix(run.attention.weights),
                    short_texts(run.labels),
                    short_texts(run.labels),
                    {"クエリ", "Query position"},
                    {"キー", "Key position"},
                    {Palette::blues, run.data.low, run.data.high, {"注意度", "Weight"}},
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
  const std::size_t tokens = run.x.shape()[0];
  const std::size_t width = run.x.shape()[1];
  return {
      "stages",
      {fmt::format("{0} 個のトークンが入り、互いに混ざって {0} 個出る", tokens),
       fmt::format("{0} tokens go in, read one another, and {0} come out", tokens)},
      {fmt::format(
           "計算の順に並べた行列。1：入力 X（{0} × {1}）からクエリ Q、キー K、バリュー V。2：Q と K の転置の"
           "積からスコア S（{0} × {0}）。3：S の softmax が注意度で、V との積が出力 Y（{0} × {1}）。",
           tokens, width),
       fmt::format(
           "Matrices in the order of the computation. 1: the input X ({0} x {1}) becomes queries Q, keys "
           "K and values V. 2: Q times K transposed gives the scores S ({0} x {0}). 3: softmax of S, the "
           "weights, times V is the output Y ({0} x {1}).",
           tokens, width)},
      {fmt::format("乱数の種 {}。形状の右は色の範囲。", seed_text(run)),
       fmt::format("Seed {}. After each shape: the range of its colours.", seed_text(run))},
      {{{"1. 射影", "1. Project"}, projections(run)},
       {{"2. 内積", "2. Compare"}, comparison(run)},
       {{"3. バリューの加重平均", "3. Average the values"}, average(run)}},
      1,
      {},
      {12.0, 9.0}};
}

}  // namespace attnlab
