// What the softmax experiment says in the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/report_body.hpp"
#include "experiments/softmax/softmax.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "results/report/numpy_text.hpp"

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
  add_text(
      blocks,
      fmt::format("注意度の和：{}   大小関係が逆転した組：{} 組中 {} 組", sum, n * (n - 1) / 2, reversed),
      fmt::format("sum of the weights: {}   pairs in reversed order: {} of {}", sum, reversed,
                  n * (n - 1) / 2));
  const std::string difference = python_repr(run.shift_difference);
  add_text(
      blocks,
      fmt::format("すべてのスコアに {:g} を足したときの注意度の差（最大）：{}", run.constant, difference),
      fmt::format("largest change of a weight when {:g} is added to every score: {}", run.constant,
                  difference));
}

Text signs(const Tensor<double>& scores) {
  const auto negative = std::count_if(scores.begin(), scores.end(), [](double x) { return x < 0; });
  if (negative == 0) {
    return {"1. 一般には負の値も含みます（この例にはありません）。",
            "1. They may be negative in general (here none is)."};
  }
  return {fmt::format("1. 負の値を含みます（{} 個）。", negative),
          fmt::format("1. Some are negative (here {}).", negative)};
}

/// Doubling the query doubles the sum, which shows nothing where the sum is 0.
Text sums(const Tensor<double>& scores) {
  const double sum = sum_of(scores);
  Text example{fmt::format("この例では {}", python_repr(sum)), fmt::format("here {}", python_repr(sum))};
  if (sum != 0.0) {
    const std::string doubled = python_repr(2 * sum);
    example = {fmt::format("{}、クエリを 2 倍にすると {}", example.ja(), doubled),
               fmt::format("{}, with the query doubled {}", example.en(), doubled)};
  }
  return {fmt::format("2. 和がクエリによって変わります（{}）。softmax の後は常に 1 です。", example.ja()),
          fmt::format("2. Their sum depends on the query ({}); after softmax it is always 1.", example.en())};
}

void why_not_raw(Blocks& blocks, const SoftmaxRun& run) {
  add_heading(blocks, "スコアをそのまま使えない理由", "Why the scores themselves will not do");
  blocks.emplace_back(Paragraph{Role::text, signs(run.scores)});
  blocks.emplace_back(Paragraph{Role::text, sums(run.scores)});
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
           {"注意度が 0 にならない、最大値との差の上限", "largest gap to the maximum with a weight above 0"}},
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

/// What the sweep cannot show when its largest score stays below a limit of exp.
std::optional<Text> missing_overflow(const SoftmaxRun& run) {
  const std::size_t last = run.magnitude.size() - 1;
  const double largest =
      *std::max_element(run.overflow.scores.begin(), run.overflow.scores.end()) - run.overflow.constant;
  if (largest > run.float64.largest_finite) return std::nullopt;
  const std::string ja =
      fmt::format("この例の最大のスコアは {} までしか大きくならないため、", digits(largest));
  const std::string en = fmt::format("Here the largest score grows no further than {}, ", digits(largest));
  if (largest > run.float32.largest_finite) {
    return Text{ja + "float64 の exp(x) は inf になりません。", en + "so in float64 exp(x) stays finite."};
  }
  if (std::isnan(run.naive_float32(last, 0))) {
    return Text{ja + "exp(x) は inf になりません。NaN は、exp がすべて 0 になったときの 0/0 です。",
                en + "so exp(x) stays finite; any NaN is 0/0, where every exp is 0."};
  }
  return Text{ja + "exp(x) は inf になりません。", en + "so exp(x) stays finite."};
}

