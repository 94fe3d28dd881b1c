// The figures of `lookup`: the output on its way from one value to the mean, and the dictionary itself.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "experiments/lookup/lookup.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

const Text nothing = Text::same("");

Callout at_temperature(const LookupRun& run, std::size_t i) {
  return {fmt::format("temperature[{}]", i), run.output(i, 0), run.output(i, 1),
          Text::same(fmt::format("T={:g}", run.temperature(i)))};
}

Panel plane_panel(const LookupRun& run) {
  Arrows pairs{"values", {}, std::nullopt};
  for (std::size_t j = 0; j < entries; ++j) {
    pairs.arrows.push_back(
        {run.values(j, 0), run.values(j, 1), value_name(j), std::nullopt, muted_ink, false});
  }
  const std::size_t last = run.temperature.size() - 1;
  Curve way{"way", {}, {}, series_ink(2), nothing, false};
  Points outputs{"output", {}, {}, series_ink(2), {"出力", "output"}};
  for (std::size_t i = 0; i <= last; ++i) {
    way.x.push_back(run.output(i, 0));
    way.y.push_back(run.output(i, 1));
  }
  outputs.x = way.x;
  outputs.y = way.y;
  Curve query{"query", {0.0, run.query(0)}, {0.0, run.query(1)}, series_ink(1), {"クエリ", "query"}, true};
  std::vector<Layer> layers{Circle{"unit", 1.0}, std::move(pairs),   std::move(way),
                            std::move(query),    std::move(outputs), at_temperature(run, 0)};
  const std::size_t plain = plain_softmax(run);
  if (plain != 0 && plain != last) layers.emplace_back(at_temperature(run, plain));
  if (last > 0) layers.emplace_back(at_temperature(run, last));
  return {{"出力の動き", "The output moves"},
          Chart{{Text::same("x"), Axis::Scale::linear, Interval{-1.75, 1.75}, {}},
                {Text::same("y"), Axis::Scale::linear, Interval{-1.35, 1.35}, {}},
                std::move(layers),
                true}};
}

ColourScale weight_scale() {
  return {Palette::blues, 0.0, 1.0, {"注意度", "Weight"}};
}

Panel weights_panel(const LookupRun& run) {
  HeatMap map{"weights",
              to_matrix(run.weights),
              {},
              {},
              {"温度 T", "Temperature T"},
              {"バリュー", "Value"},
              weight_scale(),
              2,
              false};
  for (const double temperature : run.temperature)
    map.row_labels.emplace_back(fmt::format("{:g}", temperature));
  for (std::size_t j = 0; j < entries; ++j) map.column_labels.emplace_back(value_name(j));
  return {{"温度ごとの注意度", "Weights by temperature"}, std::move(map)};
}

Text lookup_title(const LookupRun& run) {
  const std::size_t last = run.temperature.size() - 1;
  const Text& found = value_name(run.found.front());
  const std::string cold = fmt::format("{:.2f}", weight_of_found(run, 0));
  if (last == 0) {
    return {fmt::format("温度 {:g} では「{}」の注意度は {}", run.temperature(0), found.ja(), cold),
            fmt::format("At temperature {:g} the weight of {} is {}", run.temperature(0), found.en(), cold)};
  }
  const std::string hot = fmt::format("{:.2f}", weight_of_found(run, last));
  return {fmt::format("温度を上げると「{}」の注意度は {} から {} へ", found.ja(), cold, hot),
          fmt::format("From cold to hot, the weight of {} goes from {} to {}", found.en(), cold, hot)};
}

/// At a low temperature attention is a dictionary, too, as far as two digits tell.
Text dictionary_title(const LookupRun& run) {
  const std::size_t plain = plain_softmax(run);
  const Text found = found_values(run);
  const double largest = weight_of_found(run, plain);
  if (largest >= 0.995) {
    return {fmt::format("温度 {:g} では、アテンションも辞書と同じく「{}」だけ", run.temperature(plain),
                        found.ja()),
            fmt::format("At temperature {:g} attention, like a dictionary, returns only {}",
                        run.temperature(plain), found.en())};
  }
  return {fmt::format("辞書は「{}」だけ、アテンションは全部を混ぜる（最大 {:.2f}）", found.ja(), largest),
          fmt::format("A dictionary returns {}{}, attention mixes all (largest {:.2f})",
                      run.found.size() == 1 ? "only " : "", found.en(), largest)};
}

