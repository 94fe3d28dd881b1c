// The pictures of the softmax experiment: before and after, overflow, the global maximum, temperature.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "experiments/softmax/softmax.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

std::vector<double> plain(const Tensor<double>& tensor) {
  return {tensor.begin(), tensor.end()};
}

std::vector<std::string> indices(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

/// The fewest digits, up to 3, that show every value exactly enough to be recognised.
int decimals_for(const Tensor<double>& values) {
  for (int decimals = 0; decimals < 3; ++decimals) {
    const double unit = std::pow(10.0, decimals);
    const bool enough = std::all_of(values.begin(), values.end(), [unit](double value) {
      return std::abs(std::round(value * unit) - value * unit) < 1e-6 * unit;
    });
    if (enough) return decimals;
  }
  return 3;
}

Axis value_axis(Text label, std::optional<Interval> limits, Axis::Scale scale = Axis::Scale::linear) {
  return {std::move(label), scale, limits, {}};
}

/// One axis for weights, with room for the numbers at the bars but no tick above 1.
Axis weight_axis(const Tensor<double>& weights) {
  const double highest = *std::max_element(weights.begin(), weights.end());
  return value_axis({"注意度", "Weight"}, Interval{0.0, std::min(1.3 * highest, 1.19)});
}

Panel bar_panel(Text title, const std::string& id, const std::vector<double>& values, int decimals, Axis y,
                Ink ink) {
  Axis x{{"キー", "Key"}, Axis::Scale::linear, std::nullopt, short_texts(indices(values.size()))};
  return {std::move(title),
          Chart{std::move(x), std::move(y), {Bars{id, values, ink, std::nullopt, decimals}}}};
}

Figure bars(const SoftmaxRun& run) {
  const auto best =
      static_cast<std::size_t>(std::max_element(run.scores.begin(), run.scores.end()) - run.scores.begin());
  const auto least =
      static_cast<std::size_t>(std::min_element(run.scores.begin(), run.scores.end()) - run.scores.begin());
  // exp of a score far below the maximum underflows to exactly 0
  const bool positive = run.weights(least) > 0.0;
  Text title = positive ? Text{"softmax：大小関係はそのまま、すべて正、和は 1",
                               "Softmax: same order, all positive, sum 1"}
                        : Text{"softmax：大小関係は逆転せず、負の値はなく、和は 1",
                               "Softmax: no order reversed, none negative, sum 1"};
  Text description{fmt::format("左はスコア、右は注意度の棒グラフ。最大のスコア {:g} は注意度 "
                               "{:.3f}、最小のスコア {:g} は {:.3f} になる。",
                               run.scores(best), run.weights(best), run.scores(least), run.weights(least)),
                   fmt::format("Two bar charts, scores and weights. The largest score {:g} becomes the "
                               "weight {:.3f}, the smallest "
                               "score {:g} becomes {:.3f}.",
                               run.scores(best), run.weights(best), run.scores(least), run.weights(least))};
  std::vector<Panel> panels;
  panels.push_back(bar_panel({"softmax の前", "Before softmax"}, "scores", plain(run.scores),
                             decimals_for(run.scores), value_axis({"スコア", "Score"}, std::nullopt),
                             series_ink(1)));
  panels.push_back(bar_panel({"softmax の後", "After softmax"}, "weights", plain(run.weights), 3,
                             weight_axis(run.weights), series_ink(0)));
  return {"bars",       std::move(title), std::move(description), Text::same(""), std::move(panels), 2,
          std::nullopt, {10.0, 5.0}};
}

Rule limit_rule(const std::string& type, double at, Ink ink) {
  return {type, Rule::Direction::vertical, at, Text::same(fmt::format("{} {:.2f}", type, at)), ink};
}

/// exp on a logarithmic axis is a straight line; it ends where the type does.
Panel exp_panel(const SoftmaxRun& run) {
  std::vector<double> x;
  for (int at = 0; at < run.float64.largest_finite; at += 5) x.push_back(at);
  x.push_back(run.float64.largest_finite);
  std::vector<double> y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), [](double at) { return std::exp(at); });
  const Interval positive{1.0, std::numeric_limits<double>::max()};
  return {{"exp(x) の限界", "Where exp(x) ends"},
          Chart{value_axis(Text::same("x"), Interval{0.0, 750.0}),
                value_axis(Text::same("exp(x)"), positive, Axis::Scale::log10),
                {Curve{"exp", std::move(x), std::move(y), series_ink(0), Text::same("")},
                 limit_rule("float32", run.float32.largest_finite, series_ink(1)),
                 limit_rule("float64", run.float64.largest_finite, series_ink(2))}}};
}

