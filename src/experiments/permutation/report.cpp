// What `permutation` says on a terminal.
#include "experiments/permutation/permutation.hpp"

namespace attnlab {
namespace {

Table errors_table(const PermutationRun& run) {
  Table table{
      {{"差の最大", "largest difference"}, {"位置なし", "no positions"}, {"位置あり", "with positions"}}};
  const auto add = [&](Text name, double PermutationPair::*error) {
    table.rows.push_back({std::move(name), error_text(run.plain.*error), error_text(run.positioned.*error)});
  };
  add({"出力：並べ替えと比べて Y′ − P Y", "output, Y′ − P Y"}, &PermutationPair::output_error);
  add({"注意度：A′ − P A Pᵀ", "weights, A′ − P A Pᵀ"}, &PermutationPair::weights_error);
  add({"出力：同じ行番号どうし Y′ − Y", "output row by row, Y′ − Y"}, &PermutationPair::unmoved_difference);
  add({"出力の全行の平均", "mean of all output rows"}, &PermutationPair::mean_difference);
  return table;
}

Paragraph what_was_drawn(const PermutationRun& run) {
  const auto& shape = run.plain.first.x.shape();
  if (run.tape.any_read()) {
    return Paragraph::plain(
        "X（{} × {}）と W_Q、W_K、W_V（{}）。X の行を {} の順に並べ替えた P X も計算します。",
        "X ({} x {}) and W_Q, W_K, W_V ({}). P X holds the rows of X in the order {}.", shape[0], shape[1],
        run.tape.described(), joined(run.order, ", "));
  }
  return Paragraph::plain(
      "X（{} × {}）と W_Q、W_K、W_V（0.1 倍）は標準正規分布の乱数（種 {}）。X の行を {} の順に並べ替えた P X も計算します。",
      "X ({} x {}) and W_Q, W_K, W_V (times 0.1) are standard normal numbers (seed {}). P X holds the rows of X in the order {}.",
      shape[0], shape[1], run.tape.seed(), joined(run.order, ", "));
}

Paragraph to_say(const PermutationRun& run) {
  const std::string plain = error_text(run.plain.output_error);
  const std::string positioned = error_text(run.positioned.output_error);
  if (run.is_identity) {
    return Paragraph::say(
        "この順序は元のままなので、出力は位置エンコーディングがなくても（差は最大 {}）あっても（差は最大 {}）同じです。",
        "This order leaves the tokens where they are: the output is the same without positions (largest difference {}) and with them (largest difference {}).",
        plain, positioned);
  }
  if (!run.positions_matter()) {
    return Paragraph::say(
        "トークンを並べ替えると出力の行も同じ順に並ぶだけで、行の中身は変わりません（差は最大 {}）。この配列では、位置を足しても変わりません（差は最大 {}）。",
        "Permuting the tokens permutes the output rows with them and leaves them otherwise unchanged (largest difference {}). With these arrays added positions change nothing (largest difference {}).",
        plain, positioned);
  }
  return Paragraph::say(
      "トークンを並べ替えると出力の行も同じ順に並ぶだけで、行の中身は変わりません（差は最大 {}）。位置エンコーディングを足すと、同じトークンでも位置が違えば出力が変わります（差は最大 {}）。",
      "Permuting the tokens permutes the output rows with them and leaves them otherwise unchanged (largest difference {}). With positions added, a token at another position gives another output (largest difference {}).",
      plain, positioned);
}

/// An example of a token that keeps its place, if there is one.
void add_note(std::vector<Block>& body, const PermutationRun& run) {
  if (run.is_identity) {
    body.emplace_back(Paragraph::note("この --order は並べ替えていないので、どの差も 0 です。",
                                      "This --order moves nothing, so every difference is 0."));
    return;
  }
  if (!run.positions_matter()) return;
  std::size_t kept = 0;
  while (kept < run.order.size() && run.order[kept] != kept) ++kept;
  if (kept == run.order.size()) return;
  const double change =
      largest_magnitude(values_of(run.tape.numbers_of("output_difference_with_position"), kept));
  body.emplace_back(Paragraph::note(
      "「{}」は同じ位置に残りますが、位置ありでは出力が {} 変わります。参照する相手の位置が変わったからです。",
      "{} keeps its position, yet with positions its output changes by {}: the tokens it attends to have moved.",
      run.labels[kept], error_text(change)));
}

}  // namespace

std::string error_text(double error) {
  return error < 1e-3 ? difference_text(error) : fmt::format("{:.3g}", error);
}

std::vector<Block> body(const PermutationRun& run, const std::vector<Stage>& /*stages*/) {
  std::vector<Block> blocks{
      Paragraph::heading("順序と自己注意", "Order and self-attention"),
      Equation{formula::read("Attention(P X) = P Attention(X)")},
      what_was_drawn(run),
      errors_table(run),
      Values{{"出力 Y", "output Y"}, to_array(run.plain.first.attention.output, {"tokens", "width"})},
      Values{{"並べ替えたときの出力 Y′", "output Y′ of the permuted tokens"},
             to_array(run.plain.permuted.attention.output, {"tokens", "width"})},
      to_say(run),
      Paragraph::misunderstanding(
          "「順序が変わっても出力は変わらない」のは、行の並びを除いての話です。同じ行番号どうしを比べると{}。変わらないのは行の集合です。",
          "“Another order, the same output” holds for the rows as a set. Compared row by row, as they stand, the outputs {}.",
          run.plain.unmoved_difference < 1e-12
              ? Text{"、ふつうは違います（ここでは同じ）", "differ in general (not here)"}
              : text(" {} まで違います", "differ by up to {}", error_text(run.plain.unmoved_difference))),
  };
  add_note(blocks, run);
  return blocks;
}

}  // namespace attnlab
