// What the softmax experiment says in the terminal.
#include "experiments/softmax/softmax.hpp"

namespace attnlab {
namespace {

using Blocks = std::vector<Block>;

template <class T>
Values values(Text label, const Tensor<T>& tensor) {
  return {std::move(label), to_array(tensor, std::vector<std::string>(tensor.dimension(), "keys"))};
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
  const std::size_t n = run.scores.size();
  blocks.emplace_back(Paragraph::heading("スコアから注意度へ", "From scores to weights"));
  blocks.emplace_back(Equation{formula::read("a_i = \\frac{exp(x_i)}{Σ_j exp(x_j)}")});
  blocks.emplace_back(values({"スコア x", "scores x"}, run.scores));
  blocks.emplace_back(values({"注意度 a = softmax(x)", "weights a = softmax(x)"}, run.weights));
  blocks.emplace_back(Paragraph::plain("注意度の和：{0:.10g}   大小関係が逆転した組：{1} 組中 {2} 組",
                                       "sum of the weights: {0:.10g}   pairs in reversed order: {2} of {1}",
                                       sum_of(run.weights), n * (n - 1) / 2,
                                       reversed_pairs(run.scores, run.weights)));
  blocks.emplace_back(Paragraph::plain("すべてのスコアに {:g} を足したときの注意度の差（最大）：{}",
                                       "largest change of a weight when {:g} is added to every score: {}",
                                       run.constant, python_repr(run.shift_difference)));
}

Paragraph signs(const Tensor<double>& scores) {
  const auto negative = std::count_if(scores.begin(), scores.end(), [](double x) { return x < 0; });
  if (negative == 0) {
    return Paragraph::plain("1. 一般には負の値も含みます（この例にはありません）。",
                            "1. In general some are negative (here none is).");
  }
  return Paragraph::plain("1. 負の値を含みます（{} 個）。", "1. Some are negative (here {}).", negative);
}

/// Doubling the query doubles the sum, which shows nothing where the sum is 0.
Paragraph sums(const Tensor<double>& scores) {
  const double sum = sum_of(scores);
  Text example = text("この例では {}", "here {}", python_repr(sum));
  if (sum != 0.0) {
    example =
        text("{}、クエリを 2 倍にすると {}", "{}, with the query doubled {}", example, python_repr(2 * sum));
  }
  return Paragraph::plain("2. 和がクエリによって変わります（{}）。softmax の後は常に 1 です。",
                          "2. Their sum depends on the query ({}); after softmax it is always 1.", example);
}

std::string digits(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value); }

Table limits_table(const SoftmaxRun& run) {
  const auto row = [](const char* type, const ExpLimits& limits) -> std::vector<ShortText> {
    return {type, fmt::format("{:.4f}", limits.largest_finite), fmt::format("{:.4f}", limits.largest_gap)};
  };
  return {{{"型", "type"},
           {"exp(x) が有限な最大の x", "largest x with finite exp(x)"},
           {"注意度が 0 にならない、最大値との差の上限", "largest gap to the maximum with a weight above 0"}},
          {row("float32", run.float32), row("float64", run.float64)}};
}

/// Added up in the precision of T.
template <class T>
std::string row_sum(const Tensor<T>& rows, std::size_t i) {
  T sum = 0;
  for (std::size_t j = 0; j < rows.shape().back(); ++j) sum += rows(i, j);
  return digits(sum);
}

Table sweep_table(const SoftmaxRun& run) {
  Table table{{{"最大 |x|", "largest |x|"},
               {"素朴 float32", "naive float32"},
               {"安定 float32", "stable float32"},
               {"素朴 float64", "naive float64"},
               {"安定 float64", "stable float64"}}};
  for (std::size_t i = 0; i < run.magnitude.size(); ++i) {
    table.rows.push_back({digits(run.magnitude(i)), row_sum(run.sweep_float32.naive, i),
                          row_sum(run.sweep_float32.stable, i), row_sum(run.sweep_float64.naive, i),
                          row_sum(run.sweep_float64.stable, i)});
  }
  return table;
}

/// What the sweep cannot show when its largest score, this one, stays below a limit of exp.
Paragraph missing_overflow(const SoftmaxRun& run, double most) {
  const auto note = [most](const Text& consequence) {
    return Paragraph::plain("この例の最大のスコアは {} までしか大きくならないため、{}",
                            "Here the largest score grows no further than {}, {}", digits(most), consequence);
  };
  if (most > run.float32.largest_finite) {
    return note({"float64 の exp(x) は inf になりません。", "so in float64 exp(x) stays finite."});
  }
  if (std::isnan(run.sweep_float32.naive.back())) {
    return note({"exp(x) は inf になりません。NaN は、exp がすべて 0 になったときの 0/0 です。",
                 "so exp(x) stays finite; any NaN is 0/0, where every exp is 0."});
  }
  return note({"exp(x) は inf になりません。", "so exp(x) stays finite."});
}

void overflow(Blocks& blocks, const SoftmaxRun& run) {
  blocks.emplace_back(Paragraph::heading("オーバーフロー", "Overflow"));
  blocks.emplace_back(Paragraph::plain("exp(50) = {}", "exp(50) = {}", python_repr(std::exp(50.0))));
  blocks.emplace_back(limits_table(run));
  blocks.emplace_back(Paragraph::plain(
      "スコアを大きくしたときの注意度の和（素朴：exp(x)/Σ、安定：最大値を引く）：",
      "sum of the weights as the scores grow (naive: exp(x)/Σ, stable: the maximum subtracted):"));
  blocks.emplace_back(sweep_table(run));
  const double most = largest(run.overflow.float64.scores) - run.overflow.constant;
  if (most <= run.float64.largest_finite) blocks.emplace_back(missing_overflow(run, most));
  blocks.emplace_back(Paragraph::plain(
      "NaN が出なくても計算は壊れます。次の例では exp はどれも有限ですが、和が inf になり、注意度がすべて 0 になります。",
      "It can fail without producing a NaN: each exp below is finite, but their sum is inf and every weight is 0."));
  const Text naive{"素朴な計算による注意度", "naive weights"};
  blocks.emplace_back(values({"float32 のスコア", "float32 scores"}, run.silent_float32.scores));
  blocks.emplace_back(values(naive, run.silent_float32.naive));
  blocks.emplace_back(values({"float64 のスコア", "float64 scores"}, run.silent_float64.scores));
  blocks.emplace_back(values(naive, run.silent_float64.naive));
}

void by_rows(Blocks& blocks, const SoftmaxRun& run) {
  blocks.emplace_back(Paragraph::heading("最大値は行ごとに引く", "Subtract the maximum of each row"));
  blocks.emplace_back(values({"2 つのクエリのスコア", "scores of two queries"}, run.two_rows));
  blocks.emplace_back(values({"全体の最大値を引く", "maximum of the whole matrix"}, run.global_max));
  blocks.emplace_back(values({"行ごとの最大値を引く", "maximum of each row"}, run.row_max));
  blocks.emplace_back(Paragraph::plain(
      "2 行目は全体の最大値より {:g} 以上小さく、exp がすべて 0 になるため 0/0 = NaN になります。",
      "The second row lies {:g} or more below the overall maximum: every exp is 0, and 0/0 = NaN.",
      run.two_rows(0, 0) - run.two_rows(1, 0)));
}

void temperature(Blocks& blocks, const SoftmaxRun& run) {
  blocks.emplace_back(Paragraph::heading("温度", "Temperature"));
  blocks.emplace_back(Equation{formula::read("a = softmax(\\frac{x}{T})")});
  Table table{{{"T", "T"}, {"最大の注意度", "largest weight"}, {"エントロピー (nat)", "entropy (nats)"}}};
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    table.rows.push_back({digits(run.temperature(i)), fmt::format("{:.4f}", run.largest(i)),
                          fmt::format("{:.4f}", run.entropy(i))});
  }
  blocks.emplace_back(table);
  const std::size_t n = run.scores.size();
  blocks.emplace_back(
      Paragraph::plain("エントロピーは 0（1 つに集中）から ln {} = {:.4f}（均等）までの値を取ります。",
                       "Entropy runs from 0 (one key takes all) to ln {} = {:.4f} (uniform).", n,
                       std::log(static_cast<double>(n))));
}

