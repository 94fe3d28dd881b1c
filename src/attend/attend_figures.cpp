// The weights of the heads as maps, however long they are, and their statistics as bars.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attend/attend_run.hpp"
#include "experiments/colour_range.hpp"
#include "experiments/tensor_array.hpp"

namespace attnlab {
namespace {

std::size_t columns_for(std::size_t count) {
  if (count <= 4) return count;
  return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
}

PageSize page_for(std::size_t count) {
  if (count == 1) return {9.0, 8.0};
  const std::size_t columns = columns_for(count);
  const std::size_t rows = (count + columns - 1) / columns;
  const double width = columns == 2 ? 13.0 : 16.0;
  return {width, width / static_cast<double>(columns) * static_cast<double>(rows) + 1.5};
}

bool is_pooled(const MapSize& map) {
  return map.cell_rows < map.queries.end - map.queries.begin ||
         map.cell_columns < map.keys.end - map.keys.begin;
}

/// One name per cell: the label of its first token, or that token's number; none where cells are tokens from
/// 0 on, which the layout numbers itself.
std::vector<ShortText> cell_names(const std::vector<std::string>& labels, KeyRange range, std::size_t cells) {
  const std::size_t length = range.end - range.begin;
  if (labels.empty() && range.begin == 0 && cells == length) return {};
  std::vector<ShortText> names;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t token = range.begin + (cell * length + cells - 1) / cells;
    names.emplace_back(labels.empty() ? std::to_string(token) : labels[token]);
  }
  return names;
}

/// Which cells a mask hides: known where the weights are kept and no cell holds several.
std::vector<bool> hidden_cells(const AttendRun& run, std::size_t matrix) {
  if (run.hidden.empty() || is_pooled(run.map)) return {};
  std::vector<bool> hidden;
  for (std::size_t query = run.map.queries.begin; query < run.map.queries.end; ++query) {
    for (std::size_t key = run.map.keys.begin; key < run.map.keys.end; ++key) {
      hidden.push_back(run.hidden[(matrix * run.queries + query) * run.keys + key]);
    }
  }
  // More strokes than a page can show only darken it.
  constexpr std::size_t most_struck = 64;
  return run.map.cell_rows > most_struck || run.map.cell_columns > most_struck ? std::vector<bool>{} : hidden;
}

Tensor<double> all_cells(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  std::vector<double> values;
  for (const ShownMatrix& matrix : shown) {
    const Tensor<double>& map = run.summaries[matrix.index].map;
    values.insert(values.end(), map.begin(), map.end());
  }
  Tensor<double> cells = Tensor<double>::from_shape({values.size()});
  std::copy(values.begin(), values.end(), cells.begin());
  return cells;
}

ColourScale scale_for(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  const Interval data = data_range(all_cells(run, shown));
  const Interval colours = run.settings.colours.value_or(Interval{std::min(0.0, data.low), data.high});
  return {Palette::blues, colours.low, colours.high, {"注意度", "Weight"}};
}

int digits_that_fit(const AttendRun& run, std::size_t panels) {
  return run.map.cell_columns <= 8 && run.map.cell_rows <= 8 && panels <= 4 ? 2 : no_numbers;
}

std::string percent(double share) {
  return share >= 0.0995 ? fmt::format("{:.0f}", 100.0 * share) : fmt::format("{:.2g}", 100.0 * share);
}

/// What a single head does most, in one sentence.
Text single_title(const WeightStatistics& s) {
  if (s.queries == 0) return {"読めるキーのあるクエリがない", "No query reads any key"};
  if (std::isnan(s.entropy)) return {"NaN の注意度がある", "Some weights are NaN"};
  if (s.on_previous >= 0.5) {
    return {fmt::format("1 つ前のキーを読むヘッド（注意度の {} %）", percent(s.on_previous)),
            fmt::format("A previous-token head: {} % of the weight", percent(s.on_previous))};
  }
  if (s.on_own >= 0.5) {
    return {fmt::format("自分の位置を読むヘッド（注意度の {} %）", percent(s.on_own)),
            fmt::format("It reads its own place: {} % of the weight", percent(s.on_own))};
  }
  if (s.on_first >= 0.5) {
    return {fmt::format("先頭のキーを読むヘッド（注意度の {} %）", percent(s.on_first)),
            fmt::format("It rests on the first key: {} % of the weight", percent(s.on_first))};
  }
  return {fmt::format("最大の注意度は平均 {} %", percent(s.largest)),
          fmt::format("The top key gets {} % on average", percent(s.largest))};
}

Text weights_title(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  if (shown.size() == 1) return single_title(run.summaries[shown[0].index].statistics);
  const auto sharper = [&](const ShownMatrix& a, const ShownMatrix& b) {
    return run.summaries[a.index].statistics.largest > run.summaries[b.index].statistics.largest;
  };
  const auto [sharpest, evenest] = std::minmax_element(shown.begin(), shown.end(), sharper);
  const auto top = [&](const ShownMatrix& matrix) { return run.summaries[matrix.index].statistics.largest; };
  return {fmt::format("{} は最も鋭く（最大の注意度 平均 {} %）、{} は最も広い（{} %）", sharpest->name.ja(),
                      percent(top(*sharpest)), evenest->name.ja(), percent(top(*evenest))),
          fmt::format("{} is the sharpest (top key {} %), {} the broadest ({} %)", sharpest->name.en(),
                      percent(top(*sharpest)), evenest->name.en(), percent(top(*evenest)))};
}

Text range_of_tokens(KeyRange range) {
  return {fmt::format("{}～{}", range.begin, range.end - 1),
          fmt::format("{} to {}", range.begin, range.end - 1)};
}

Text weights_caption(const AttendRun& run, const std::vector<ShownMatrix>& shown, const ColourScale& scale) {
  const Interval colours{scale.low, scale.high};
  std::string ja = fmt::format("色は {}。", range_text(colours).ja());
  std::string en = fmt::format("Colours: {}.", range_text(colours).en());
  if (run.settings.rows || run.settings.columns) {
    ja += fmt::format("クエリ {}、キー {}。", range_of_tokens(run.map.queries).ja(),
                      range_of_tokens(run.map.keys).ja());
    en += fmt::format(" Queries {}, keys {}.", range_of_tokens(run.map.queries).en(),
                      range_of_tokens(run.map.keys).en());
  }
  if (is_pooled(run.map)) {
    const std::size_t rows =
        (run.map.queries.end - run.map.queries.begin + run.map.cell_rows - 1) / run.map.cell_rows;
    const std::size_t columns =
        (run.map.keys.end - run.map.keys.begin + run.map.cell_columns - 1) / run.map.cell_columns;
    const bool maximum = run.map.pool == Pool::maximum;
    ja += fmt::format("1 マスは最大 {} × {} 個の注意度の{}。", rows, columns, maximum ? "最大値" : "平均");
    en += fmt::format(" Each cell: the {} of up to {} × {} weights.", maximum ? "largest" : "mean", rows,
                      columns);
  }
  if (std::any_of(run.hidden.begin(), run.hidden.end(), [](bool hidden) { return hidden; }) &&
      !hidden_cells(run, shown[0].index).empty()) {
    ja += "斜線：隠れたキー（注意度 0）。";
    en += " Struck out: hidden keys, weight 0.";
  }
  if (run.has_heads && run.batch.size() > 1) {
    ja += fmt::format("バッチの要素 {}。", run.settings.entry);
    en += fmt::format(" Batch entry {}.", run.settings.entry);
  }
  return {ja, en};
}

/// Bars per head; from many heads on the numbers at the bars would touch.
Panel statistic_panel(const AttendRun& run, const std::vector<ShownMatrix>& shown, const Statistic& statistic,
                      std::size_t series) {
  Bars bars{statistic.stage, {}, series_ink(series), {}, shown.size() <= 12 ? 2 : no_numbers};
  std::vector<ShortText> names;
  for (const ShownMatrix& matrix : shown) {
    bars.values.push_back(statistic.of(run.summaries[matrix.index].statistics));
    names.emplace_back(std::to_string(names.size()));
  }
  const Text unit = run.has_heads ? Text{"ヘッド", "Head"} : Text{"要素", "Entry"};
  Chart chart{{unit, Axis::Scale::linear, {}, std::move(names)},
              {Text::same(""), Axis::Scale::linear, {}, {}},
              {std::move(bars)}};
  return {statistic.name, std::move(chart)};
}

}  // namespace

