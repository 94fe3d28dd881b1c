// Dropout left on while the weights are drawn: what is kept is enlarged, and rows no longer sum to 1.
#include "attention/scaled_dot_product.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "experiments/tensor_measures.hpp"

namespace attnlab {

namespace {

constexpr double drop = 0.1;
constexpr double normal_quantile =
    -1.2815515655446004;  // a standard normal lies below it with probability 0.1

MistakeRun dropout(RandomStream& random) {
  const Tensor<double> query = random.randn({6, 8});
  const Tensor<double> key = random.randn({6, 8});
  const Tensor<double> chance = random.randn({6, 6});
  AttentionOptions<double> options;
  options.scale = 8.0;  // sharp weights: what is kept comes out above 1
  MistakeRun run;
  run.right = scaled_dot_product_attention(query, key, key, options).weights;
  run.wrong = run.right;
  for (std::size_t i = 0; i < run.wrong.size(); ++i) {
    run.wrong.flat(i) *= chance.flat(i) < normal_quantile ? 0.0 : 1.0 / (1.0 - drop);
  }
  run.right_error = row_sum_error(run.right);
  run.wrong_error = row_sum_error(run.wrong);
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
