// The pictures of the vectors experiment: arrows by weight, and bars.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "experiments/vectors/vectors.hpp"

namespace attnlab {

std::string degrees_text(double degrees) {
  return fmt::format("{}{:.4g}°", degrees < 0.0 ? "−" : "", std::abs(degrees));
}

std::string coordinate_text(double value) {
  return fmt::format("{}{:.3f}", value < -0.0005 ? "−" : "", std::abs(value));
}

std::vector<std::string> key_angles(const VectorsRun& run) {
  std::vector<std::string> angles;
  const std::size_t count = run.vectors.shape().front();
  for (std::size_t i = 0; i < count; ++i) angles.push_back(degrees_text(degrees_of(run, i)));
  return angles;
}

ColourScale weight_scale(double highest) {
  return {Palette::blues, 0.0, highest, {"注意度", "Weight"}};
}

Text angles_text(const VectorsRun& run, const std::vector<std::size_t>& keys) {
  if (keys.size() > 2) return {fmt::format("{} 個", keys.size()), fmt::format("{}", keys.size())};
  const std::string first = degrees_text(degrees_of(run, keys.front()));
  if (keys.size() == 1) return Text::same(first);
  const std::string second = degrees_text(degrees_of(run, keys.back()));
  return {first + " と " + second, first + " and " + second};
}

namespace {

// Above this, labels at every arrow tip would hide the arrows.
constexpr std::size_t most_labelled_arrows = 16;

// Half an axis in units of what is shown: labels beside the tips are wider than they are high.
constexpr double label_room = 0.82;
constexpr double line_room = 0.65;

const Text nothing = Text::same("");

std::vector<double> first_row(const Tensor<double>& matrix) {
  const double* row = &matrix(0, 0);
  return {row, row + matrix.shape().back()};
}

// --- Arrows ----------------------------------------------------------------------------------------------

Arrow query_arrow(const VectorsRun& run) {
  const Tensor<double>& queries = run.asked.queries;
  return {queries(0, 0), queries(0, 1), {"クエリ", "query"}, std::nullopt, series_ink(1), true};
}

Arrow output_arrow(const Tensor<double>& output) {
  return {output(0, 0), output(0, 1), {"出力", "output"}, std::nullopt, series_ink(2), false};
}

/// Keys coloured by the first query's weights; `labels` has one text per key.
Arrows key_arrows(const std::string& id, const Tensor<double>& vectors, const std::vector<double>& weights,
                  const std::vector<std::string>& labels, double highest) {
  Arrows arrows{id, {}, weight_scale(highest)};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    arrows.arrows.push_back(
        {vectors(i, 0), vectors(i, 1), Text::same(labels[i]), weights[i], foreground_ink, false});
  }
  return arrows;
}

/// From the smallest to the largest coordinate of the vectors (n, 2) and of the unit circle.
Interval extent_of(const Tensor<double>& vectors, std::size_t coordinate) {
  Interval extent{-1.0, 1.0};
  for (std::size_t i = 0; i < vectors.shape().front(); ++i) {
    extent.low = std::min(extent.low, vectors(i, coordinate));
    extent.high = std::max(extent.high, vectors(i, coordinate));
  }
  return extent;
}

/// `half` to either side of what is shown. Both axes follow the longer extent, so that panels side by side
/// have one size.
Axis plane_axis(const std::string& label, const Interval& extent, double half) {
  const double middle = (extent.low + extent.high) / 2.0;
  return {Text::same(label), Axis::Scale::linear, Interval{middle - half, middle + half}, {}};
}

Panel plane_panel(Text title, double room, const Tensor<double>& vectors, const Arrows& keys, Arrow query,
                  Arrow output) {
  const Interval x = extent_of(vectors, 0);
  const Interval y = extent_of(vectors, 1);
  const double length = std::max(x.high - x.low, y.high - y.low);
  Arrows both{keys.id + ".answer", {std::move(query), std::move(output)}, std::nullopt};
  return {std::move(title), Chart{plane_axis("x", x, room * length),
                                  plane_axis("y", y, line_room * length),
                                  {Circle{keys.id + ".unit", 1.0}, keys, std::move(both)},
                                  true}};
}

/// How many digits tell weights apart of which the largest is `highest`: 5 among hundreds of keys.
int weight_decimals(double highest) {
  return highest < 0.01 ? 5 : 3;
}

std::string weight_text(double weight, double highest) {
  return fmt::format("{:.{}f}", weight, weight_decimals(highest));
}

/// "v2  0.212": the book counts its vectors from 1.
std::string key_label(std::ptrdiff_t number, const std::string& weight) {
  return fmt::format("v{}  {}", number, weight);
}

std::vector<std::string> weight_labels(const std::vector<double>& weights) {
  const auto best = std::max_element(weights.begin(), weights.end());
  const auto least = std::min_element(weights.begin(), weights.end());
  std::vector<std::string> labels;
  for (auto weight = weights.begin(); weight != weights.end(); ++weight) {
    const bool labelled = weights.size() <= most_labelled_arrows || weight == best || weight == least;
    labels.push_back(labelled ? key_label(weight - weights.begin() + 1, weight_text(*weight, *best)) : "");
  }
  return labels;
}

/// Empty for the usual single query.
Text one_of_several(const VectorsRun& run) {
  if (run.asked.degrees.size() == 1) return nothing;
  return {fmt::format("{} 個のクエリのうち最初のもの。", run.asked.degrees.size()),
          fmt::format("The first of {} queries.", run.asked.degrees.size())};
}

Figure arrows(const VectorsRun& run) {
  const std::vector<double> weights = first_row(run.asked.attention.weights);
  const Tensor<double>& output = run.asked.attention.output;
  const std::size_t best = largest_key(run.asked.attention.weights, 0);
  const std::string largest = weight_text(weights[best], weights[best]);
  const std::string query = degrees_text(run.asked.degrees.front());
  const Text nearest = angles_text(run, largest_keys(run.asked.attention.weights, 0));
  return {
      "arrows",
      {fmt::format("近いキーほど注意度が大きい（最大 {}）", largest),
       fmt::format("The nearer the key, the larger its weight (up to {})", largest)},
      {fmt::format("原点から出る長さ 1 の矢印 {} 本を注意度で色分けした図。{} のクエリに最も近い {} "
                   "の注意度が {} で最大。出力は ({}, {})。",
                   weights.size(), query, nearest.ja(), largest, coordinate_text(output(0, 0)),
                   coordinate_text(output(0, 1))),
       fmt::format(
           "{} arrows of length 1 from the origin, coloured by weight. The one at {}, nearest to the query "
           "at {}, has the largest weight, {}. The output is ({}, {}).",
           weights.size(), nearest.en(), query, largest, coordinate_text(output(0, 0)),
           coordinate_text(output(0, 1)))},
      one_of_several(run),
      {plane_panel(nothing, label_room, run.vectors,
                   key_arrows("vectors", run.vectors, weights, weight_labels(weights), weights[best]),
                   query_arrow(run), output_arrow(output))},
      1,
      std::nullopt,
      {10.0, 7.5}};
}

std::vector<std::string> label_of_one(const std::vector<double>& weights, std::size_t index) {
  std::vector<std::string> labels(weights.size());
  labels[index] = key_label(static_cast<std::ptrdiff_t>(index) + 1, fmt::format("{:.3f}", weights[index]));
  return labels;
}

Figure long_vector(const VectorsRun& run, const Lengthened& one) {
  const AttentionStages<double>& equal = run.asked.attention;
  const std::vector<double> before = first_row(equal.weights);
  const std::vector<double> after = first_row(one.attention.weights);
  const double highest = std::max(*std::max_element(before.begin(), before.end()),
                                  *std::max_element(after.begin(), after.end()));
  const WeightChange& change = one.change;
  const std::size_t name = change.index + 1;
  return {
      "long",
      {fmt::format("v{} の長さを {:g} にすると、注意度は {:.3f} から {:.3f} へ", name, one.length,
                   change.before, change.after),
       fmt::format("v{} at length {:g}: its weight goes from {:.3f} to {:.3f}", name, one.length,
                   change.before, change.after)},
      {fmt::format(
           "左はすべての長さが 1 のとき、右は v{} だけ長さ {:g} のときの注意度で色分けした矢印。出力は "
           "({}, {}) から "
           "({}, {}) に移る。",
           name, one.length, coordinate_text(equal.output(0, 0)), coordinate_text(equal.output(0, 1)),
           coordinate_text(one.attention.output(0, 0)), coordinate_text(one.attention.output(0, 1))),
       fmt::format(
           "Arrows coloured by weight; left, all of length 1, right, v{} of length {:g}. The output moves "
           "from ({}, {}) to ({}, {}).",
           name, one.length, coordinate_text(equal.output(0, 0)), coordinate_text(equal.output(0, 1)),
           coordinate_text(one.attention.output(0, 0)), coordinate_text(one.attention.output(0, 1)))},
      one_of_several(run),
      {plane_panel({"すべて長さ 1", "All of length 1"}, line_room, run.vectors,
                   key_arrows("vectors", run.vectors, before, label_of_one(before, change.index), highest),
                   query_arrow(run), output_arrow(equal.output)),
       plane_panel({fmt::format("v{} だけ長さ {:g}", name, one.length),
                    fmt::format("v{} of length {:g}", name, one.length)},
                   line_room, one.vectors,
                   key_arrows("long_vectors", one.vectors, after, label_of_one(after, change.index), highest),
                   query_arrow(run), output_arrow(one.attention.output))},
      2,
      weight_scale(highest),
      {12.0, 6.75}};
}

// --- Bars ------------------------------------------------------------------------------------------------

Figure bars(const VectorsRun& run) {
  const std::vector<double> weights = first_row(run.asked.attention.weights);
  const std::size_t best = largest_key(run.asked.attention.weights, 0);
  const std::string largest = weight_text(weights[best], weights[best]);
  const double least = *std::min_element(weights.begin(), weights.end());
  const std::string smallest = weight_text(least, weights[best]);
  const auto nearest_keys = largest_keys(run.asked.attention.weights, 0);
  const Text nearest = angles_text(run, nearest_keys);
  const auto spoken_of = nearest_keys.size() == 1 ? std::optional<std::size_t>(best) : std::nullopt;
  return {"bars",
          {fmt::format("注意度の和は 1、最大は {} の {}", nearest.ja(), largest),
           fmt::format("The weights sum to 1; the largest, {}, is at {}", largest, nearest.en())},
          {fmt::format("{} 個のキーの注意度の棒グラフ。{} で最大 {}、最小は {}。", weights.size(),
                       nearest.ja(), largest, smallest),
           fmt::format("Bar chart of the weights of {} keys: the largest is {} at {}, the smallest {}.",
                       weights.size(), largest, nearest.en(), smallest)},
          one_of_several(run),
          {{nothing, Chart{{{"キーの角度", "Angle of the key"},
                            Axis::Scale::linear,
                            std::nullopt,
                            short_texts(key_angles(run))},
                           {{"注意度", "Weight"}, Axis::Scale::linear, std::nullopt, {}},
                           {Bars{"weights", weights, series_ink(0), std::nullopt,
                                 weight_decimals(weights[best]), spoken_of}}}}},
          1,
          std::nullopt,
          {}};
}

}  // namespace

std::vector<Figure> vectors_figures(const VectorsRun& run) {
  std::vector<Figure> figures{arrows(run), bars(run)};
  if (fits_matrix_figures(run)) figures.push_back(matrix_figure(run));
  figures.push_back(word_figure());
  if (run.lengthened) figures.push_back(long_vector(run, *run.lengthened));
  if (fits_matrix_figures(run)) figures.push_back(queries_figure(run));
  return figures;
}

}  // namespace attnlab
