// Moving on by k positions as a matrix of rotations, and the scores that it makes possible.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "experiments/framework/colour_range.hpp"
#include "experiments/positional/positional.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

/// The first rows and columns: the faster half of the rotations turns visibly, the rest is close to 1.
Matrix leading_corner(const Tensor<double>& matrix, std::size_t size) {
  Matrix corner{size, size, {}};
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) corner.values.push_back(matrix(row, column));
  }
  return corner;
}

Panel look_back_panel(const PositionalRun& run) {
  const Interval range = data_range(run.relative_scores);
  const std::size_t k = run.settings.offset;
  return {{fmt::format("{} 個前を見るスコア", k), fmt::format("Looking {} back", k)},
          HeatMap{"relative_scores",
                  to_matrix(run.relative_scores),
                  {},
                  {},
                  {"クエリの位置", "Query position"},
                  {"キーの位置", "Key position"},
                  {Palette::viridis, range.low, range.high, {"スコア", "Score"}}}};
}

Text look_back_description(const PositionalRun& run) {
  const std::size_t k = run.settings.offset;
  if (k >= run.settings.positions) return Text::same("");
  const std::size_t queries = run.settings.positions - k;
  return {
      fmt::format("2 枚目はその行列をキーの射影にしたときのスコアで、位置 {0} 以降のクエリ {1} 個のうち {2} "
                  "個では {0} 個前のキーが最大になり、対角線に平行な帯に見える。",
                  k, queries, run.peaks),
      fmt::format(" Second: the scores when this matrix projects the keys: for {2} of {1} queries the key "
                  "{0} back is the largest, a bright band along the diagonal.",
                  k, queries, run.peaks)};
}

}  // namespace

Figure positional_rotation_figure(const PositionalRun& run) {
  const std::size_t shown = std::min<std::size_t>(run.even_width, 16);
  const std::size_t k = run.settings.offset;
  const HeatMap shift{
      "shift_matrix",        leading_corner(run.shift, shown),          {}, {}, {"次元", "Dimension"},
      {"次元", "Dimension"}, {Palette::rdbu, -1.0, 1.0, Text::same("")}};
  std::vector<Panel> panels{{{fmt::format("{} 進める行列", k), fmt::format("Shift by {}", k)}, shift}};
  if (k < run.settings.positions) panels.push_back(look_back_panel(run));
  const Text look_back = look_back_description(run);
  return {
      "rotation",
      {fmt::format("位置を {} 進めることは、どの位置でも同じ回転", k),
       fmt::format("Moving on by {} is the same rotation everywhere", k)},
      {fmt::format("1 枚目は位置を {0} 進める {1} × {1} の行列の先頭 {2} 次元。対角線に沿って 2 × 2 の回転が"
                   "並ぶ。{3}",
                   k, run.even_width, shown, look_back.ja()),
       fmt::format(
           "First: the first {2} dimensions of the {1} by {1} matrix that moves a position on by {0}: "
           "2 by 2 rotations along the diagonal.{3}",
           k, run.even_width, shown, look_back.en())},
      {fmt::format("{}行列は先頭の {} 次元。", size_and_base(run.settings).ja(), shown),
       fmt::format("{} Matrix: its first {} dimensions.", size_and_base(run.settings).en(), shown)},
      panels,
      0,
      {},
      {14.0, 6.5}};
}

}  // namespace attnlab
