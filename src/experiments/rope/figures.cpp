// The figures of `rope`: pairs on their circles, scores by distance, waves against the length trained on,
// longer contexts, and the two pairings.
#include "experiments/rope/rope.hpp"

namespace attnlab {
namespace {

/// The first, the last, and two between them.
std::vector<std::size_t> shown_pairs(const RopeRun& run) {
  const std::size_t last = run.pairs() - 1;
  std::vector<std::size_t> pairs{0, last / 3, 2 * last / 3, last};
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// Positions 0 to the distance on the unit circle, with an arrow to the last.
Chart circle_of(const RopeRun& run, std::size_t pair) {
  const std::string id = fmt::format("pair[{}]", pair);
  Points points{id, {}, {}, series_ink(0)};
  for (std::size_t m = 0; m <= run.distance; ++m) {
    const double angle = static_cast<double>(m) * run.frequencies(pair);
    points.x.push_back(std::cos(angle));
    points.y.push_back(std::sin(angle));
  }
  const Arrow arrow{points.x.back(), points.y.back(), Text::none(), {}, series_ink(1)};
  Chart chart{Axis{Text::none()}.within(-1.6, 1.6), Axis{Text::none()}.within(-1.6, 1.6)};
  chart.layers = {Circle{id + ".circle"}, std::move(points), Arrows{id + ".arrow", {arrow}}};
  chart.equal_units = true;
  return chart;
}

std::string degrees(const RopeRun& run, std::size_t pair) {
  const double turned = static_cast<double>(run.distance) * run.frequencies(pair) * 180.0 / pi;
  return turned < 999.5 ? fmt::format("{:.3g}°", turned) : fmt::format("{:.0f}°", turned);
}

Text turns_title(const RopeRun& run) {
  const std::size_t last = run.pairs() - 1;
  if (last == 0)
    return text("位置 {} で、組 0 は {} 回っている", "At position {}, pair 0 has turned by {}", run.distance,
                degrees(run, 0));
  return text("位置 {} で、組 {} は {}、組 0 は {} 回っている",
              "At position {}, pair {} has turned by {}, pair 0 by {}", run.distance, last,
              degrees(run, last), degrees(run, 0));
}

Figure turns_figure(const RopeRun& run) {
  std::vector<Panel> circles;
  for (const std::size_t pair : shown_pairs(run))
    circles.push_back({text("組 {}：{}", "Pair {}: {}", pair, degrees(run, pair)), circle_of(run, pair)});
  return Figure{"turns", turns_title(run)}
      .described(text(
          "座標の組ごとに単位円が 1 つ。位置 0 から {} までの点と、最後の位置への矢印。番号の大きい組ほどゆっくり回る。",
          "A unit circle for each pair of coordinates, with points for positions 0 to {} and an arrow to the last. The higher its number, the slower a pair turns.",
          run.distance))
      .captioned(text("点：位置 0～{0}、矢印：位置 {0}。底 {1:.10g}、d = {2}。",
                      "Points: positions 0 to {0}; arrow: position {0}. Base {1:.10g}, d = {2}.",
                      run.distance, run.base, run.width))
      .all_panels(std::move(circles))
      .on_page(14.0, 5.0);
}

Text query_and_key(const RopeRun& run) {
  return text("クエリとキーは 1 つずつ（{}）。", "One query and one key. {}.", run.tape.described());
}

Figure distance_figure(const RopeRun& run) {
  const std::vector<double> distances = counting(run.by_distance.size());
  const double marked = run.by_distance(run.distance);
  ColourScale colours = signed_scale(run.scores);
  colours.label = {"スコア", "Score"};
  return Figure{"distance", text("距離 {} なら、どこでもスコアは {:.3g}",
                                 "At distance {} the score is {:.3g} everywhere", run.distance, marked)}
      .described(text(
          "左：位置 m に回したクエリと位置 n に回したキーの内積のヒートマップ。どの対角線も 1 色。右：m − n に対する曲線と、回さないとき（NoPE）の水平線 {:.3g}。",
          "Left: a heat map of the products of a query turned to m and a key turned to n; every diagonal has one colour. Right: the curve against m − n, and a level line at {:.3g} without turning, NoPE.",
          run.unturned))
      .captioned(text("{}対角線上の差は、両者の長さの積に対して {}。",
                      "{} Differences along a diagonal, by both lengths: {}.", query_and_key(run),
                      difference_text(run.deviation)))
      .panel({"位置 m と n のスコア", "Score of positions m and n"}, HeatMap{"scores", to_matrix(run.scores)}
                                                                         .rows({"クエリ m", "Query m"})
                                                                         .columns({"キー n", "Key n"})
                                                                         .coloured(colours))
      .panel({"m − n に対して", "Against m − n"},
             Chart{Axis{{"距離 m − n", "Distance m − n"}},
                   Axis{{"スコア", "Score"}},
                   {Curve{"by_distance", distances, values_of(run.by_distance), series_ink(0),
                          Text::same("RoPE")},
                    Curve{"unturned",
                          {0.0, distances.back()},
                          {run.unturned, run.unturned},
                          muted_ink,
                          Text::same("NoPE"),
                          true},
                    Points{"marked", {distances[run.distance]}, {marked}, series_ink(1)}}})
      .on_page(14.0, 6.0);
}

Figure wavelengths_figure(const RopeRun& run) {
  const std::size_t count = run.unfinished();
  const Text title =
      count == 0
          ? text("長さ {:.10g} のうちに、{} 組すべてが 1 周する",
                 "Within {:.10g} positions all {} pairs finish a turn", run.length, run.pairs())
          : text("{} 組のうち {} 組は、長さ {:.10g} のうちに 1 周しない",
                 "No full turn within {2:.10g} positions: {1} of {0} pairs", run.pairs(), count, run.length);
  return Figure{"wavelengths", title}
      .described(text(
          "縦軸が対数のグラフ。組の番号に対する波長 2π/θ。{:.3g} から {:.3g} まで。水平線は学習した長さ {:.10g}。",
          "Chart with a logarithmic axis: the wavelength 2π/θ of each pair, from {:.3g} to {:.3g}. A level line marks the length trained on, {:.10g}.",
          run.wavelengths(0), run.wavelengths.back(), run.length))
      .captioned(text("波長：1 周する位置の数。底 {:.10g}、d = {}。",
                      "Wavelength: positions of a full turn. Base {:.10g}, d = {}.", run.base, run.width))
      .panel(Chart{Axis{{"組 i", "Pair i"}},
                   Axis{{"波長（位置）", "Wavelength in positions"}, Axis::Scale::log10},
                   {Points{"wavelengths", counting(run.pairs()), values_of(run.wavelengths), series_ink(0)},
                    Rule{"length", Rule::Direction::horizontal, run.length,
                         text("学習した長さ {:.10g}", "trained length {:.10g}", run.length)}}});
}

Figure scaling_figure(const RopeRun& run) {
  const double factor = run.ways.front().factor;
  Chart chart{Axis{{"組 i", "Pair i"}}, Axis{{"元の周波数との比", "Frequency, relative"}}.within(0.0, 1.1)};
  for (std::size_t way = 1; way < run.ways.size(); ++way) {
    std::vector<double> ratio = values_of(run.scaled, way);
    for (std::size_t i = 0; i < ratio.size(); ++i) ratio[i] /= run.frequencies(i);
    const Text& name = rotary_method(run.ways[way].method)->title;
    if (run.pairs() == 1)  // no line leads from one pair to another
      chart.layers.emplace_back(
          Points{fmt::format("way[{}]", way), {0.0}, std::move(ratio), series_ink(way - 1), name});
    else
      chart.layers.emplace_back(Curve{fmt::format("way[{}]", way), counting(run.pairs()), std::move(ratio),
                                      series_ink(way - 1), name});
  }
  return Figure{"scaling", factor == 1.0 ? Text{"s = 1 なら、どの方法も周波数を変えない",
                                                "With s = 1 no way changes a frequency"}
                                         : text("文脈を {:.10g} 倍にする 4 つの方法",
                                                "Four ways to a {:.10g} times longer context", factor)}
      .described(text(
          "組の番号に対する、元の周波数との比の曲線 4 本。補間はすべての組を 1/{0:.10g} に、NTK はなだらかに、Llama 3 と YaRN は速い組をそのままにして遅い組を 1/{0:.10g} にする。",
          "Four curves of each pair's frequency relative to the one trained. Interpolation slows every pair to 1/{0:.10g}, NTK by degrees; Llama 3 and YaRN keep the fast pairs and slow the slow ones to 1/{0:.10g}.",
          factor))
      .captioned(
          text("L = {:.10g}、s = {:.10g}、底 {:.10g}。YaRN はクエリとキーを {:.4g} 倍する。",
               "L = {:.10g}, s = {:.10g}, base {:.10g}. YaRN also multiplies queries and keys by {:.4g}.",
               run.length, factor, run.base, run.attention.back()))
      .panel(std::move(chart));
}

Figure pairings_figure(const RopeRun& run) {
  const std::vector<double> distances = counting(run.by_distance.size());
  const double most = largest_difference(run.by_distance, run.confused);
  return Figure{"pairings",
                run.pairs() == 1
                    ? Text{"組が 1 つなら、組み方も 1 つ", "One pair can be paired in one way only"}
                    : text("組み方を取り違えると、スコアは最大 {:.3g} ずれる",
                           "With the wrong pairing scores are off by up to {:.3g}", most)}
      .described(text(
          "距離に対するスコアの曲線 2 本：前半と後半の組と、同じ重みを隣どうしの組で回したもの。距離 0 では等しく、ほかでは最大 {:.3g} 違う。座標を並べ替えた点は最初の曲線に載る。",
          "Two curves of the score against the distance: pairs of halves, and the same weights turned in neighbouring pairs. They agree at distance 0 and differ by up to {:.3g}. Points of reordered coordinates lie on the first curve.",
          most))
      .captioned(query_and_key(run))
      .panel(Chart{Axis{{"距離 m − n", "Distance m − n"}},
                   Axis{{"スコア", "Score"}},
                   {Curve{"by_distance",
                          distances,
                          values_of(run.by_distance),
                          series_ink(0),
                          {"学習した組 (i, i + d/2)", "as trained: (i, i + d/2)"}},
                    Curve{"confused",
                          distances,
                          values_of(run.confused),
                          series_ink(1),
                          {"取り違え (2i, 2i + 1)", "wrong: (2i, 2i + 1)"},
                          true},
                    Points{"reordered",
                           distances,
                           values_of(run.reordered),
                           series_ink(2),
                           {"並べ替えて (2i, 2i + 1)", "reordered, (2i, 2i + 1)"}}}});
}

}  // namespace

std::vector<Figure> figures(const RopeRun& run) {
  return {turns_figure(run), distance_figure(run), wavelengths_figure(run), scaling_figure(run),
          pairings_figure(run)};
}

}  // namespace attnlab