void overflow(Blocks& blocks, const SoftmaxRun& run) {
  add_heading(blocks, "オーバーフロー", "Overflow");
  const std::string exp_50 = python_repr(std::exp(50.0));
  add_text(blocks, "exp(50) = " + exp_50, "exp(50) = " + exp_50);
  blocks.emplace_back(limits_table(run));
  add_text(blocks, "スコアを大きくしたときの注意度の和（素朴：exp(x)/Σ、安定：最大値を引く）：",
           "sum of the weights as the scores grow (naive: exp(x)/Σ, stable: the maximum subtracted):");
  blocks.emplace_back(sweep_table(run));
  if (std::optional<Text> note = missing_overflow(run)) {
    blocks.emplace_back(Paragraph{Role::text, std::move(*note)});
  }
  add_text(
      blocks,
      "NaN になる手前でも計算は壊れます。次の例では exp はどれも有限ですが、和が inf になり、注意度が"
      "すべて 0 になります。",
      "It breaks even short of NaN: each exp below is finite, but their sum is inf and every weight is 0.");
  values(blocks, "float32 のスコア", "float32 scores", run.silent_scores_float32);
  values(blocks, "素朴な計算による注意度", "naive weights", run.silent_weights_float32);
  values(blocks, "float64 のスコア", "float64 scores", run.silent_scores_float64);
  values(blocks, "素朴な計算による注意度", "naive weights", run.silent_weights_float64);
}

void by_rows(Blocks& blocks, const SoftmaxRun& run) {
  add_heading(blocks, "最大値は行ごとに引く", "Subtract the maximum of each row");
  values(blocks, "2 つのクエリのスコア", "scores of two queries", run.two_rows);
  values(blocks, "全体の最大値を引く", "maximum of the whole matrix", run.global_max);
  values(blocks, "行ごとの最大値を引く", "maximum of each row", run.row_max);
  const double gap = run.two_rows(0, 0) - run.two_rows(1, 0);
  add_text(
      blocks,
      fmt::format(
          "2 行目は全体の最大値より {:g} 以上小さく、exp がすべて 0 になるため 0/0 = NaN になります。", gap),
      fmt::format(
          "The second row lies {:g} or more below the overall maximum: every exp is 0, and 0/0 = NaN.", gap));
}

void temperature(Blocks& blocks, const SoftmaxRun& run) {
  using namespace formula;
  add_heading(blocks, "温度", "Temperature");
  blocks.emplace_back(Equation{row({sym("a"), sym("="), call("softmax", fraction(sym("x"), sym("T")))})});
  Table table{{{"T", "T"}, {"最大の注意度", "largest weight"}, {"エントロピー (nat)", "entropy (nats)"}}, {}};
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

/// A key far enough below the maximum has a weight that no floating-point number holds.
Paragraph sentence_to_say(const SoftmaxRun& run) {
  const bool lost = std::find(run.weights.begin(), run.weights.end(), 0.0) != run.weights.end();
  return {Role::say,
          {fmt::format("softmax はスコアの大小関係を保ったまま、すべて正で和が 1 の注意度に変えます{}。計算"
                       "するときは、必ず行ごとの最大値を引いてから exp を計算します。",
                       lost ? "（数学的には正ですが、小さすぎる値は計算上 0 になります）" : ""),
           fmt::format("Softmax keeps the order of the scores and turns them into positive weights that sum "
                       "to 1{}. To compute it, always subtract the maximum of each row before taking exp.",
                       lost ? " (mathematically positive, but too small a value is computed as 0)" : "")}};
}

}  // namespace

std::vector<Block> softmax_body(const SoftmaxRun& run) {
  Blocks blocks;
  from_scores_to_weights(blocks, run);
  why_not_raw(blocks, run);
  overflow(blocks, run);
  by_rows(blocks, run);
  temperature(blocks, run);
  blocks.emplace_back(sentence_to_say(run));
  blocks.emplace_back(Paragraph{
      Role::misunderstanding,
      {"「最大値を引くと結果が近似になる」のではありません。分子と分母に同じ exp(−max x) を掛けるだけなので、"
       "数学的には同じ値です。",
       "Subtracting the maximum is no approximation: numerator and denominator are multiplied by the same "
       "exp(−max x), so the result is mathematically unchanged."}});
  return blocks;
}

}  // namespace attnlab
