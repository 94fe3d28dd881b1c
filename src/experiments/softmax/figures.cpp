// The pictures of the softmax experiment: before and after, overflow, the global maximum, temperature.
#include "experiments/softmax/softmax.hpp"

namespace attnlab {
namespace {

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

/// One axis for weights, with room for the numbers at the bars but no tick above 1.
Axis weight_axis(const Tensor<double>& weights) {
  return Axis{{"注意度", "Weight"}}.within(0.0, std::min(1.3 * largest(weights), 1.19));
}

Chart bar_chart(Bars bars, Axis y) {
  std::vector<ShortText> keys;
  for (std::size_t i = 0; i < bars.values.size(); ++i) keys.emplace_back(std::to_string(i));
  return {Axis{{"キー", "Key"}}.named(keys), std::move(y), {std::move(bars)}};
}

Figure bars(const SoftmaxRun& run) {
  const std::size_t best = largest_index(run.scores);
  const auto least =
      static_cast<std::size_t>(std::min_element(run.scores.begin(), run.scores.end()) - run.scores.begin());
  // exp of a score far below the maximum underflows to exactly 0
  const bool positive = run.weights(least) > 0.0;
  return Figure{"bars", positive ? Text{"softmax：大小関係はそのまま、すべて正、和は 1",
                                        "Softmax: same order, all positive, sum 1"}
                                 : Text{"softmax：大小関係は逆転せず、負の値はなく、和は 1",
                                        "Softmax: no order reversed, none negative, sum 1"}}
      .described(text(
          "左はスコア、右は注意度の棒グラフ。最大のスコア {:g} は注意度 {:.3f}、最小のスコア {:g} は {:.3f} になる。",
          "Two bar charts, scores and weights. The largest score {:g} becomes the weight {:.3f}, the smallest score {:g} becomes {:.3f}.",
          run.scores(best), run.weights(best), run.scores(least), run.weights(least)))
      .panel({"softmax の前", "Before softmax"},
             bar_chart(
                 Bars{"scores", values_of(run.scores), series_ink(1)}.with_numbers(decimals_for(run.scores)),
                 Axis{{"スコア", "Score"}}))
      .panel({"softmax の後", "After softmax"},
             bar_chart(Bars{"weights", values_of(run.weights), series_ink(0)}, weight_axis(run.weights)))
      .in_columns(2)
      .on_page(10.0, 5.0);
}

Rule limit_rule(const std::string& type, double at, Ink ink) {
  return {type, Rule::Direction::vertical, at, Text::same(type), ink};  // the title says where
}

/// exp on a logarithmic axis is a straight line; it ends where the type does.
Chart exp_chart(const SoftmaxRun& run) {
  std::vector<double> x;
  for (int at = 0; at < run.float64.largest_finite; at += 5) x.push_back(at);
  x.push_back(run.float64.largest_finite);
  std::vector<double> y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), [](double at) { return std::exp(at); });
  return {
      Axis{Text::same("x")}.within(0.0, 750.0),
      Axis{Text::same("exp(x)"), Axis::Scale::log10}.within(1.0, std::numeric_limits<double>::max()),
      {Curve{"exp", x, y, series_ink(0)}, limit_rule("float32", run.float32.largest_finite, series_ink(1)),
       limit_rule("float64", run.float64.largest_finite, series_ink(2))}};
}

/// A score as a column label, with the typographic minus.
std::string rounded(double score) {
  const std::string digits = fmt::format("{:.0f}", std::abs(score));
  return std::round(score) < 0 ? "−" + digits : digits;
}

HeatMap overflowing_map(const OverflowExample& example) {
  const std::size_t n = example.float64.scores.size();
  Matrix weights{0, n, {}};
  const auto append = [&weights](const auto& row) {
    weights.values.insert(weights.values.end(), row.begin(), row.end());
    ++weights.rows;
  };
  append(example.float32.naive);
  append(example.float64.naive);
  append(example.float32.stable);
  append(example.float64.stable);
  std::vector<ShortText> scores;
  for (const double score : example.float64.scores) scores.emplace_back(rounded(score));
  return HeatMap{"weights", std::move(weights)}
      .rows(Text::none(), {"float32", "float64", "float32 − max", "float64 − max"})  // see the caption
      .columns({"スコア", "Score"}, std::move(scores))
      .coloured(weight_colours())
      .with_numbers(2);
}

