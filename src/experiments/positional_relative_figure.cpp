// Two projections that `positional` constructs, W_Q = I and W_K = M: their scores depend on m − n alone.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/formula.hpp"
#include "experiments/positional/positional.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_positions = 50;  // every pair of them is a point

/// The first dimensions of a projection: the faster rotations turn visibly.
HeatMap projection_map(const std::string& id, const Tensor<double>& matrix) {
  const std::size_t shown = std::min<std::size_t>(matrix.shape()[1], 8);
  Matrix corner{shown, shown, {}};
  for (std::size_t row = 0; row < shown; ++row) {
    for (std::size_t column = 0; column < shown; ++column) corner.values.push_back(matrix(row, column));
  }
  return {id,
          corner,
          {},
          {},
          {"入力の次元", "Input dimension"},
          {"出力の次元", "Output dimension"},
          {Palette::rdbu, -1.0, 1.0, Text::same("")}};
}

/// One point per pair of positions; all pairs of one distance fall on one point.
Chart scores_chart(const PositionalRun& run) {
  const std::size_t positions = std::min(run.settings.positions, most_positions);
  Points points{"relative_scores", {}, {}, series_ink(0), Text::same("")};
  for (std::size_t m = 0; m < positions; ++m) {
    for (std::size_t n = 0; n < positions; ++n) {
      points.x.push_back(static_cast<double>(m) - static_cast<double>(n));
      points.y.push_back(run.relative_scores(m, n));
    }
  }
  const std::size_t k = run.settings.offset;
  const auto [lowest, highest] = std::minmax_element(points.y.begin(), points.y.end());
  const double margin = 0.06 * (*highest - *lowest);
  constexpr double lines_of_words = 3.0;  // above the points: the name of the rule
  Axis scores = linear_axis({"スコア", "Score"});
  scores.limits = Interval{*lowest - margin, *highest + lines_of_words * margin};
  Chart chart{linear_axis({"相対位置 m − n", "Relative position m − n"}), scores, {std::move(points)}};
  if (k < positions) {
    chart.layers.emplace_back(Rule{"offset", Rule::Direction::vertical, static_cast<double>(k),
                                   Text::same(fmt::format("m − n = {}", k)), series_ink(1)});
  }
  return chart;
}

/// The claim of a maximum only where every query that can look so far back has it there.
Text relative_title(const PositionalRun& run) {
  const std::size_t k = run.settings.offset;
  if (k >= run.settings.positions || run.peaks < run.settings.positions - k) {
    return {"射影を選べば、スコアは相対位置だけで決まる",
            "Projections can score the relative position alone"};
  }
  return {fmt::format("射影を選べば、スコアは相対位置だけで決まる：最大は {} 個前", k),
          fmt::format("Projections can score the relative position alone: {} back is highest", k)};
}

}  // namespace

Figure positional_relative_figure(const PositionalRun& run) {
  const std::size_t positions = std::min(run.settings.positions, most_positions);
  const std::size_t k = run.settings.offset;
  return {
      "relative",
      relative_title(run),
      {fmt::format("1 枚目は W_Q（単位行列）、2 枚目は W_K（{} 進める回転）の先頭の次元。3 枚目は位置 {} 個の"
                   "すべての組のスコアを m − n に対して打った点で、1 本の曲線に重なる。",
                   k, positions),
       fmt::format("First: W_Q, the identity; second: W_K, the rotation that moves on by {}; first "
                   "dimensions of each. Third: the scores of all pairs of {} positions as points over m − n: "
                   "they fall on one curve.",
                   k, positions)},
      {fmt::format("{}行列は先頭の次元。点は {} × {} 組。", size_and_base(run.settings).ja(), positions,
                   positions),
       fmt::format("{} Matrices: first dimensions. Points: {} × {} pairs.", size_and_base(run.settings).en(),
                   positions, positions)},
      {{Text::same("W_Q = I"), projection_map("w_query", run.w_query)},
       {Text::same("W_K = M"), projection_map("w_key", run.w_key)},
       {{"すべての組のスコア", "Scores of all pairs"}, scores_chart(run)}},
      0,
      {},
      {16.0, 6.0}};
}

}  // namespace attnlab