double row_of(std::size_t entry) {
  return (0.7 + static_cast<double>(entry)) / (static_cast<double>(entries) + 0.4);
}

/// Query, keys, values from left to right; the arrows to the values are as wide as the weights.
Diagram dictionary_diagram(const LookupRun& run, const std::string& id, const std::vector<double>& weights,
                           int decimals) {
  Diagram diagram{{{id + ".query",
                    {"クエリ：" + run.query_name.ja(), "query: " + run.query_name.en()},
                    0.19,
                    0.5,
                    std::nullopt,
                    true}},
                  {},
                  std::nullopt};
  for (std::size_t j = 0; j < entries; ++j) {
    const std::size_t key = diagram.nodes.size();
    diagram.nodes.push_back({fmt::format("{}.keys[{}]", id, j), key_name(j), 0.52, row_of(j), {}, true});
    diagram.nodes.push_back({fmt::format("{}.values[{}]", id, j), value_name(j), 0.88, row_of(j), {}, true});
    if (weights[j] < 0.0005) continue;  // not looked at
    diagram.edges.push_back({0, key, weights[j], nothing});
    diagram.edges.push_back(
        {key, key + 1, weights[j], Text::same(fmt::format("{:.{}f}", weights[j], decimals))});
  }
  return diagram;
}

std::vector<double> numbers(const double* begin) {
  return {begin, begin + entries};
}

}  // namespace

Figure lookup_figure(const LookupRun& run) {
  const std::size_t last = run.temperature.size() - 1;
  const Text found = value_name(run.found.front());
  const std::string cold = fmt::format("{:.2f}", weight_of_found(run, 0));
  const std::string hot = fmt::format("{:.2f}", weight_of_found(run, last));
  return {
      "lookup",
      lookup_title(run),
      {fmt::format("左は 4 つのキーとバリューの矢印と、温度とともに動く出力の点。右は温度ごとの注意度のヒート"
                   "マップ。「{}」の注意度は温度 {:g} で {}、温度 {:g} で {}。",
                   found.ja(), run.temperature(0), cold, run.temperature(last), hot),
       fmt::format("Left, four arrows for keys and values and the output as it moves with the temperature. "
                   "Right, a heat map of the weights by temperature: {} gets {} at {:g} and {} at {:g}.",
                   found.en(), cold, run.temperature(0), hot, run.temperature(last))},
      {fmt::format("クエリ：{}。矢印：バリュー（キーも同じ向き）。出力は温度 T ごと、平均は原点。",
                   run.query_name.ja()),
       fmt::format(
           "Query: {}. Arrows: values (the keys point alike). Output by temperature T; the mean is the "
           "origin.",
           run.query_name.en())},
      {plane_panel(run), weights_panel(run)},
      0,
      std::nullopt,
      {12.0, 6.0}};
}

Figure dictionary_figure(const LookupRun& run) {
  const std::size_t plain = plain_softmax(run);
  const Text found = found_values(run);
  const std::string soft = fmt::format("{:.2f}", weight_of_found(run, plain));
  const bool one = run.found.size() == 1;
  return {
      "dictionary",
      dictionary_title(run),
      {fmt::format(
           "左は辞書の検索で、クエリ「{}」から「{}」だけに矢印が通る。右は温度 {:g} のアテンションで、"
           "すべてのバリューへ注意度に応じた太さの矢印が通る。最大は {}。",
           run.query_name.ja(), found.ja(), run.temperature(plain), soft),
       fmt::format("Left, a dictionary: from the query {} one way leads to {}. Right, attention at "
                   "temperature {:g}: arrows as wide as the weights lead to all values; the largest is {}.",
                   run.query_name.en(), found.en(), run.temperature(plain), soft)},
      {"矢印の太さと数は注意度。", "Arrow widths and numbers: the weights."},
      {{{"辞書の検索（ハード）", "Dictionary lookup (hard)"},
        dictionary_diagram(run, "hard", numbers(&run.hard_weights(0)), one ? 0 : 2)},
       {{fmt::format("アテンション（ソフト、T={:g}）", run.temperature(plain)),
         fmt::format("Attention (soft, T={:g})", run.temperature(plain))},
        dictionary_diagram(run, "soft", numbers(&run.weights(plain, 0)), 2)}},
      0,
      std::nullopt,
      {12.0, 5.5}};
}

}  // namespace attnlab
