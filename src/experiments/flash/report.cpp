// The words of `flash`: the row tile by tile, and what moves between slow and fast memory.
#include "attention/streaming/score_tiles.hpp"
#include "core/named.hpp"
#include "experiments/flash/flash.hpp"

namespace attnlab {
namespace {

std::string six_digits(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);  // 0 / 0 has a sign of its own
}

/// The first tiles and the last.
Table tile_by_tile(const FlashRun& run) {
  constexpr std::size_t most_tiles = 16;
  Table table{
      {{"タイル", "tile"}, Text::same("m"), Text::same("f"), Text::same("s"), {"y（先頭）", "y, first"}}};
  for (std::size_t t = 0; t < run.tiles(); ++t)
    if (t < most_tiles || t + 1 == run.tiles())
      table.rows.push_back({std::to_string(t), six_digits(run.maximum(t)), six_digits(run.factor(t)),
                            six_digits(run.sum(t)), six_digits(run.outputs(t, 0))});
  return table;
}

Table moved_by_length(const FlashRun& run) {
  Table table{{Text::same("N"), {"行列を保存", "matrices stored"}, {"タイル", "tiles"}}};
  for (std::size_t i = 0; i < run.length.size(); ++i)
    table.rows.push_back(
        {six_digits(run.length(i)), six_digits(run.moved_plain(i)), six_digits(run.moved_tiles(i))});
  return table;
}

}  // namespace

std::vector<Block> body(const FlashRun& run, const std::vector<Stage>& /*stages*/) {
  std::vector<Block> blocks{Paragraph::heading("1 行をタイルごとに", "One row, tile by tile")};
  for (const char* stage : {"running_maximum", "factor", "running_sum", "accumulator", "tile_output"})
    blocks.emplace_back(Equation{find_named(run.tape.stages(), stage)->formula});
  blocks.insert(
      blocks.end(),
      {tile_by_tile(run),
       Values{{"行全体の softmax による出力", "output of softmax over the whole row"},
              to_array(run.plain, {"width"})},
       Paragraph::plain(
           "最後の出力との差は、最大のバリューの {:.0f} ulp 以内です。最大が上がった {} 個のタイルで、それまでの和と出力に f を掛け直しました。f を省くと、差は {:.3g} になります。",
           "The last output differs from it by at most {:.0f} ulp (units in the last place) of the largest value. Tiles that raised the maximum, and multiplied the sum and output so far by f: {}. Without f the difference is {:.3g}.",
           run.within_ulps(), run.rescalings(), largest_difference(run.without, run.plain)),
       Paragraph::heading("移動する数", "Numbers moved"), Equation{formula::read("4 N^2 + 4 N d")},
       Paragraph::plain(
           "行列を保存する計算：スコア S と注意度 P（N² 個ずつ）を 1 回書いて 1 回読み、Q、K、V を読み、出力を書きます。",
           "Matrices stored: scores S and weights P, N² numbers each, are written once and read once; Q, K, V are read, the output is written."),
       Equation{formula::read("N d (2 + 2 ⌈N / B⌉)")},
       Paragraph::plain(
           "タイル：Q を読み、出力を書き、B 個のクエリごとに K と V をすべて読みます。S と P は速いメモリから出ません。d = {}、B = {} では：",
           "Tiles: Q is read, the output written, and every B queries read all of K and V; S and P never leave fast memory. With d = {}, B = {}:",
           run.head_width, run.block),
       moved_by_length(run),
       Paragraph::plain(
           "比は長さ {:.0f} で {:.3g}、長くなると 2 B / d = {:.3g} に近づきます。速いメモリ M に B 個のクエリ、キー、バリュー、出力を置くと M ≈ 4 B d なので、移動する数は N² d² / M に比例します（Dao ほか 2022、定理 2）。",
           "The ratio is {1:.3g} at length {0:.0f} and tends to 2 B / d = {2:.3g}. Fast memory M that holds B queries, keys, values and outputs is M ≈ 4 B d: the numbers moved grow as N² d² / M (Dao et al. 2022, theorem 2).",
           run.length.back(), run.ratio(),
           2.0 * static_cast<double>(run.block) / static_cast<double>(run.head_width)),
       Paragraph::say(
           "softmax の 1 行に、すべてのスコアは一度に要りません。最大、和、出力を持ち、最大が上がったら exp(前の最大 − 新しい最大) を掛け直します。",
           "Softmax never needs all scores of a row at once: keep the maximum, the sum and the output so far, and when the maximum rises multiply them by exp(old − new)."),
       Paragraph::misunderstanding(
           "FlashAttention は近似ではなく、演算を減らすのでもありません。減るのは、遅いメモリとの間で移動する数と、保存する数です。",
           "FlashAttention is no approximation and saves no arithmetic: what shrinks is what moves to and from slow memory, and what is stored."),
       Paragraph::note(
           "attnlab 自身の src/attention/streaming もこの方法で、クエリ {} 個ごとに、キー {} 個のタイルを進みます。`attend` は長い系列をこれで計算します。",
           "attnlab's own src/attention/streaming is this: for every {} queries it walks through tiles of {} keys. `attend` computes long sequences with it.",
           queries_at_once, keys_of_tile)});
  return blocks;
}

}  // namespace attnlab