/// A score as a column label, with the typographic minus.
std::string rounded(double score) {
  const std::string digits = fmt::format("{:.0f}", std::abs(score));
  return std::round(score) < 0 ? "−" + digits : digits;
}

template <class T>
void append_row(Matrix& matrix, const Tensor<T>& weights) {
  for (const T weight : weights) matrix.values.push_back(static_cast<double>(weight));
  ++matrix.rows;
}

ColourScale weight_scale() {
  return {Palette::blues, 0.0, 1.0, {"注意度", "Weight"}};
}

Panel overflowing_vector(const OverflowExample& example) {
  const std::size_t n = example.scores.size();
  Matrix values{0, n, {}};
  append_row(values, example.naive_float32);
  append_row(values, example.naive_float64);
  append_row(values, example.stable_float32);
  append_row(values, example.stable_float64);
  std::vector<ShortText> scores;
  for (const double score : example.scores) scores.emplace_back(rounded(score));
  // the caption says what − max means
  const std::vector<ShortText> rows{"float32", "float64", "float32 − max", "float64 − max"};
  return {{"大きなスコアの softmax", "Softmax of large scores"},
          HeatMap{"weights",
                  std::move(values),
                  rows,
                  std::move(scores),
                  Text::same(""),
                  {"スコア", "Score"},
                  weight_scale(),
                  n <= 12 ? 2 : no_numbers,
                  false}};
}

std::size_t count_nan(const Tensor<float>& weights) {
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](float weight) { return std::isnan(weight); }));
}

/// What the rows mean, and what was done to the scores to make them overflow.
Text overflow_caption(const OverflowExample& example) {
  if (example.constant == 0.0) {
    return {"右：「− max」は最大値を引いてから exp を計算したもの、ほかは素朴な計算。灰色は NaN。",
            "Right: \"− max\" subtracts the maximum before exp, the others are naive. Grey: NaN."};
  }
  return {fmt::format(
              "右：「− max」は最大値を引いてから exp を計算したもの、ほかは素朴な計算。スコアには {:.5g} を"
              "足して最大を 1000 にした（softmax は同じ）。灰色は NaN。",
              example.constant),
          fmt::format(
              "Right: \"− max\" subtracts the maximum before exp, the others are naive. {:.5g} is added to "
              "every score to make the largest 1000 (softmax stays the same). Grey: NaN.",
              example.constant)};
}

Figure overflow(const SoftmaxRun& run) {
  const double low = run.float32.largest_finite;
  const double high = run.float64.largest_finite;
  const std::size_t nan = count_nan(run.overflow.naive_float32);
  Text title{fmt::format("exp(x) は x = {:.1f}（float32）、{:.1f}（float64）を超えると inf", low, high),
             fmt::format("Above x = {:.1f} (float32) and {:.1f} (float64), exp(x) is inf", low, high)};
  Text description{
      fmt::format(
          "左は縦軸を対数にした exp(x) の曲線と 2 つの限界。右は大きなスコアの softmax を 4 通りに計算した"
          "ヒートマップで、最大値を引かない float32 では {} 個が NaN "
          "になり、最大値を引くとすべて有限になる。",
          nan),
      fmt::format(
          "Left, exp(x) on a logarithmic axis with both limits. Right, a heat map of softmax of large scores "
          "computed in four ways: without subtracting the maximum {} float32 weights are NaN; with it all "
          "are "
          "finite.",
          nan)};
  return {"overflow",
          std::move(title),
          std::move(description),
          overflow_caption(run.overflow),
          {exp_panel(run), overflowing_vector(run.overflow)},
          2,
          std::nullopt,
          {12.0, 5.5}};
}

Panel two_rows_panel(const SoftmaxRun& run, Text title, const std::string& id,
                     const Tensor<double>& weights) {
  std::vector<ShortText> rows;
  for (std::size_t i = 0; i < 2; ++i) {
    rows.emplace_back(fmt::format("[{}, {}]", rounded(run.two_rows(i, 0)), rounded(run.two_rows(i, 1))));
  }
  return {
      std::move(title),
      HeatMap{id, to_matrix(weights), rows, {}, {"スコア", "Scores"}, {"キー", "Key"}, weight_scale(), 3}};
}

