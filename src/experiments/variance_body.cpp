// What the variance experiment says in the terminal.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "core/formula.hpp"
#include "experiments/report_body.hpp"
#include "experiments/variance_report.hpp"

namespace attnlab {
namespace {

using formula::row;
using formula::sym;

Table spread_table(const VarianceRun& run) {
  Table table{
      {{"d", "d"}, {"√d", "√d"}, {"q·k の標準偏差", "std of q·k"}, {"q·k/√d の標準偏差", "std of q·k/√d"}},
      {}};
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
               {"勾配", "gradient"}},
              {}};
  for (std::size_t i = 0; i < run.dims.size(); ++i) {
    const auto add = [&](const char* scaling, const Saturation& one) {
      table.rows.push_back(
          {fmt::format("{:g}", run.dims(i)), scaling, fmt::format("{:.4f}", one.largest.mean(i)),
           fmt::format("{:.4f}", one.entropy.mean(i)), fmt::format("{:.4f}", one.gradient.mean(i))});
    };
    add("—", run.raw);  // cells read the same in both languages
    add("1/√d", run.scaled);
  }
  return table;
}

Paragraph to_say(const VarianceRun& run) {
  const std::size_t last = run.dims.size() - 1;
  const std::string d = fmt::format("{:g}", run.dims(last));
  return {
      Role::say,
      {fmt::format(
           "各成分が平均 0、分散 1 で独立なら、内積は d 個の項の和なので分散は d、標準偏差は √d です。"
           "d = {} では {} になり、√d で割ると {} に戻ります。割らなければ最大の注意度は平均 {:.2f}、"
           "勾配は {} まで小さくなり、割れば {} です。",
           d, three_digits(run.std_raw(last)), three_digits(run.std_scaled(last)), run.raw.largest.mean(last),
           three_digits(run.raw.gradient.mean(last)), three_digits(run.scaled.gradient.mean(last))),
       fmt::format(
           "With independent components of mean 0 and variance 1 the dot product is a sum of d terms: "
           "variance d, standard deviation √d. At d = {} it is {}; divided by √d, {}. Undivided, the "
           "largest weight is {:.2f} on average and the gradient {}; divided, the gradient is {}.",
           d, three_digits(run.std_raw(last)), three_digits(run.std_scaled(last)), run.raw.largest.mean(last),
           three_digits(run.raw.gradient.mean(last)), three_digits(run.scaled.gradient.mean(last)))}};
}

Paragraph misunderstanding() {
  return {
      Role::misunderstanding,
      {"√d で割るのは「値を小さくすればよい」からではなく、標準偏差を d によらず 1 にするためです。d で割ると"
       "標準偏差は 1/√d になり、d が大きいほど注意度は均等になります。また、√d になるのは成分が独立な乱数の"
       "ときで、学習後の q と k では別の値になります。",
       "The point of √d is not to make scores small but to keep their standard deviation at 1 for "
       "every d. Divided by d it would be 1/√d, and attention ever more even. And √d holds for independent "
       "random components; trained q and k may differ."}};
}

Text drawn_from(const VarianceRun& run) {
  return run.torch ? Text{"PyTorch の乱数、", "PyTorch's random numbers, "} : Text::same("");
}

}  // namespace

std::vector<Block> variance_body(const VarianceRun& run) {
  std::vector<Block> blocks;
  add_heading(blocks, "内積の標準偏差は √d", "The dot product's standard deviation is √d");
  const auto part = [](const char* letter) { return formula::sub(sym(letter), sym("i")); };
  blocks.emplace_back(Equation{row({sym("Var"), sym("("), sym("q"), sym("·"), sym("k"), sym(")"), sym("="),
                                    formula::sub(sym("Σ"), sym("i")), sym("Var"), sym("("), part("q"),
                                    part("k"), sym(")"), sym("="), sym("d")})});
  const Text drawn = drawn_from(run);
  add_text(blocks,
           fmt::format("d ごとに q と k を {} 個ずつ標準正規分布から生成しました（{}乱数の種 {}）。",
                       run.pairs, drawn.ja(), run.seed),
           fmt::format("For every d, {} vectors q and as many k from the standard normal distribution "
                       "({}seed {}).",
                       run.pairs, drawn.en(), run.seed));
  blocks.emplace_back(spread_table(run));
  if (run.dims.size() > 1) {
    add_text(blocks, fmt::format("両対数グラフでの傾き：{:.4f}（√d なら 0.5）", run.slope),
             fmt::format("slope on logarithmic axes: {:.4f} (of √d: 0.5)", run.slope));
  }
  add_heading(blocks, "softmax の飽和", "Softmax saturates");
  add_text(blocks,
           fmt::format("クエリ {} 個、キー {} 個（乱数の種 {}）。値はクエリについての平均、勾配は"
                       " ‖diag(p) − ppᵀ‖ です。",
                       run.queries, run.keys, run.saturation_seed),
           fmt::format("{} queries, {} keys (seed {}); means over the queries; the gradient is "
                       "‖diag(p) − ppᵀ‖.",
                       run.queries, run.keys, run.saturation_seed));
  blocks.emplace_back(saturation_table(run));
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(misunderstanding());
  return blocks;
}

}  // namespace attnlab
