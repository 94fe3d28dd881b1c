// Mistakes around softmax: its axis, the scale before it, the dropout behind it.
#include "experiments/mistakes/mistakes.hpp"

namespace attnlab {

namespace {

using namespace worked;

/// Rows named by their sums show at once which of them fail.
Mistake rows_that_should_sum_to_one(Mistake mistake) {
  // rounding of a sum of six numbers
  mistake.check = {"rows_sum_to_one", 1e-12, {"注意度の各行の和は 1", "every row of the weights sums to 1"}};
  mistake.picture = HeatMap{"weights"}
                        .rows({"クエリ（行の和）", "Query (sum of the row)"})
                        .columns({"キー", "Key"})
                        .coloured(weight_colours())
                        .with_numbers(2);
  mistake.row_names = RowNames::sums;
  return mistake;
}

// --- Softmax along the wrong axis: the columns sum to 1 instead of the rows

/// One line per row, for its first column: exp(S_i0) / Σᵢ exp(S_i0), a sum down the column.
std::vector<Chain> column_lines(const Tensor<double>& scores, const Tensor<double>& weights) {
  const std::size_t rows = scores.shape()[0];
  const auto exponential = [&](std::size_t i) { return call("exp", scores(i, 0)); };
  return lines(rows, [&](std::size_t i) {
    return equation(entry("A", {i, 0}), {quotient(exponential(i), sum(rows, exponential)), weights(i, 0)});
  });
}

MistakeRun wrong_axis(RandomStream& random) {
  const Tensor<double> query = random.randn({6, 8});
  const Tensor<double> key = random.randn({6, 8});
  const AttentionStages<double> attention = scaled_dot_product_attention(query, key, key);
  MistakeRun run =
      compared(attention.weights, transpose(softmax(transpose(attention.scores))), row_sum_error);
  run.steps = steps::up_to_scores(query, key, attention);
  append(run.steps, {steps::softmax("right", "scores", run.right),
                     step("wrong", "frac{exp(S_ij)}{Σ_i exp(S_ij)}", run.wrong, steps::pair_axes,
                          derived::worked({"scores"}, column_lines(attention.scores, run.wrong)))});
  return run;
}

// --- The wrong scale: √d of the whole model instead of one head, or no scale at all

constexpr std::size_t scaled_tokens = 16;
constexpr std::size_t head_width = 16;
constexpr std::size_t scaled_heads = 4;

double deviation_error(const Tensor<double>& scores) {
  return std::abs(standard_deviation(scores) - 1.0);
}

/// Both sides of a mistake that multiplies by `scale` instead of 1/√d; `wrong_scores` is the stage of the
/// wrong softmax's scores.
MistakeRun compare_scales(RandomStream& random, double scale, const std::string& wrong_scores) {
  const Tensor<double> query = random.randn({scaled_tokens, head_width});
  const Tensor<double> key = random.randn({scaled_tokens, head_width});
  const AttentionStages<double> right = scaled_dot_product_attention(query, key, key);
  const AttentionStages<double> wrong = scaled_dot_product_attention(query, key, key, {scale, {}});
  MistakeRun run{right.weights, wrong.weights, deviation_error(right.scores), deviation_error(wrong.scores),
                 steps::up_to_scores(query, key, right)};
  run.steps.push_back(steps::softmax("right", "scores", run.right));
  if (wrong_scores != "raw_scores") {
    run.steps.push_back(steps::scaled_scores(wrong_scores, "raw_scores", "model", scale, wrong.scores));
  }
  run.steps.push_back(steps::softmax("wrong", wrong_scores, run.wrong));
  return run;
}

MistakeRun wrong_sqrt(RandomStream& random) {
  return compare_scales(random, 1.0 / std::sqrt(static_cast<double>(scaled_heads * head_width)),
                        "wrong_scores");
}

MistakeRun no_scaling(RandomStream& random) {
  return compare_scales(random, 1.0, "raw_scores");
}

Mistake scores_that_should_deviate_by_one(Mistake mistake) {
  // five times 0.06, by which the deviation of 16 x 16 products of random vectors of width 16 scatters
  mistake.check = {
      "unit_deviation",
      0.3,
      {"乱数の q, k のスコアの標準偏差は 1", "scores of random q and k have standard deviation 1"}};
  mistake.picture =
      HeatMap{"weights"}.rows({"クエリ", "Query"}).columns({"キー", "Key"}).coloured(weight_colours());
  return mistake;
}

// --- Dropout left on while the weights are drawn: what is kept is enlarged, and rows no longer sum to 1

constexpr double drop = 0.1;
constexpr double normal_quantile =
    -1.2815515655446004;  // a standard normal lies below it with probability 0.1

/// chance[0] ≈ (0.3, −1.5, ⋯) → kept[0] ≈ (1.1111, 0, ⋯): nothing is kept below the normal's quantile.
std::vector<Chain> kept_lines(const Tensor<double>& chance, const Tensor<double>& kept) {
  const std::size_t keys = chance.shape()[1];
  return lines(chance.shape()[0], [&](std::size_t i) {
    Chain line = equation(entry("chance", {i}), {numbers(&chance(i, 0), keys)});
    const Written kept_numbers = numbers(&kept(i, 0), keys);
    line.links.push_back({"→", formula::row({entry("kept", {i}), formula::sym(relation(kept_numbers.exact)),
                                             kept_numbers.formula})});
    return line;
  });
}

/// A[0] ⊙ kept[0], row by row.
std::vector<Chain> dropped_lines(const Tensor<double>& weights, const Tensor<double>& kept,
                                 const Tensor<double>& dropped) {
  const std::size_t keys = weights.shape()[1];
  return lines(weights.shape()[0], [&](std::size_t i) {
    return equation(entry("wrong", {i}),
                    {together({entry("A", {i}), "⊙", entry("kept", {i})}),
                     together({numbers(&weights(i, 0), keys), "⊙", numbers(&kept(i, 0), keys)}),
                     numbers(&dropped(i, 0), keys)});
  });
}

MistakeRun dropout(RandomStream& random) {
  const Tensor<double> query = random.randn({6, 8});
  const Tensor<double> key = random.randn({6, 8});
  const Tensor<double> chance = random.randn({6, 6});
  // sharp weights: what is kept comes out above 1
  const AttentionStages<double> attention = scaled_dot_product_attention(query, key, key, {8.0, {}});
  Tensor<double> kept = chance;
  for (double& factor : kept) factor = factor < normal_quantile ? 0.0 : 1.0 / (1.0 - drop);
  MistakeRun run = compared(attention.weights, attention.weights * kept, row_sum_error);
  run.steps = {
      input("query", query, {"queries", "width"}),
      input("key", key, {"keys", "width"}),
      input("chance", chance, steps::pair_axes),
      steps::raw_scores("raw_scores", "query", "key", attention.raw_scores),
      step("scores", "8 Q K^T", attention.scores, steps::pair_axes, derived::scaled("raw_scores", 8.0)),
      steps::softmax("right", "scores", run.right),
      step("kept", "frac{1}{1 − p}", kept, steps::pair_axes,
           derived::worked({"chance"}, kept_lines(chance, kept))),
      step("wrong", "softmax(S) ⊙ kept", run.wrong, steps::pair_axes,
           derived::worked({"right", "kept"}, dropped_lines(run.right, kept, run.wrong)))};
  return run;
}

}  // namespace

Mistake wrong_axis_mistake() {
  return rows_that_should_sum_to_one(Mistake{
      "wrong-axis",
      {"softmax の軸が違う", "softmax along the wrong axis"},
      {"softmax の軸が違う：行の和が 1 にならない", "Softmax along the wrong axis: rows no longer sum to 1"},
      wrong_axis,
      {"softmax をクエリの軸（行の向き）に沿って計算すると、列の和が 1 になり、行の和は 1 になりません。",
       "Softmax along the axis of the queries makes the columns sum to 1; the rows no longer do."},
      {"出力はバリューの加重平均ではなくなり、大きさがクエリごとに変わります。列の長さが同じなので、"
       "形状の検査では見つかりません。",
       "The output is no mean of the values any more: its size changes from query to query. The shapes are "
       "right, so no shape check finds it."},
      {"softmax(scores, axis=-1)", "softmax(scores, axis=0)"}});
}

Mistake wrong_sqrt_mistake() {
  return scores_that_should_deviate_by_one(Mistake{
      "wrong-sqrt",
      {"√d の d が違う", "the square root of the wrong d"},
      {"√d の d が違う：注意度が均等に近づく", "The square root of the wrong d: the weights go flat"},
      wrong_sqrt,
      {"ヘッドの次元 d_k = 16 ではなく d_model = 64 の平方根で割ると、スコアが半分になります。",
       "Dividing by the root of d_model = 64 instead of the head's width d_k = 16 halves the scores."},
      {"注意度が均等に近づき、どのキーも選べなくなります。学習は進むので、気づきにくい誤りです。",
       "The weights drift towards equal shares and no key stands out. Training still works, so it goes "
       "unnoticed."},
      {"scores / np.sqrt(d_k)      # 16", "scores / np.sqrt(d_model)  # 64"}});
}

Mistake no_scaling_mistake() {
  return scores_that_should_deviate_by_one(
      Mistake{"no-scaling",
              {"√d で割り忘れる", "no scaling"},
              {"√d で割り忘れる：注意度が少数のキーに偏る", "No scaling: few keys take most of the weight"},
              no_scaling,
              {"√d_k で割らないと、スコアの標準偏差は √16 = 4 になります。",
               "Without the division by the root of d_k the scores have a standard deviation of √16 = 4."},
              {"注意度が少数のキーに偏り、softmax の勾配が 0 に近づきます。",
               "A few keys take most of the weight, and the gradient of softmax goes to zero."},
              {"scores = Q @ K.T / np.sqrt(d_k)", "scores = Q @ K.T"}});
}

Mistake dropout_mistake() {
  return rows_that_should_sum_to_one(
      Mistake{"dropout",
              {"図にドロップアウトが残っている", "dropout left on in the picture"},
              {"ドロップアウトが残る：注意度が 1 を超える", "Dropout left on: weights above 1"},
              dropout,
              {"学習モードのまま注意度を取り出しています。ドロップアウト（p = 0.1）は一部を 0 にし、残りを "
               "1/0.9 倍します。",
               "The weights were taken in training mode: dropout (p = 0.1) sets some to 0 and multiplies "
               "the rest by 1/0.9."},
              {"1 を超える注意度が現れ、実行のたびに図が変わります。",
               "Weights above 1 appear, and the picture changes with every run."},
              {"model.eval()", "model.train()"}});
}

}  // namespace attnlab
