// What the softmax experiment says in the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "experiments/report_body.hpp"
#include "experiments/softmax_parts.hpp"
#include "experiments/tensor_array.hpp"
#include "results/numpy_text.hpp"

namespace attnlab {
namespace {

using Blocks = std::vector<Block>;

template <class T>
void values(Blocks& blocks, std::string ja, std::string en, const Tensor<T>& tensor) {
  std::vector<std::string> axes(tensor.dimension(), "keys");
  blocks.emplace_back(Values{{std::move(ja), std::move(en)}, to_array(tensor, std::move(axes))});
}

double sum_of(const Tensor<double>& tensor) {
  double sum = 0.0;
  for (const double value : tensor) sum += value;
  return sum;
}

/// Pairs of scores whose weights stand in the opposite order.
std::size_t reversed_pairs(const Tensor<double>& scores, const Tensor<double>& weights) {
  std::size_t reversed = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (scores(i) < scores(j) && weights(i) > weights(j)) ++reversed;
    }
  }
  return reversed;
}

void from_scores_to_weights(Blocks& blocks, const SoftmaxRun& run) {
  using namespace formula;
  const Formula exp_i = call("exp", sub(sym("x"), sym("i")));
  const Formula exp_j = call("exp", sub(sym("x"), sym("j")));
  add_heading(blocks, "スコアから注意度へ", "From scores to weights");
  blocks.emplace_back(Equation{
      row({sub(sym("a"), sym("i")), sym("="), fraction(exp_i, row({sub(sym("Σ"), sym("j")), exp_j}))})});
  values(blocks, "スコア x", "scores x", run.scores);
  values(blocks, "注意度 a = softmax(x)", "weights a = softmax(x)", run.weights);
  const std::size_t n = run.scores.size();
  const std::size_t reversed = reversed_pairs(run.scores, run.weights);
  const std::string sum = fmt::format("{:.10g}", sum_of(run.weights));
  add_text(blocks, fmt::format("注意度の和：{}   大小が逆転した組：{} / {}", sum, reversed, n * (n - 1) / 2),
           fmt::format("sum of the weights: {}   pairs in reversed order: {} of {}", sum, reversed,
                       n * (n - 1) / 2));
  const std::string difference = python_repr(run.shift_difference);
  add_text(blocks,
           fmt::format("全てのスコアに {:g} を足したときの注意度の差（最大）：{}", run.constant, difference),
           fmt::format("largest change of a weight when {:g} is added to every score: {}", run.constant,
                       difference));
}

void why_not_raw(Blocks& blocks, const SoftmaxRun& run) {
  const auto negative = std::count_if(run.scores.begin(), run.scores.end(), [](double x) { return x < 0; });
  const std::string sum = python_repr(sum_of(run.scores));
  const std::string doubled = python_repr(2 * sum_of(run.scores));
  add_heading(blocks, "スコアをそのまま使えない理由", "Why the scores themselves will not do");
  add_text(blocks, fmt::format("1. 負の値がある（{} 個）。", negative),
           fmt::format("1. Some may be negative (here {}).", negative));
  add_text(
      blocks,
      fmt::format(
          "2. 和がクエリによって変わる（この例は {}、クエリを 2 倍にすると {}）。softmax の後は常に 1 です。",
          sum, doubled),
      fmt::format("2. Their sum depends on the query (here {}, with the query doubled {}); after softmax it "
                  "is always 1.",
                  sum, doubled));
}

std::string digits(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
}

template <class T>
std::string row_sum(const Tensor<T>& rows, std::size_t i) {
  T sum = 0;
  for (std::size_t j = 0; j < rows.shape().back(); ++j) sum += rows(i, j);
  return digits(static_cast<double>(sum));
}

Table limits_table(const SoftmaxRun& run) {
  return {{{"型", "type"},
           {"exp(x) が有限な最大の x", "largest x with finite exp(x)"},
           {"注意度が 0 にならない最大の差", "largest gap with a weight above 0"}},
          {{"float32", fmt::format("{:.4f}", run.float32.largest_finite),
            fmt::format("{:.4f}", run.float32.largest_gap)},
           {"float64", fmt::format("{:.4f}", run.float64.largest_finite),
            fmt::format("{:.4f}", run.float64.largest_gap)}}};
}

Table sweep_table(const SoftmaxRun& run) {
  Table table{{{"最大 |x|", "largest |x|"},
               {"素朴 float32", "naive float32"},
               {"安定 float32", "stable float32"},
               {"素朴 float64", "naive float64"},
               {"安定 float64", "stable float64"}},
              {}};
  for (std::size_t i = 0; i < run.magnitude.size(); ++i) {
    table.rows.push_back({digits(run.magnitude(i)), row_sum(run.naive_float32, i),
                          row_sum(run.stable_float32, i), row_sum(run.naive_float64, i),
                          row_sum(run.stable_float64, i)});
  }
  return table;
}