/// A key far enough below the maximum has a weight that no floating-point number holds.
Paragraph sentence_to_say(const SoftmaxRun& run) {
  const bool lost = std::find(run.weights.begin(), run.weights.end(), 0.0) != run.weights.end();
  return Paragraph::say(
      "softmax はスコアの大小関係を保ったまま、すべて正で和が 1 の注意度に変えます{}。計算するときは、必ず行ごとの最大値を引いてから exp を計算します。",
      "Softmax keeps the order of the scores and turns them into positive weights that sum to 1{}. To compute it, always subtract the maximum of each row before taking exp.",
      lost ? Text{"（数学的には正ですが、小さすぎる値は計算上 0 になります）",
                  " (mathematically positive, but too small a value is computed as 0)"}
           : Text::none());
}

}  // namespace

std::vector<Block> body(const SoftmaxRun& run, const std::vector<Stage>& /*stages*/) {
  Blocks blocks;
  from_scores_to_weights(blocks, run);
  blocks.emplace_back(Paragraph::heading("スコアをそのまま使えない理由",
                                         "Why the scores themselves cannot serve as weights"));
  blocks.emplace_back(signs(run.scores));
  blocks.emplace_back(sums(run.scores));
  overflow(blocks, run);
  by_rows(blocks, run);
  temperature(blocks, run);
  blocks.emplace_back(sentence_to_say(run));
  blocks.emplace_back(Paragraph::misunderstanding(
      "「最大値を引くと結果が近似になる」のではありません。分子と分母に同じ exp(−max x) を掛けるだけなので、数学的には同じ値です。",
      "Subtracting the maximum is no approximation: numerator and denominator are multiplied by the same exp(−max x), so the result is mathematically unchanged."));
  return blocks;
}

}  // namespace attnlab
