// The figures of `flash`: the row after some of its tiles, what the factors are for, and the numbers moved.
#include "experiments/flash/flash.hpp"

namespace attnlab {
namespace {

/// The keys begin ... end - 1 as points; masked ones have none.
Points scores_of(const FlashRun& run, const char* id, std::size_t begin, std::size_t end, Ink ink,
                 Text name) {
  Points points{id, {}, {}, ink, std::move(name), {"masked"}};
  for (std::size_t key = begin; key < end; ++key) {
    if (std::isinf(run.masked(key))) continue;
    points.x.push_back(static_cast<double>(key));
    points.y.push_back(run.masked(key));
  }
  return points;
}

/// The maximum as steps, with the factor where it rises; a dashed line before each tile but the first.
Chart scores_chart(const FlashRun& run) {
  constexpr std::size_t most_called = 6;
  constexpr std::size_t most_parted = 32;
  const std::size_t keys = run.masked.size();
  const std::size_t read = std::min(run.shown * run.tile, keys);
  Curve maximum{"maximum", {}, {}, series_ink(1), {"これまでの最大 m", "maximum so far, m"}};
  Chart chart{Axis{{"キー", "Key"}}.within(-0.5, static_cast<double>(keys) - 0.5), Axis{{"スコア", "Score"}}};
  for (std::size_t t = 0; t < run.shown; ++t) {
    const double begin = static_cast<double>(t * run.tile) - 0.5;
    const double end = static_cast<double>(std::min((t + 1) * run.tile, keys)) - 0.5;
    if (t > 0 && run.shown <= most_parted)
      chart.layers.emplace_back(
          Rule{fmt::format("tile[{}]", t), Rule::Direction::vertical, begin, Text::none()});
    if (std::isinf(run.maximum(t))) continue;
    maximum.x.insert(maximum.x.end(), {begin, end});
    maximum.y.insert(maximum.y.end(), {run.maximum(t), run.maximum(t)});
    if (run.rises_at(t) && run.rescalings() <= most_called)
      chart.layers.emplace_back(Callout{fmt::format("factor[{}]", t), begin, run.maximum(t),
                                        Text::same(fmt::format("f = {:.2g}", run.factor(t)))});
  }
  if (!maximum.x.empty()) chart.layers.emplace_back(std::move(maximum));
  chart.layers.emplace_back(scores_of(run, "read", 0, read, series_ink(0), {"スコア", "scores"}));
  if (read < keys)
    chart.layers.emplace_back(
        scores_of(run, "rest", read, keys, muted_ink, {"まだのスコア", "not read yet"}));
  return chart;
}

HeatMap output_map(std::string id, const Tensor<double>& rows, const ColourScale& scale) {
  return HeatMap{std::move(id), to_matrix(rows)}.columns({"次元", "Width"}).coloured(scale).with_numbers(3);
}

Text tiles_title(const FlashRun& run) {
  const std::size_t last = run.shown - 1;
  if (run.shown < run.tiles() && std::isinf(run.maximum(last)))
    return text("タイル {} / {} まで：キーはすべてマスクされている",
                "After {} of {} tiles: all keys so far are masked", run.shown, run.tiles());
  if (run.shown < run.tiles())
    return text("タイル {} / {} まで：最大 {:.3g}、和 {:.3g}",
                "After {} of {} tiles: maximum {:.3g}, sum {:.3g}", run.shown, run.tiles(), run.maximum(last),
                run.sum(last));
  return text("タイルごとに計算しても出力は同じ：差は {:.0f} ulp 以内",
              "Tile by tile the output is the same, within {:.0f} ulp", run.within_ulps());
}

Figure tiles_figure(const FlashRun& run) {
  std::vector<ShortText> names;
  for (std::size_t t = 0; t < run.shown; ++t) names.emplace_back(fmt::format("s = {:.3g}", run.sum(t)));
  return Figure{"tiles", tiles_title(run)}
      .described(text(
          "左：{} 個のキーのスコアの点と、タイルごとに上がる最大の段。右：各タイルの後の出力のヒートマップ。行の名は exp の和 s。",
          "Left: the scores of {} keys as points, and steps for the maximum after each tile. Right: a heat map of the output after each tile; its rows are named by s, the sum of exp.",
          run.masked.size()))
      .captioned(text("{}。1 タイルはキー {} 個。s は exp(S − m) の和、f は最大が上がったときの係数。",
                      "{}. {} keys in a tile. s: sum of exp(S − m); f: the factor where the maximum rises.",
                      run.tape.described(), run.tile))
      .panel({"スコアと最大", "Scores and the maximum"}, scores_chart(run))
      .panel({"各タイルの後の出力", "Output after each tile"},
             output_map("tile_output", xt::view(run.outputs, xt::range(0, run.shown), xt::all()),
                        signed_scale(run.outputs))
                 .rows({"タイルの後の和 s", "Sum after the tile"}, std::move(names)))
      .on_page(14.0, 6.0);
}

Figure rescaling_figure(const FlashRun& run) {
  const double error = largest_difference(run.without, run.plain);
  std::vector<double> rows = values_of(run.outputs, run.tiles() - 1);
  for (const Tensor<double>* other : {&run.plain, &run.without})
    rows.insert(rows.end(), other->begin(), other->end());
  const Tensor<double> compared = to_tensor(rows, {3, run.plain.size()});
  return Figure{"rescaling", run.rescalings() == 0
                                 ? Text{"最初のタイルに最大があれば、掛け直しは要らない",
                                        "With the maximum in the first tile nothing is rescaled"}
                                 : text("係数 f を省くと、出力は {:.2g} ずれる",
                                        "Without the factors f the output is off by {:.2g}", error)}
      .described(text(
          "3 行のヒートマップ：タイルごとの出力、行全体の softmax の出力、係数 f を省いた出力。{}",
          "A heat map of three rows: the output by tiles, that of softmax over the whole row, and that without the factors f. {}",
          run.rescalings() == 0
              ? Text{"3 行とも同じ。", "All three are the same."}
              : text("最後の行だけが {:.3g} ずれる。", "The last one is off by {:.3g}.", error)))
      .captioned(text("{}。掛け直し {} 回。", "{}. Rescalings: {}.", run.tape.described(), run.rescalings()))
      .panel(output_map("comparison", compared, signed_scale(compared))
                 .rows(Text::none(),
                       {Text{"タイル", "tiles"}, Text{"行全体", "whole row"}, Text{"f なし", "without f"}}));
}

Figure traffic_figure(const FlashRun& run) {
  const std::vector<double> lengths = values_of(run.length);
  const Text title =
      run.ratio() >= 1.005  // below it three digits say 1
          ? text("長さ {:.0f} では、タイルで移動する数は {:.3g} 分の 1",
                 "At length {:.0f}, tiles move {:.3g} times fewer numbers", lengths.back(), run.ratio())
          : text("長さ {:.0f} では、タイルで移動する数は減らない（B = {}）",
                 "At length {:.0f}, tiles of B = {} move no fewer numbers", lengths.back(), run.block);
  return Figure{"traffic", title}
      .described(text(
          "両軸が対数のグラフ。系列長 N に対する、遅いメモリとの間で移動する数。長さ {:.0f} で、行列を保存すると {:.3g}、タイルでは {:.3g}。",
          "Chart with logarithmic axes: numbers moved to and from slow memory against the length N. At length {:.0f}: {:.3g} with stored matrices, {:.3g} with tiles.",
          lengths.back(), run.moved_plain.back(), run.moved_tiles.back()))
      .captioned(text("遅いメモリから読む数と書く数の合計。1 ヘッド、d = {}、B = {}。",
                      "Numbers read from and written to slow memory. One head, d = {}, B = {}.",
                      run.head_width, run.block))
      .panel(Chart{Axis{{"系列長 N", "Length N"}, Axis::Scale::log10},
                   Axis{{"移動する数", "Numbers moved"}, Axis::Scale::log10},
                   {Curve{"moved_plain",
                          lengths,
                          values_of(run.moved_plain),
                          series_ink(1),
                          {"行列を保存：4N² + 4Nd", "matrices stored: 4N² + 4Nd"}},
                    Curve{"moved_tiles",
                          lengths,
                          values_of(run.moved_tiles),
                          series_ink(0),
                          {"タイル：Nd(2 + 2⌈N/B⌉)", "tiles: Nd(2 + 2⌈N/B⌉)"}}}});
}

}  // namespace

std::vector<Figure> figures(const FlashRun& run) {
  return {tiles_figure(run), rescaling_figure(run), traffic_figure(run)};
}

}  // namespace attnlab
