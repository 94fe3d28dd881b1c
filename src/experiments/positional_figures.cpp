// The figures of `positional`: the encoding, its waves, similarity, the rotation of a shift, rotary encoding.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "core/formula.hpp"
#include "experiments/colour_range.hpp"
#include "experiments/positional_parts.hpp"
#include "experiments/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_wave_positions = 100;  // beyond, the fastest wave is a solid band

std::vector<double> values_of(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

Axis linear_axis(Text label) {
  return {std::move(label), Axis::Scale::linear, {}, {}};
}

/// The wavelength of a column, in positions: 2π base^(2i/d).
double wavelength(const PositionalSettings& settings, std::size_t column) {
  const double exponent = static_cast<double>(column - column % 2) / static_cast<double>(settings.width);
  return 2.0 * pi * std::pow(settings.base, exponent);
}

Text size_and_base(const PositionalSettings& settings) {
  return {fmt::format("位置 {} 個、{} 次元、底 {:g}。", settings.positions, settings.width, settings.base),
          fmt::format("{} positions, {} dimensions, base {:g}.", settings.positions, settings.width,
                      settings.base)};
}

// --- The encoding
// -------------------------------------------------------------------------------------------

Figure encoding_figure(const PositionalRun& run) {
  const HeatMap map{"encoding",
                    to_matrix(run.encoding),
                    {},
                    {},
                    {"位置", "Position"},
                    {"次元", "Dimension"},
                    {Palette::rdbu, -1.0, 1.0, Text::same("")},
                    no_numbers,
                    false};
  const double closest = run.closest.distance;
  return {"encoding",
          {fmt::format("どの位置も違う模様：最も近い 2 つでも距離 {:.3g}", closest),
           fmt::format("Every position has its own pattern: the closest two are {:.3g} apart", closest)},
          {fmt::format(
               "位置エンコーディングのヒートマップ。行は位置 0～{}、列は次元 0～{}、値は −1～1。左の列ほど"
               "細かく振動し、右の列はほとんど変わらない。",
               run.settings.positions - 1, run.settings.width - 1),
           fmt::format(
               "Heat map of the positional encoding: rows are positions 0 to {}, columns dimensions 0 to {}, "
               "values from -1 to 1. Columns on the left oscillate fast, those on the right hardly change.",
               run.settings.positions - 1, run.settings.width - 1)},
          size_and_base(run.settings),
          {{Text::same(""), map}},
          1,
          {},
          {10.0, 6.25}};
}

// --- Waves
// --------------------------------------------------------------------------------------------------

/// Sines from the fastest to the middle of the width: the rest is flat over a few dozen positions.
std::vector<std::size_t> wave_columns(std::size_t width) {
  std::vector<std::size_t> columns;
  for (const std::size_t part : {width, width / 8, width / 4, width / 2}) {
    const std::size_t column = part == width ? 0 : part - part % 2;
    if (columns.empty() || column > columns.back()) columns.push_back(column);
  }
  return columns;
}

Curve wave(const PositionalSettings& settings, std::size_t column, double last, Ink ink) {
  constexpr std::size_t samples = 801;
  Curve curve{fmt::format("wave[{}]", column),
              {},
              {},
              ink,
              {fmt::format("次元 {}", column), fmt::format("dim {}", column)}};
  for (std::size_t i = 0; i < samples; ++i) {
    const double position = last * static_cast<double>(i) / static_cast<double>(samples - 1);
    curve.x.push_back(position);
    curve.y.push_back(std::sin(2.0 * pi * position / wavelength(settings, column)));
  }
  return curve;
}

Figure waves_figure(const PositionalRun& run) {
  const PositionalSettings& settings = run.settings;
  const std::size_t last = std::min(settings.positions, most_wave_positions) - 1;
  Chart chart{linear_axis({"位置", "Position"}), linear_axis({"値", "Value"}), {}};
  std::size_t series = 0;
  for (const std::size_t column : wave_columns(settings.width)) {
    chart.layers.emplace_back(wave(settings, column, static_cast<double>(last), series_ink(series++)));
  }
  const double shortest = wavelength(settings, 0);
  const double longest = wavelength(settings, settings.width - 1);
  const Text title =
      longest > shortest
          ? Text{fmt::format("次元ごとに違う速さの波：波長 {:.1f}～{:.0f}", shortest, longest),
                 fmt::format("Every pair of dimensions is a wave: wavelengths {:.1f} to {:.0f}", shortest,
                             longest)}
          : Text{fmt::format("どの次元も波長 {:.1f} の波", shortest),
                 fmt::format("Every dimension is a wave of wavelength {:.1f}", shortest)};
  return {"waves",
          title,
          {fmt::format(
               "位置に対する正弦波の曲線。低い次元は速く、高い次元は遅く振動する。波長は位置 {:.1f} 個分から "
               "{:.0f} 個分まで。",
               shortest, longest),
           fmt::format(
               "Sine curves over the positions: low dimensions oscillate fast, high ones slowly. Wavelengths "
               "run from {:.1f} to {:.0f} positions.",
               shortest, longest)},
          size_and_base(settings),
          {{Text::same(""), chart}},
          1,
          {},
          {10.0, 6.25}};
}

// --- Similarity
// ---------------------------------------------------------------------------------------------

Text similarity_title(const PositionalRun& run) {
  const std::size_t steps = run.settings.positions - 1;
  if (steps == 1) return {"類似度は隣の位置で下がる", "Similarity falls at the next position"};
  if (run.rises.empty()) {
    return {fmt::format("類似度は k を 1 増やす {} 回すべてで下がる", steps),
            fmt::format("Similarity falls at each of {} steps", steps)};
  }
  return {fmt::format("類似度は単調には下がらない：{} 回のうち {} 回で上がる", steps, run.rises.size()),
          fmt::format("The fall is not monotone: it rises at {} of {} steps", run.rises.size(), steps)};
}

Chart similarity_chart(const PositionalRun& run) {
  const std::size_t n = run.settings.positions;
  Curve curve{"similarity_to_0", {}, {}, series_ink(0), Text::same("")};
  for (std::size_t k = 0; k < n; ++k) {
    curve.x.push_back(static_cast<double>(k));
    curve.y.push_back(run.similarity(0, k));
  }
  Points rises{"rises", {}, {}, series_ink(1), {"前より上がった点", "rises from k − 1"}};
  for (const std::size_t k : run.rises) {
    rises.x.push_back(static_cast<double>(k + 1));
    rises.y.push_back(run.similarity(0, k + 1));
  }
  const std::size_t least = run.least_similar;
  const double lowest = run.similarity(0, least);
  const double highest = *std::max_element(curve.y.begin(), curve.y.end());
  const double margin = 0.12 * (highest - lowest);  // room for the words below the lowest point
  Chart chart{linear_axis({"距離 k", "Distance k"}),
              {{"位置 0 との内積", "Dot product with position 0"},
               Axis::Scale::linear,
               Interval{lowest - margin, highest + margin / 2.0},
               {}},
              {curve}};
  if (!run.rises.empty()) chart.layers.emplace_back(rises);
  chart.layers.emplace_back(
      Points{"minimum", {static_cast<double>(least)}, {lowest}, series_ink(2), Text::same("")});
  chart.layers.emplace_back(Callout{"least",
                                    static_cast<double>(least),
                                    lowest,
                                    {fmt::format("最小 {:.1f}（k = {}）", lowest, least),
                                     fmt::format("min {:.1f} (k = {})", lowest, least)}});
  return chart;
}

Figure similarity_figure(const PositionalRun& run) {
  const Interval range = data_range(run.similarity);
  const HeatMap map{"similarity",
                    to_matrix(run.similarity),
                    {},
                    {},
                    {"位置", "Position"},
                    {"位置", "Position"},
                    {Palette::viridis, range.low, range.high, {"内積", "Dot product"}}};
  const double next = run.similarity(0, 1);
  const double lowest = run.similarity(0, run.least_similar);
  return {"similarity",
          similarity_title(run),
          {fmt::format("1 枚目は位置 0 との内積の曲線：自分自身と {:.1f}、隣と {:.1f}、最小は距離 {} の "
                       "{:.1f}。2 枚目はすべての"
                       "位置の組の内積で、対角線から離れるとおおむね小さくなる。",
                       run.similarity(0, 0), next, run.least_similar, lowest),
           fmt::format(
               "First: dot product with position 0 against the distance: {:.1f} with itself, {:.1f} with its "
               "neighbour, smallest {:.1f} at distance {}. Second: the dot products of all pairs of "
               "positions, equal along each diagonal.",
               run.similarity(0, 0), next, lowest, run.least_similar)},
          size_and_base(run.settings),
          {{{"位置 0 から見た類似度", "Seen from position 0"}, similarity_chart(run)},
           {{"すべての組", "All pairs"}, map}},
          0,
          {},
          {14.0, 6.5}};
}

// --- Rotation
// -----------------------------------------------------------------------------------------------

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

Figure rotation_figure(const PositionalRun& run) {
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

// --- Rotary
// -------------------------------------------------------------------------------------------------

/// A matrix without a colour bar: the numbers only say which dimensions belong together.
MatrixEquation pairs_matrix(const PositionalRun& run) {
  const Interval range = data_range(run.rotary_pairs);
  std::vector<std::string> dimensions;
  for (std::size_t i = 0; i < run.rotary_pairs.shape().back(); ++i) dimensions.push_back(std::to_string(i));
  return {{MatrixTerm{"rotary_pairs",
                      to_matrix(run.rotary_pairs),
                      formula::row({}),
                      "",
                      {Palette::blues, range.low, range.high, Text::same("")},
                      0,
                      {"interleaved", "halves"},
                      dimensions}}};
}

Figure rotary_figure(const PositionalRun& run) {
  const Chart chart{linear_axis({"相対位置 m − n", "Relative position m − n"}),
                    linear_axis({"内積", "Dot product"}),
                    {Curve{"rotary_interleaved", values_of(run.rotary_distance),
                           values_of(run.rotary_interleaved), series_ink(0), Text::same("interleaved")},
                     Curve{"rotary_halves", values_of(run.rotary_distance), values_of(run.rotary_halves),
                           series_ink(1), Text::same("halves"), true}}};
  return {
      "rotary",
      {"回転位置エンコーディング：内積は相対位置 m − n だけで決まる",
       "Rotary encoding: the score depends only on the relative position"},
      {"1 枚目は、位置 m まで回したクエリと位置 n まで回したキーの内積を相対位置 m − n に対して描いた 2 本の"
       "曲線。組み方によって曲線は違うが、どちらも相対位置だけで決まる。2 枚目は 8 次元の例で、同じ番号の 2 "
       "つの"
       "次元が一緒に回る。interleaved は隣どうし、halves は前半と後半。",
       "First: the dot product of a query turned to position m and a key turned to position n, against the "
       "relative position m − n, for both pairings: two different curves, each a function of the relative "
       "position alone. Second: an example of width 8; two dimensions with the same number turn together: "
       "neighbours when interleaved, i and i + 4 in halves."},
      {fmt::format(
           "クエリとキーは乱数（種 {}）。8 次元の例で、interleaved は隣どうし、halves は前半と後半が組。",
           run.settings.seed),
       fmt::format(
           "Random query and key, seed {}. Width 8: interleaved pairs neighbours, halves i and i + 4.",
           run.settings.seed)},
      {{{"回したクエリとキーの内積", "Query · key after turning"}, chart},
       {{"一緒に回る次元（同じ番号が組）", "Which dimensions pair (equal numbers)"}, pairs_matrix(run)}},
      0,
      {},
      {14.0, 6.0}};
}

}  // namespace

std::vector<Figure> positional_figures(const PositionalRun& run) {
  return {encoding_figure(run), waves_figure(run), similarity_figure(run), rotation_figure(run),
          rotary_figure(run)};
}

}  // namespace attnlab