/// What the rows mean, and what was done to the scores to make them overflow.
Text overflow_caption(const OverflowExample& example) {
  if (example.constant == 0.0) {
    return {"「− max」は最大値を引いてから exp を計算したもの、ほかは素朴な計算。灰色は NaN。",
            "\"− max\" subtracts the maximum before exp, the others are naive. Grey: NaN."};
  }
  return text(
      "「− max」は最大値を引いてから exp を計算したもの、ほかは素朴な計算。スコアには {:.5g} を足して最大を 1000 にした（softmax は同じ）。灰色は NaN。",
      "\"− max\" subtracts the maximum before exp, the others are naive. {:.5g} is added to every score to make the largest 1000 (softmax stays the same). Grey: NaN.",
      example.constant);
}

Figure overflow_figure(const SoftmaxRun& run) {
  const Tensor<float>& naive = run.overflow.float32.naive;
  const auto nan = std::count_if(naive.begin(), naive.end(), [](float weight) { return std::isnan(weight); });
  return Figure{"overflow", text("exp(x) は x = {:.1f}（float32）、{:.1f}（float64）を超えると inf",
                                 "Above x = {:.1f} (float32) and {:.1f} (float64), exp(x) is inf",
                                 run.float32.largest_finite, run.float64.largest_finite)}
      .described(text(
          "左は縦軸を対数にした exp(x) の曲線と 2 つの限界。右は大きなスコアの softmax を 4 通りに計算したヒートマップで、最大値を引かない float32 では {} 個が NaN になり、最大値を引くとすべて有限になる。",
          "Left, exp(x) on a logarithmic axis with both limits. Right, a heat map of softmax of large scores computed in four ways: without subtracting the maximum {} float32 weights are NaN; with it all are finite.",
          nan))
      .captioned(overflow_caption(run.overflow))
      .panel({"exp(x) の限界", "Where exp(x) overflows"}, exp_chart(run))
      .panel({"大きなスコアの softmax", "Softmax of large scores"}, overflowing_map(run.overflow))
      .in_columns(2)
      .on_page(12.0, 5.5);
}

HeatMap two_rows_map(const SoftmaxRun& run, const std::string& id, const Tensor<double>& weights) {
  std::vector<ShortText> rows;
  for (std::size_t i = 0; i < 2; ++i) {
    rows.emplace_back(fmt::format("[{}, {}]", rounded(run.two_rows(i, 0)), rounded(run.two_rows(i, 1))));
  }
  return HeatMap{id, to_matrix(weights)}
      .rows({"スコア", "Scores"}, std::move(rows))
      .columns({"キー", "Key"})
      .coloured(weight_colours())
      .with_numbers(3);
}

Figure global_max(const SoftmaxRun& run) {
  return Figure{"global-max", std::isnan(run.global_max(1, 0))
                                  ? Text{"行列全体の最大値では NaN になる行がある：引くのは行ごとの最大値",
                                         "One maximum for all rows gives NaN: subtract each row's own"}
                                  : Text{"最大値は行ごとに引く", "Subtract the maximum of each row"}}
      .described(text(
          "2 行のスコアの softmax。全体の最大値を引くと、それより {:g} 以上小さい行が NaN になる。行ごとの最大値を引くと、どちらの行も {:.3f} と {:.3f} になる。",
          "Softmax of two rows of scores. With the maximum of the whole matrix the row {:g} or more below it becomes NaN; with the maximum of each row both rows are {:.3f} and {:.3f}.",
          run.two_rows(0, 0) - run.two_rows(1, 0), run.row_max(1, 0), run.row_max(1, 1)))
      .panel({"全体の最大値", "Maximum of the whole matrix"}, two_rows_map(run, "global_max", run.global_max))
      .panel({"行ごとの最大値", "Maximum of each row"}, two_rows_map(run, "row_max", run.row_max))
      .in_columns(2)
      .sharing_scale(weight_colours())
      .sharing_axes()
      .on_page(10.0, 5.0);
}

Text temperature_title(const SoftmaxRun& run) {
  const auto [coldest, hottest] = std::minmax_element(run.temperature.begin(), run.temperature.end());
  const double cold = run.largest(static_cast<std::size_t>(coldest - run.temperature.begin()));
  const double hot = run.largest(static_cast<std::size_t>(hottest - run.temperature.begin()));
  if (*coldest == *hottest) {
    return text("温度 {:g} での最大の注意度は {:.2f}", "At temperature {:g} the largest weight is {:.2f}",
                *coldest, cold);
  }
  if (std::count(run.scores.begin(), run.scores.end(), run.scores(0)) == std::ptrdiff_t(run.scores.size())) {
    return {"スコアがすべて等しければ、どの温度でも均等",
            "Equal scores give uniform weights at every temperature"};
  }
  return text("温度が高いほど均等に近づく：最大の注意度 {:.2f} → {:.2f}",
              "Higher temperature, more uniform weights: {:.2f} → {:.2f}", cold, hot);
}