Figure attend_weights_figure(const AttendRun& run) {
  const std::vector<ShownMatrix> shown = shown_matrices(run);
  const ColourScale scale = scale_for(run, shown);
  std::vector<Panel> panels;
  for (const ShownMatrix& matrix : shown) {
    panels.push_back({shown.size() == 1 && !run.has_heads ? Text::same("") : matrix.name,
                      HeatMap{fmt::format("weights[{}]", matrix.index),
                              to_matrix(run.summaries[matrix.index].map),
                              cell_names(run.labels, run.map.queries, run.map.cell_rows),
                              cell_names(run.key_labels, run.map.keys, run.map.cell_columns),
                              {"クエリ", "Query"},
                              {"キー", "Key"},
                              scale,
                              digits_that_fit(run, shown.size()),
                              true,
                              hidden_cells(run, matrix.index)}});
  }
  const Text title = weights_title(run, shown);
  return {"weights",
          title,
          {fmt::format("注意度のヒートマップ {} 枚。行はクエリ（{} 個）、列はキー（{} 個）。{}。",
                       shown.size(), run.queries, run.keys, title.ja()),
           fmt::format("{} heat map{} of the weights; rows are queries ({}), columns keys ({}). {}.",
                       shown.size(), shown.size() == 1 ? "" : "s", run.queries, run.keys, title.en())},
          weights_caption(run, shown, scale),
          panels,
          columns_for(panels.size()),
          scale,
          page_for(panels.size()),
          true};
}

Figure attend_statistics_figure(const AttendRun& run) {
  std::vector<ShownMatrix> shown = all_matrices(run);
  if (shown.size() > most_shown) shown.erase(shown.begin() + most_shown, shown.end());
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < statistics().size(); ++i) {
    panels.push_back(statistic_panel(run, shown, statistics()[i], i));
  }
  const Text title =
      shown.size() == 1 ? single_title(run.summaries[shown[0].index].statistics) : weights_title(run, shown);
  return {"statistics",
          title,
          {fmt::format("ヘッドごとの 6 つの統計の棒グラフ：エントロピー、最大の注意度、平均距離、先頭のキー、"
                       "自分の位置、1 つ前のキーへの注意度。{}。",
                       title.ja()),
           fmt::format(
               "Six bar charts per head: entropy, largest weight, mean distance, weight on the first key, on "
               "the own place and on the previous key. {}.",
               title.en())},
          {"クエリについての平均。位置は末尾から数える。",
           "Means over the queries. Places are counted from the end."},
          panels,
          3,
          {},
          {16.0, 9.0}};
}

}  // namespace attnlab
