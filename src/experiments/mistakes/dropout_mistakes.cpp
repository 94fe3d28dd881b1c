// Dropout left on while the weights are drawn: what is kept is enlarged, and rows no longer sum to 1.
#include <utility>

#include "attention/scaled_dot_product.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "experiments/mistakes/mistake_steps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {

namespace {

using formula::row;
using formula::sym;

constexpr double drop = 0.1;
constexpr double normal_quantile =
    -1.2815515655446004;  // a standard normal lies below it with probability 0.1

/// chance[0] ≈ (0.3, −1.5, ⋯) → kept[0] ≈ (1.1111, 0, ⋯): nothing is kept below the normal's quantile.
std::vector<Chain> kept_lines(const Tensor<double>& chance, const Tensor<double>& kept) {
  const std::size_t keys = chance.shape()[1];
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < chance.shape()[0]; ++i) {
    Chain line = worked::equation(worked::entry("chance", {i}), {worked::numbers(&chance(i, 0), keys)});
    const Written numbers = worked::numbers(&kept(i, 0), keys);
    line.links.push_back({"→", formula::row({worked::entry("kept", {i}),
                                             formula::sym(relation(numbers.exact)), numbers.formula})});
    lines.push_back(std::move(line));
  }
  return lines;
}

/// A[0] ⊙ kept[0], row by row.
std::vector<Chain> dropped_lines(const Tensor<double>& weights, const Tensor<double>& kept,
                                 const Tensor<double>& dropped) {
  const std::size_t keys = weights.shape()[1];
  const Written times = worked::exactly("⊙");
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < weights.shape()[0]; ++i) {
    lines.push_back(worked::equation(
        worked::entry("wrong", {i}),
        {worked::together(
             {worked::exactly(worked::entry("A", {i})), times, worked::exactly(worked::entry("kept", {i}))}),
         worked::together({worked::numbers(&weights(i, 0), keys), times, worked::numbers(&kept(i, 0), keys)}),
         worked::numbers(&dropped(i, 0), keys)}));
  }
  return lines;
}

MistakeRun dropout(RandomStream& random) {
  const Tensor<double> query = random.randn({6, 8});
  const Tensor<double> key = random.randn({6, 8});
  const Tensor<double> chance = random.randn({6, 6});
  AttentionOptions<double> options;
  options.scale = 8.0;  // sharp weights: what is kept comes out above 1
  const AttentionStages<double> attention = scaled_dot_product_attention(query, key, key, options);
  Tensor<double> kept = chance;
  for (double& factor : kept) factor = factor < normal_quantile ? 0.0 : 1.0 / (1.0 - drop);
  MistakeRun run;
  run.right = attention.weights;
  run.wrong = run.right * kept;
  run.right_error = row_sum_error(run.right);
  run.wrong_error = row_sum_error(run.wrong);
  run.steps = {steps::given("query", query, {"queries", "width"}),
               steps::given("key", key, {"keys", "width"}),
               steps::given("chance", chance, steps::pair_axes),
               steps::raw_scores("raw_scores", "query", "key", attention.raw_scores),
               {"scores", row({sym("8"), sym("Q"), formula::sup(sym("K"), sym("T"))}),
                to_array(attention.scores, steps::pair_axes), derived::scaled("raw_scores", 8.0)},
               steps::softmax("right", "scores", run.right),
               {"kept", formula::fraction(sym("1"), row({sym("1"), sym("−"), sym("p")})),
                to_array(kept, steps::pair_axes), derived::worked({"chance"}, kept_lines(chance, kept))},
               {"wrong", row({formula::call("softmax", sym("S")), sym("⊙"), sym("kept")}),
                to_array(run.wrong, steps::pair_axes),
                derived::worked({"right", "kept"}, dropped_lines(run.right, kept, run.wrong))}};
  return run;
}

}  // namespace

std::vector<Mistake> dropout_mistakes() {
  return {{"dropout",
           {"図にドロップアウトが残っている", "dropout left on in the picture"},
           {"ドロップアウトが残る：注意度が 1 を超える", "Dropout left on: weights above 1"},
           {"学習モードのまま注意度を取り出しています。ドロップアウト（p = 0.1）は一部を 0 にし、残りを "
            "1/0.9 倍します。",
            "The weights were taken in training mode: dropout (p = 0.1) sets some to 0 and multiplies the "
            "rest by "
            "1/0.9."},
           {"1 を超える注意度が現れ、実行のたびに図が変わります。",
            "Weights above 1 appear, and the picture changes with every run."},
           "model.eval()",
           "model.train()",
           "rows_sum_to_one",
           {"注意度の各行の和は 1", "every row of the weights sums to 1"},
           1e-12,
           {"6 個の数の和の丸め誤差", "rounding of a sum of six numbers"},
           {{"クエリ（行の和）", "Query (sum of the row)"},
            {"キー", "Key"},
            {"注意度", "Weight"},
            Palette::blues,
            2,
            RowNames::sums},
           dropout}};
}

}  // namespace attnlab
