// The figures of `lookup`: the output on its way from one value to the mean, and the dictionary itself.
#include "experiments/lookup/lookup.hpp"

namespace attnlab {
namespace {

// --- How the output moves

Chart plane(const LookupRun& run) {
  Arrows pairs{"lookup.values"};
  for (std::size_t j = 0; j < entries; ++j) {
    Arrow arrow{run.values(j, 0), run.values(j, 1), value_name(j)};
    arrow.ink = muted_ink;
    pairs.arrows.push_back(std::move(arrow));
  }
  Arrow query{run.query(0), run.query(1), {"クエリ", "query"}, {}, series_ink(1), true};
  pairs.arrows.push_back(std::move(query));
  Curve way{"way", {}, {}, series_ink(2)};
  std::vector<Layer> names;
  for (std::size_t i = 0; i <= run.last; ++i) {
    way.x.push_back(run.output(i, 0));
    way.y.push_back(run.output(i, 1));
    const bool stands_apart = i == 0 || std::hypot(run.output(i, 0) - run.output(i - 1, 0),
                                                   run.output(i, 1) - run.output(i - 1, 1)) > 0.15;
    if (stands_apart || i == run.last)
      names.emplace_back(Callout{fmt::format("temperature[{}]", i), run.output(i, 0), run.output(i, 1),
                                 Text::same(fmt::format("T = {:g}", run.temperature(i)))});
  }
  Points outputs{"lookup.output", way.x, way.y, series_ink(2)};
  if (run.beside == nullptr) outputs.id = "output";
  const double furthest = std::max(largest_magnitude(run.values), largest_magnitude(run.query));
  const double half = run.tape.any_read() ? std::max(1.0, furthest) : 1.0;
  Chart chart{Axis{Text::same("x")}.within(-1.75 * half, 1.75 * half),
              Axis{Text::same("y")}.within(-1.25 * half, 1.25 * half)};
  chart.layers = {Circle{"unit", 1.0}, std::move(pairs), std::move(way), std::move(outputs)};
  chart.layers.insert(chart.layers.end(), names.begin(), names.end());
  chart.equal_units = true;
  return chart;
}

Text lookup_title(const LookupRun& run) {
  const Text& found = value_name(run.found.front());
  if (run.last == 0) {
    return text("温度 {:g} では「{}」の注意度は {:.2f}", "At temperature {:g} the weight of {} is {:.2f}",
                run.temperature(0), found, run.cold_weight);
  }
  return text("温度を上げると「{}」の注意度は {:.2f} から {:.2f} へ",
              "Rising temperature: {}'s weight goes from {:.2f} to {:.2f}", found, run.cold_weight,
              run.hot_weight);
}

// --- The dictionary

/// At a low temperature attention is a dictionary, too, as far as two digits tell.
Text dictionary_title(const LookupRun& run) {
  if (run.plain_weight >= 0.995) {
    return text("温度 {:g} では、アテンションも辞書と同じく「{}」だけ",
                "At temperature {:g} attention, like a dictionary, returns only {}",
                run.temperature(run.plain), run.found_name);
  }
  if (!run.equals_key) {
    const Text has = run.found.size() == 1 ? Text{"", "key has"} : Text{"", "keys have"};
    return text("最も近いキーの値は{}「{}」、アテンションは全部を混ぜる（最大 {:.2f}）",
                "The nearest {} {}, attention returns a mix (up to {:.2f})", has, run.found_name,
                run.plain_weight);
  }
  const Text only{"", run.found.size() == 1 ? "only " : ""};
  return text("辞書は{}「{}」だけ、アテンションは全部を混ぜる（最大 {:.2f}）",
              "A dictionary returns {}{}, attention a mix (up to {:.2f})", only, run.found_name,
              run.plain_weight);
}

/// Query, keys, values and the output from left to right; the arrows are as wide as the weights at the keys.
Diagram dictionary_diagram(const LookupRun& run, const std::string& id, const double* weights, int decimals) {
  constexpr std::size_t query = 0;
  constexpr std::size_t output = 1;
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  diagram.nodes = {{id + ".query", text("クエリ：{}", "query: {}", run.query_name), 0.0, 0.5},
                   {id + ".output", {"出力", "output"}, 1.0, 0.5}};
  for (std::size_t j = 0; j < entries; ++j) {
    const double y = (0.7 + static_cast<double>(j)) / (static_cast<double>(entries) + 0.4);
    const std::size_t key = diagram.nodes.size();
    diagram.nodes.push_back({fmt::format("{}.keys[{}]", id, j), key_name(j), 0.4, y});
    diagram.nodes.push_back({fmt::format("{}.values[{}]", id, j), value_name(j), 0.7, y});
    if (weights[j] < 0.0005) continue;  // not looked at
    diagram.nodes[key].note = Text::same(fmt::format("{:.{}f}", weights[j], decimals));
    diagram.edges.push_back({query, key, weights[j]});
    diagram.edges.push_back({key, key + 1, weights[j]});
    diagram.edges.push_back({key + 1, output, weights[j]});
  }
  return diagram;
}

Text lookup_caption(const LookupRun& run, const Text& query) {
  if (run.tape.any_read()) {
    return text("クエリ：{}。矢印：バリュー。点：温度 T ごとの出力。{}。",
                "Query: {}. Arrows: values. Points: the output by temperature T. {}.", query,
                run.tape.described());
  }
  return text(
      "クエリ：{}。矢印：バリュー（キーも同じ向き）。点：温度 T ごとの出力で、平均は原点。",
      "Query: {}. Arrows: values (the keys have the same directions). Points: the output by temperature T; the mean is the origin.",
      query);
}

Figure lookup_figure(const LookupRun& requested) {
  const LookupRun& run = requested.beside ? *requested.beside : requested;
  const Text query = requested.beside
                         ? text("「{0}」のキーから 20° ずらした {1}", "{1}, 20° beside {0}'s key",
                                requested.query_name, run.query_name)
                         : run.query_name;
  return Figure{"lookup", lookup_title(run)}
      .described(text(
          "4 つのバリューの矢印、クエリの破線の矢印、温度とともに動く出力の点。「{}」の注意度は温度 {:g} で {:.2f}、温度 {:g} で {:.2f}。",
          "Four arrows for the values, a dashed one for the query, and the output as it moves with the temperature: the weight of {0} is {2:.2f} at {1:g} and {4:.2f} at {3:g}.",
          value_name(run.found.front()), run.temperature(0), run.cold_weight, run.temperature(run.last),
          run.hot_weight))
      .captioned(lookup_caption(run, query))
      .panel(plane(run))
      .on_page(10.0, 7.0);
}

Figure dictionary_figure(const LookupRun& run) {
  const double temperature = run.temperature(run.plain);
  return Figure{"dictionary", dictionary_title(run)}
      .described(text(
          "辞書の検索では、クエリ「{}」から「{}」だけを通って出力に矢印が届く。温度 {:g} のアテンションでは、すべてのバリューから注意度に応じた太さの矢印が出力に集まる。最大は {:.2f}。",
          "In a dictionary a single path leads from the query {} through {} to the output. In attention at temperature {:g} arrows from all values, as wide as their weights, meet in the output; the largest is {:.2f}.",
          run.query_name, run.found_name, temperature, run.plain_weight))
      .captioned({"矢印の太さとキーの数は注意度。", "Arrow widths and numbers at the keys: the weights."})
      .panel({"辞書の検索（ハード）", "Dictionary lookup (hard)"},
             dictionary_diagram(run, "hard", &run.hard_weights(0), run.found.size() == 1 ? 0 : 2))
      .panel(text("アテンション（ソフト、T={:g}）", "Attention (soft, T={:g})", temperature),
             dictionary_diagram(run, "soft", &run.weights(run.plain, 0), 2))
      .on_page(12.0, 5.5);
}

}  // namespace

std::vector<Figure> figures(const LookupRun& run) { return {lookup_figure(run), dictionary_figure(run)}; }

}  // namespace attnlab
