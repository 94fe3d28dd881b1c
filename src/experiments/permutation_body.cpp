// What `permutation` says on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/formula.hpp"
#include "experiments/permutation/permutation.hpp"
#include "experiments/report_body.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "results/check/difference_text.hpp"

namespace attnlab {
namespace {

Table errors_table(const PermutationRun& run) {
  const auto row = [](ShortText name, double plain, double positioned) {
    return std::vector<ShortText>{std::move(name), error_text(plain), error_text(positioned)};
  };
  const PermutationPair& plain = run.plain;
  const PermutationPair& positioned = run.positioned;
  return {{{"差の最大", "largest difference"}, {"位置なし", "no positions"}, {"位置あり", "with positions"}},
          {row(Text{"出力：並べ替えと比べて Y′ − P Y", "output, Y′ − P Y"}, plain.output_error,
               positioned.output_error),
           row(Text{"注意度：A′ − P A Pᵀ", "weights, A′ − P A Pᵀ"}, plain.weights_error,
               positioned.weights_error),
           row(Text{"出力：同じ行番号どうし Y′ − Y", "output row by row, Y′ − Y"}, plain.unmoved_difference,
               positioned.unmoved_difference),
           row(Text{"出力の全行の平均", "mean of all output rows"}, plain.mean_difference,
               positioned.mean_difference)}};
}

Paragraph what_was_drawn(const PermutationRun& run) {
  std::string order;
  for (const std::size_t token : run.order) order += (order.empty() ? "" : ", ") + std::to_string(token);
  const auto& shape = run.plain.first.x.shape();
  return {
      Role::text,
      {fmt::format("X（{} × {}）と W_Q、W_K、W_V（0.1 倍）は標準正規分布の乱数（種 {}）。X の行を {} の順に"
                   "並べ替えた P X も計算します。",
                   shape[0], shape[1], run.seed, order),
       fmt::format("X ({} x {}) and W_Q, W_K, W_V (times 0.1) are standard normal numbers (seed {}). P X "
                   "holds the rows of X in the order {}.",
                   shape[0], shape[1], run.seed, order)}};
}

Paragraph to_say(const PermutationRun& run) {
  return {Role::say,
          {fmt::format(
               "トークンを並べ替えると出力の行も同じ順に並ぶだけで、行の中身は変わりません（差は最大 {}）。"
               "位置エンコーディングを足すと、同じトークンでも位置が違えば出力が変わります（差は最大 {}）。",
               error_text(run.plain.output_error), error_text(run.positioned.output_error)),
           fmt::format("Permute the tokens, and the output rows are permuted with them, otherwise unchanged "
                       "(largest difference {}). Add positions, and a token in another place gives another "
                       "output (largest difference {}).",
                       error_text(run.plain.output_error), error_text(run.positioned.output_error))}};
}

Paragraph misunderstanding(const PermutationRun& run) {
  return {
      Role::misunderstanding,
      {fmt::format(
           "スライドの「順序が変わっても出力は変わらない」は、行の並びを除いての話です。同じ行番号どうしを"
           "比べると {} まで違います。変わらないのは行の集合です。",
           error_text(run.plain.unmoved_difference)),
       fmt::format("The slides' \"another order, the same output\" holds for the rows as a set. Compared "
                   "row by row, as they stand, the outputs differ by up to {}.",
                   error_text(run.plain.unmoved_difference))}};
}

double row_difference(const PermutationPair& pair, std::size_t row) {
  double largest = 0.0;
  for (std::size_t i = 0; i < pair.output_difference.shape()[1]; ++i) {
    largest = std::max(largest, std::abs(pair.output_difference(row, i)));
  }
  return largest;
}

void add_notes(std::vector<Block>& body, const PermutationRun& run) {
  if (run.is_identity) {
    body.emplace_back(Paragraph{Role::note,
                                {"この --order は並べ替えていないので、どの差も 0 です。",
                                 "This --order moves nothing, so every difference is 0."}});
    return;
  }
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    if (run.order[i] != i) continue;
    const std::string difference = error_text(row_difference(run.positioned, i));
    body.emplace_back(Paragraph{
        Role::note,
        {fmt::format("「{}」は同じ位置に残りますが、位置ありでは出力が {} "
                     "変わります。読む相手の位置が変わったからです。",
                     run.labels[i], difference),
         fmt::format("{} keeps its place, yet with positions its output changes by {}: the tokens it reads "
                     "have moved.",
                     run.labels[i], difference)}});
    return;  // one example is enough
  }
}

}  // namespace

std::string error_text(double error) {
  return error < 1e-3 ? difference_text(error) : fmt::format("{:.3g}", error);
}

std::vector<Block> permutation_body(const PermutationRun& run) {
  using formula::sym;
  std::vector<Block> blocks;
  add_heading(blocks, "順序と自己注意", "Order and self-attention");
  blocks.emplace_back(Equation{formula::row({formula::call("Attention", formula::row({sym("P"), sym("X")})),
                                             sym(" = "), sym("P"), formula::call(" Attention", sym("X"))})});
  blocks.emplace_back(what_was_drawn(run));
  blocks.emplace_back(errors_table(run));
  blocks.emplace_back(
      Values{{"出力 Y", "output Y"}, to_array(run.plain.first.attention.output, {"tokens", "width"})});
  blocks.emplace_back(Values{{"並べ替えたときの出力 Y′", "output Y′ of the permuted tokens"},
                             to_array(run.plain.permuted.attention.output, {"tokens", "width"})});
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(misunderstanding(run));
  add_notes(blocks, run);
  return blocks;
}

}  // namespace attnlab
