// What the variance experiment says in the terminal.
#include "experiments/variance/variance.hpp"

namespace attnlab {
namespace {

Table spread_table(const VarianceRun& run) {
  Table table{
      {{"d", "d"}, {"√d", "√d"}, {"q·k の標準偏差", "std of q·k"}, {"q·k/√d の標準偏差", "std of q·k/√d"}}};
  for (std::size_t i = 0; i < run.dims.size(); ++i) {
    table.rows.push_back({fmt::format("{:g}", run.dims(i)), fmt::format("{:.6g}", std::sqrt(run.dims(i))),
                          fmt::format("{:.6f}", run.std_raw(i)), fmt::format("{:.6f}", run.std_scaled(i))});
  }
  return table;
}

Table saturation_table(const VarianceRun& run) {
  Table table{{{"d", "d"},
               {"スケーリング", "scaling"},
               {"最大の注意度", "largest weight"},
               {"エントロピー（nat）", "entropy (nats)"},
               {"勾配", "gradient"}}};
  for (std::size_t i = 0; i < run.dims.size(); ++i) {
    const auto add = [&](const char* scaling, const Saturation& one) {
      table.rows.push_back(
          {fmt::format("{:g}", run.dims(i)), scaling, fmt::format("{:.4f}", one.largest.mean(i)),
           fmt::format("{:.4f}", one.entropy.mean(i)), fmt::format("{:.4f}", one.gradient.mean(i))});
    };
    add("—", run.raw);
    add("1/√d", run.scaled);
  }
  return table;
}

}  // namespace

std::vector<Block> body(const VarianceRun& run, const std::vector<Stage>& /*stages*/) {
  std::vector<Block> blocks{
      Paragraph::heading("内積の標準偏差は √d", "The dot product's standard deviation is √d"),
      Equation{formula::read("Var(q · k) = Σ_i Var(q_i k_i) = d")},
      Paragraph::plain(
          "d ごとに q と k を {} 個ずつ標準正規分布から生成しました（{}乱数の種 {}）。",
          "For every d, {} vectors q and as many k from the standard normal distribution ({}seed {}).",
          run.pairs,
          run.rng == "torch" ? Text{"PyTorch の乱数、", "PyTorch's random numbers, "} : Text::none(),
          run.seed),
      spread_table(run)};
  if (run.dims.size() > 1) {
    blocks.emplace_back(Paragraph::plain("両対数グラフでの傾き：{:.4f}（√d なら 0.5）",
                                         "slope on logarithmic axes: {:.4f} (of √d: 0.5)", run.slope));
  }
  blocks.emplace_back(Paragraph::heading("softmax の飽和", "Softmax saturates"));
  blocks.emplace_back(Paragraph::plain(
      "クエリ {} 個、キー {} 個（乱数の種 {}）。値はクエリについての平均、勾配は ‖diag(p) − ppᵀ‖ です。",
      "{} queries, {} keys (seed {}); means over the queries; the gradient is ‖diag(p) − ppᵀ‖.", run.queries,
      run.keys, run.saturation_seed));
  blocks.emplace_back(saturation_table(run));
  blocks.emplace_back(Paragraph::say(
      "各成分が平均 0、分散 1 で独立なら、内積は d 個の項の和なので分散は d、標準偏差は √d です。d = {:g} では {:.3g} になり、√d で割ると {:.3g} に戻ります。割らなければ最大の注意度は平均 {:.2f}、勾配は {:.3g}{}、割れば {:.3g} です。",
      "With independent components of mean 0 and variance 1 the dot product is a sum of d terms: variance d, standard deviation √d. At d = {:g} it is {:.3g}; divided by √d, {:.3g}. Undivided, the largest weight is {:.2f} on average and the gradient {:.3g}{}; divided, the gradient is {:.3g}.",
      run.dims.back(), run.std_raw.back(), run.std_scaled.back(), run.raw.largest.mean.back(),
      run.raw.gradient.mean.back(),
      run.raw.gradient.mean.back() < run.scaled.gradient.mean.back() ? Text{" まで小さくなり", ""}
                                                                     : Text::none(),
      run.scaled.gradient.mean.back()));
  blocks.emplace_back(Paragraph::misunderstanding(
      "√d で割るのは「値を小さくすればよい」からではなく、標準偏差を d によらず 1 にするためです。d で割ると標準偏差は 1/√d になり、d が大きいほど注意度は均等になります。また、√d になるのは成分が独立な乱数のときで、学習後の q と k では別の値になります。",
      "The point of √d is not to make scores small but to keep their standard deviation at 1 for every d. Divided by d it would be 1/√d, and attention ever more uniform. And √d holds for independent random components; trained q and k may differ."));
  return blocks;
}

}  // namespace attnlab