Figure global_max(const SoftmaxRun& run) {
  const double gap = run.two_rows(0, 0) - run.two_rows(1, 0);
  Text description{
      fmt::format("2 行のスコアの softmax。全体の最大値を引くと、それより {:g} 以上小さい行が NaN "
                  "になる。行ごとの最大値を"
                  "引くと、どちらの行も {:.3f} と {:.3f} になる。",
                  gap, run.row_max(1, 0), run.row_max(1, 1)),
      fmt::format("Softmax of two rows of scores. With the maximum of the whole matrix the row {:g} or more "
                  "below it becomes "
                  "NaN; with the maximum of each row both rows are {:.3f} and {:.3f}.",
                  gap, run.row_max(1, 0), run.row_max(1, 1))};
  return {"global-max",
          std::isnan(run.global_max(1, 0))
              ? Text{"行列全体の最大値を引くと NaN になる行がある：引くのは行ごとの最大値",
                     "The maximum of the whole matrix turns a row into NaN: subtract each row's"}
              : Text{"最大値は行ごとに引く", "Subtract the maximum of each row"},
          std::move(description),
          Text::same(""),
          {two_rows_panel(run, {"全体の最大値", "Maximum of the whole matrix"}, "global_max", run.global_max),
           two_rows_panel(run, {"行ごとの最大値", "Maximum of each row"}, "row_max", run.row_max)},
          2,
          weight_scale(),
          {10.0, 5.0},
          true};
}

Text temperature_title(const SoftmaxRun& run) {
  const auto coldest = static_cast<std::size_t>(
      std::min_element(run.temperature.begin(), run.temperature.end()) - run.temperature.begin());
  const auto hottest = static_cast<std::size_t>(
      std::max_element(run.temperature.begin(), run.temperature.end()) - run.temperature.begin());
  const auto largest = [&run](std::size_t i) {
    const double* row = &run.temperature_weights(i, 0);
    return *std::max_element(row, row + run.scores.size());
  };
  if (coldest == hottest) {
    return {fmt::format("温度 {:g} での最大の注意度は {:.2f}", run.temperature(coldest), largest(coldest)),
            fmt::format("At temperature {:g} the largest weight is {:.2f}", run.temperature(coldest),
                        largest(coldest))};
  }
  if (run.scores(0) == *std::max_element(run.scores.begin(), run.scores.end()) &&
      run.scores(0) == *std::min_element(run.scores.begin(), run.scores.end())) {
    return {"スコアがすべて等しければ、どの温度でも均等", "Equal scores stay equal at every temperature"};
  }
  return {fmt::format("温度が低いほど 1 つに集中する：最大の注意度 {:.2f} → {:.2f}", largest(hottest),
                      largest(coldest)),
          fmt::format("The colder, the sharper: largest weight {:.2f} → {:.2f}", largest(hottest),
                      largest(coldest))};
}

Figure temperature(const SoftmaxRun& run) {
  const std::size_t n = run.scores.size();
  Text description{
      "同じスコアの softmax "
      "を温度ごとに描いた棒グラフ。温度が高いほど均等に近づき、エントロピーが大きくなる。",
      "Bar charts of softmax of the same scores, one per temperature. The higher the temperature, "
      "the more alike the weights and the larger the entropy."};
  const std::size_t columns = std::min<std::size_t>(n <= 6 ? 5 : 3, run.temperature.size());
  const std::size_t rows = (run.temperature.size() + columns - 1) / columns;
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < run.temperature.size(); ++i) {
    const double* row = &run.temperature_weights(i, 0);
    panels.push_back(
        bar_panel(Text::same(fmt::format("T={:g}  H={:.2f}", run.temperature(i), run.entropy(i))),
                  fmt::format("temperature[{}]", i), {row, row + n}, 2, weight_axis(run.temperature_weights),
                  series_ink(0)));
  }
  return {"temperature",
          temperature_title(run),
          std::move(description),
          {"T：温度、H：エントロピー (nat)。", "T: temperature; H: entropy (nats)."},
          std::move(panels),
          columns,
          std::nullopt,
          {15.0, std::max(5.0, 3.8 * static_cast<double>(rows))},
          true};
}

}  // namespace

std::vector<Figure> softmax_figures(const SoftmaxRun& run) {
  return {bars(run), overflow(run), global_max(run), temperature(run)};
}

}  // namespace attnlab