void overflow(Blocks& blocks, const SoftmaxRun& run) {
  add_heading(blocks, "オーバーフロー", "Overflow");
  const std::string exp_50 = python_repr(std::exp(50.0));
  add_text(blocks, "exp(50) = " + exp_50, "exp(50) = " + exp_50);
  blocks.emplace_back(limits_table(run));
  add_text(blocks, "スコアを大きくしたときの注意度の和（素朴：exp(x)/Σ、安定：最大値を引く）：",
           "sum of the weights as the scores grow (naive: exp(x)/Σ, stable: the maximum subtracted):");
  blocks.emplace_back(sweep_table(run));
  add_text(blocks, "NaN が出る前にも失敗します。次の exp はどれも有限ですが、その和が inf になります。",
           "It fails even before the first NaN: each exp below is finite, but their sum is inf.");
  values(blocks, "float32 のスコア", "float32 scores", run.silent_scores_float32);
  values(blocks, "素朴な注意度", "naive weights", run.silent_weights_float32);
  values(blocks, "float64 のスコア", "float64 scores", run.silent_scores_float64);
  values(blocks, "素朴な注意度", "naive weights", run.silent_weights_float64);
}

void by_rows(Blocks& blocks, const SoftmaxRun& run) {
  add_heading(blocks, "最大値は行ごとに引く", "Subtract the maximum of each row");
  values(blocks, "2 つのクエリのスコア", "scores of two queries", run.two_rows);
  values(blocks, "全体の最大値を引く", "maximum of the whole matrix", run.global_max);
  values(blocks, "行ごとの最大値を引く", "maximum of each row", run.row_max);
  const double gap = run.two_rows(0, 0) - run.two_rows(1, 0);
  add_text(
      blocks,
      fmt::format("2 行目は全体の最大値より {:g} 小さく、exp が全て 0 になるため 0/0 = NaN になります。",
                  gap),
      fmt::format("The second row lies {:g} below the overall maximum: every exp is 0, and 0/0 = NaN.", gap));
}

void temperature(Blocks& blocks, const SoftmaxRun& run) {
  using namespace formula;
  add_heading(blocks, "温度", "Temperature");
  blocks.emplace_back(Equation{row({sym("a"), sym("="), call("softmax", fraction(sym("x"), sym("T")))})});
  Table table{{{"T", "T"}, {"最大の注意度", "largest weight"}, {"エントロピー", "entropy (nats)"}}, {}};
  const std::size_t n = run.scores.size();
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    const double* row_begin = &run.temperature_weights(i, 0);
    table.rows.push_back({digits(run.temperature(i)),
                          fmt::format("{:.4f}", *std::max_element(row_begin, row_begin + n)),
                          fmt::format("{:.4f}", run.entropy(i))});
  }
  blocks.emplace_back(table);
  const double most = std::log(static_cast<double>(n));
  add_text(
      blocks,
      fmt::format("エントロピーは 0（1 つに集中）から ln {} = {:.4f}（均等）までの値を取ります。", n, most),
      fmt::format("Entropy runs from 0 (one key takes all) to ln {} = {:.4f} (all alike).", n, most));
}

}  // namespace

std::vector<Block> softmax_body(const SoftmaxRun& run) {
  Blocks blocks;
  from_scores_to_weights(blocks, run);
  why_not_raw(blocks, run);
  overflow(blocks, run);
  by_rows(blocks, run);
  temperature(blocks, run);
  blocks.emplace_back(Paragraph{Role::say,
                                {"softmax はスコアの大小関係を保ったまま、全て正で和が 1 "
                                 "の注意度に変えます。計算するときは、必ず行ごとの"
                                 "最大値を引いてから exp を取ります。",
                                 "Softmax keeps the order of the scores and turns them into positive weights "
                                 "that sum to 1. To compute it, "
                                 "always subtract the maximum of each row before taking exp."}});
  blocks.emplace_back(Paragraph{
      Role::misunderstanding,
      {"「最大値を引くと結果が近似になる」のではありません。分子と分母に同じ exp(−max x) を掛けるだけなので、"
       "数学的には同じ値です。",
       "Subtracting the maximum is no approximation: numerator and denominator are multiplied by the same "
       "exp(−max x), so the result is mathematically unchanged."}});
  return blocks;
}

}  // namespace attnlab
