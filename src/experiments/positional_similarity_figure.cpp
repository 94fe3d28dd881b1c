// Which positions `positional` makes similar: near ones on the whole, but not in order.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "experiments/framework/colour_range.hpp"
#include "experiments/positional/positional.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

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

}  // namespace

Figure positional_similarity_figure(const PositionalRun& run) {
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

}  // namespace attnlab