/// "−0.5": a real minus sign.
std::string score_text(double score) {
  return (score < 0.0 ? "−" : "") + fmt::format("{:g}", std::abs(score));
}

/// The bars of one temperature: what a film over the temperature shows.
Figure one_temperature(const SoftmaxRun& run) {
  Bars weights{"temperature[0]", values_of(run.temperature_weights, 0)};
  weights.shows = {"temperature_weights"};
  return Figure{"temperature", temperature_title(run)}
      .described(text("温度 {:g} での softmax の棒グラフ。エントロピーは {:.2f} nat。",
                      "Bar chart of softmax at temperature {:g}; its entropy is {:.2f} nats.",
                      run.temperature(0), run.entropy(0)))
      .captioned(text("エントロピー {:.2f} nat。", "Entropy {:.2f} nats.", run.entropy(0)))
      .panel(bar_chart(std::move(weights).with_numbers(2), weight_axis(run.temperature_weights)));
}

/// Of few powers of two a linear axis tells more.
Axis temperature_axis(const std::vector<double>& sorted) {
  constexpr double few = 20.0;
  const bool wide = sorted.back() > few * sorted.front();
  return {{"温度 T", "Temperature T"}, wide ? Axis::Scale::log10 : Axis::Scale::linear};
}

/// The temperatures' indices, from cold to hot.
std::vector<std::size_t> by_temperature(const SoftmaxRun& run) {
  std::vector<std::size_t> order(run.temperature.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return run.temperature(one) < run.temperature(other);
  });
  return order;
}

/// The weight of every key against the temperature, from cold to hot.
Chart curves_of_keys(const SoftmaxRun& run, const std::vector<std::size_t>& order,
                     const std::vector<double>& temperatures) {
  constexpr std::size_t most_named = 7;  // colours that can be told apart
  const std::size_t keys = run.scores.size();
  Chart chart{temperature_axis(temperatures), weight_axis(run.temperature_weights)};
  for (std::size_t key = 0; key < keys; ++key) {
    std::vector<double> weights;
    weights.reserve(order.size());
    for (const std::size_t i : order) weights.push_back(run.temperature_weights(i, key));
    const bool named = keys <= most_named;
    const Ink ink = named ? series_ink(key) : muted_ink;
    const std::string score = score_text(run.scores(key));
    chart.layers.emplace_back(Curve{fmt::format("key[{}].curve", key), temperatures, weights, ink,
                                    named ? text("スコア {}", "score {}", score) : Text::none()});
    chart.layers.emplace_back(Points{fmt::format("key[{}]", key), temperatures, weights, ink});
  }
  return chart;
}

/// The entropy of the weights beside that of even ones.
Chart entropy_chart(const SoftmaxRun& run, const std::vector<std::size_t>& order,
                    const std::vector<double>& temperatures) {
  const double even = std::log(static_cast<double>(run.scores.size()));
  std::vector<double> entropies;
  entropies.reserve(order.size());
  for (const std::size_t i : order) entropies.push_back(run.entropy(i));
  return {temperature_axis(temperatures),
          Axis{{"エントロピー（nat）", "Entropy (nats)"}}.within(0.0, even > 0.0 ? 1.2 * even : 1.0),
          {Rule{"even", Rule::Direction::horizontal, even, {"均等", "even"}},
           Curve{"entropy.curve", temperatures, entropies, series_ink(0)},
           Points{"entropy", temperatures, entropies, series_ink(0)}}};
}

Figure temperature_figure(const SoftmaxRun& run) {
  if (run.temperature.size() == 1) return one_temperature(run);
  const std::size_t keys = run.scores.size();
  const std::vector<std::size_t> order = by_temperature(run);
  std::vector<double> temperatures;
  temperatures.reserve(order.size());
  for (const std::size_t i : order) temperatures.push_back(run.temperature(i));
  return Figure{"temperature", temperature_title(run)}
      .described(
          {"左は温度に対する各キーの注意度の折れ線、右はエントロピー。温度が高いほど注意度は均等に近づき、エントロピーが大きくなる。",
           "Left, the weight of each key against the temperature; right, the entropy. The higher the temperature, the more uniform the weights and the larger the entropy."})
      .captioned(text("{} 個のキーの同じスコアを、温度 T で割ってから softmax。",
                      "The same scores of {} keys, divided by the temperature T before softmax.", keys))
      .panel({"キーごとの注意度", "Weight of each key"}, curves_of_keys(run, order, temperatures))
      .panel({"エントロピー", "Entropy"}, entropy_chart(run, order, temperatures))
      .on_page(14.0, 6.0);
}

}  // namespace

std::vector<Figure> figures(const SoftmaxRun& run) {
  return {bars(run), overflow_figure(run), global_max(run), temperature_figure(run)};
}

}  // namespace attnlab
