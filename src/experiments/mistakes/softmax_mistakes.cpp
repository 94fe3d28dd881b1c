// Softmax along the wrong axis: the columns sum to 1 instead of the rows.
#include "attention/matmul.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/softmax.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "experiments/mistakes/mistake_steps.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {

namespace {

using formula::call;
using formula::sub;
using formula::sym;

/// exp(S_ij) / Σᵢ exp(S_ij): the sum runs down the column.
Formula down_the_column() {
  const Formula exponential = call("exp", sub(sym("S"), sym("ij")));
  return formula::fraction(exponential, formula::row({sub(sym("Σ"), sym("i")), exponential}));
}

/// One line per row, for its first column.
std::vector<Chain> column_lines(const Tensor<double>& scores, const Tensor<double>& weights) {
  const std::size_t rows = scores.shape()[0];
  const auto exponential = [&](std::size_t i) { return worked::call("exp", worked::number(scores(i, 0))); };
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < rows; ++i) {
    lines.push_back(worked::equation(
        worked::entry("A", {i, 0}),
        {worked::quotient(exponential(i), worked::sum(rows, exponential)), worked::number(weights(i, 0))}));
  }
  return lines;
}

MistakeRun wrong_axis(RandomStream& random) {
  const Tensor<double> query = random.randn({6, 8});
  const Tensor<double> key = random.randn({6, 8});
  const AttentionStages<double> attention = scaled_dot_product_attention(query, key, key);
  MistakeRun run;
  run.right = attention.weights;
  run.wrong = transpose(softmax(transpose(attention.scores)));
  run.right_error = row_sum_error(run.right);
  run.wrong_error = row_sum_error(run.wrong);
  run.steps = steps::up_to_scores(query, key, attention);
  run.steps.push_back(steps::softmax("right", "scores", run.right));
  run.steps.push_back({"wrong", down_the_column(), to_array(run.wrong, steps::pair_axes),
                       derived::worked({"scores"}, column_lines(attention.scores, run.wrong))});
  return run;
}

}  // namespace

std::vector<Mistake> softmax_mistakes() {
  return {
      {"wrong-axis",
       {"softmax の軸が違う", "softmax along the wrong axis"},
       {"softmax の軸が違う：行の和が 1 にならない", "Softmax along the wrong axis: rows no longer sum to 1"},
       {"softmax をクエリの軸（行の向き）に沿って計算すると、列の和が 1 になり、行の和は 1 になりません。",
        "Softmax along the axis of the queries makes the columns sum to 1; the rows no longer do."},
       {"出力はバリューの加重平均ではなくなり、大きさがクエリごとに変わります。列の長さが同じなので、形状の"
        "検査では見つかりません。",
        "The output is no mean of the values any more: its size changes from query to query. The shapes are "
        "right, so no shape check finds it."},
       "softmax(scores, axis=-1)",
       "softmax(scores, axis=0)",
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
       wrong_axis}};
}

}  // namespace attnlab
