// The weights of the heads as maps, however long they are, and their statistics as bars.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "attend/run.hpp"
#include "experiments/framework/colour_range.hpp"
#include "experiments/framework/map_grid.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

/// A map that is many times as wide as high would be a thin line: its cells then fill the page.
bool cells_are_square(const MapSize& map) {
  constexpr std::size_t most = 8;
  return map.cell_rows <= most * map.cell_columns && map.cell_columns <= most * map.cell_rows;
}

bool is_pooled(const MapSize& map) {
  return map.cell_rows < map.queries.end - map.queries.begin ||
         map.cell_columns < map.keys.end - map.keys.begin;
}

/// Beside so many maps a page has no room for more than their numbers above them.
bool is_crowded(const std::vector<ShownMatrix>& shown) {
  return columns_of_maps(shown.size()) > 4;
}

Text panel_title(const AttendRun& run, const std::vector<ShownMatrix>& shown, std::size_t place) {
  if (shown.size() == 1 && !run.has_heads) return Text::same("");
  return is_crowded(shown) ? Text::same(std::to_string(place)) : shown[place].name;
}

/// One name per cell: the label of its first token. None without labels: then cells are numbered.
std::vector<ShortText> cell_names(const std::vector<std::string>& labels, KeyRange range, std::size_t cells) {
  std::vector<ShortText> names;
  if (labels.empty()) return names;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    names.emplace_back(labels[range.begin + (cell * (range.end - range.begin) + cells - 1) / cells]);
  }
  return names;
}

/// Which cells a mask hides: known where the weights are kept and no cell holds several.
std::vector<bool> hidden_cells(const AttendRun& run, std::size_t matrix) {
  constexpr std::size_t most_struck = 64;  // more strokes than a page can show only darken it
  if (run.hidden.empty() || is_pooled(run.map)) return {};
  if (run.map.cell_rows > most_struck || run.map.cell_columns > most_struck) return {};
  std::vector<bool> hidden;
  for (std::size_t query = run.map.queries.begin; query < run.map.queries.end; ++query) {
    for (std::size_t key = run.map.keys.begin; key < run.map.keys.end; ++key) {
      hidden.push_back(run.hidden[(matrix * run.queries + query) * run.keys + key]);
    }
  }
  return hidden;
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

/// From 0 to the largest weight; where few cells reach far above all others, as under a causal mask the first
/// rows do, only to the 99th percentile, or a long map would be blank. Darker cells then exceed the scale.
ColourScale scale_for(const AttendRun& run, const Tensor<double>& cells) {
  const Interval data = data_range(cells);
  Interval colours{std::min(0.0, data.low), data.high};
  std::vector<double> positive;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(positive),
               [](double value) { return value > 0.0; });
  if (is_pooled(run.map) && !positive.empty()) {
    const auto place = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(positive.size()));
    std::nth_element(positive.begin(), positive.begin() + place, positive.end());
    const double usual = positive[static_cast<std::size_t>(place)];
    if (usual < data.high / 4.0) colours.high = usual;
  }
  return {Palette::blues, colours.low, colours.high, {"注意度", "Weight"}};
}

int digits_that_fit(const AttendRun& run, std::size_t panels) {
  return run.map.cell_columns <= 8 && run.map.cell_rows <= 8 && panels <= 4 ? 2 : no_numbers;
}

std::string percent(double share) {
  return share >= 0.0995 ? fmt::format("{:.0f}", 100.0 * share) : fmt::format("{:.2g}", 100.0 * share);
}

/// What a head does with most of its weight, when it does one thing.
struct Habit {
  Text reads;
  double (*share)(const WeightStatistics& statistics);
};

const std::vector<Habit>& habits() {
  using Statistics = WeightStatistics;
  static const std::vector<Habit> all{
      {{" 1 つ前のキー", "the key before"}, [](const Statistics& s) { return s.on_previous; }},
      {{"自分の位置", "its own place"}, [](const Statistics& s) { return s.on_own; }},
      {{"先頭のキー", "the first key"}, [](const Statistics& s) { return s.on_first; }},
  };
  return all;
}

/// A single map.
Text single_title(const AttendRun& run, const ShownMatrix& matrix) {
  const WeightStatistics& s = run.summaries[matrix.index].statistics;
  if (s.queries == 0) return {"読めるキーのあるクエリがない", "No query reads any key"};
  if (std::isnan(s.entropy)) return {"NaN の注意度がある", "Some weights are NaN"};
  const Text who = run.has_heads ? Text{matrix.name.ja() + "：", matrix.name.en() + ": "} : Text::same("");
  for (const Habit& habit : habits()) {
    if (habit.share(s) < 0.5) continue;
    return {
        fmt::format("{}注意度の {} % は{}に向く", who.ja(), percent(habit.share(s)), habit.reads.ja()),
        fmt::format("{}{} % of the weight goes to {}", who.en(), percent(habit.share(s)), habit.reads.en())};
  }
  return {fmt::format("{}最大の注意度は平均 {} %", who.ja(), percent(s.largest)),
          fmt::format("{}the top key gets {} %", who.en().empty() ? "On average " : who.en(),
                      percent(s.largest))};
}

/// "Head 0 reads the key before, Head 2 the first key": one head for each habit; empty when no head has one.
Text habits_title(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  std::string ja;
  std::string en;
  for (const Habit& habit : habits()) {
    const ShownMatrix* most = nullptr;
    double largest = 0.5;
    for (const ShownMatrix& matrix : shown) {
      const double share = habit.share(run.summaries[matrix.index].statistics);
      if (share <= largest) continue;
      largest = share;
      most = &matrix;
    }
    if (most == nullptr) continue;
    ja += fmt::format("{}{} は{}", ja.empty() ? "" : "、", most->name.ja(), habit.reads.ja());
    en += fmt::format("{}{} {}{}", en.empty() ? "" : ", ", most->name.en(), en.empty() ? "reads " : "",
                      habit.reads.en());
  }
  return ja.empty() ? Text::same("") : Text{ja + "を読む", en};
}

Text weights_title(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  if (shown.size() == 1) return single_title(run, shown.front());
  Text of_habits = habits_title(run, shown);
  if (!of_habits.en().empty()) return of_habits;
  const auto top = [&](const ShownMatrix& m) { return run.summaries[m.index].statistics.largest; };
  const auto sharper = [&](const ShownMatrix& a, const ShownMatrix& b) { return top(a) > top(b); };
  const auto [sharpest, broadest] = std::minmax_element(shown.begin(), shown.end(), sharper);
  const std::string most = percent(top(*sharpest));
  const std::string least = percent(top(*broadest));
  if (most == least) {
    return {fmt::format("どの{}も最大の注意度は平均 {} %", run.has_heads ? "ヘッド" : "要素", most),
            fmt::format("All {} are equally sharp: the top key gets {} %",
                        run.has_heads ? "heads" : "entries", most)};
  }
  return {fmt::format("{} は最も鋭く（最大の注意度 平均 {} %）、{} は最も広い（{} %）", sharpest->name.ja(),
                      most, broadest->name.ja(), least),
          fmt::format("{} is the sharpest (top key {} %), {} the broadest ({} %)", sharpest->name.en(), most,
                      broadest->name.en(), least)};
}

Text range_of_tokens(KeyRange range) {
  return {fmt::format("{}～{}", range.begin, range.end - 1),
          fmt::format("{} to {}", range.begin, range.end - 1)};
}

Text weights_caption(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  std::string ja = fmt::format("クエリ {} 個、キー {} 個。", run.queries, run.keys);
  std::string en = fmt::format("{} queries, {} keys.", run.queries, run.keys);
  if (run.settings.rows || run.settings.columns) {
    ja += fmt::format("図はクエリ {}、キー {}。", range_of_tokens(run.map.queries).ja(),
                      range_of_tokens(run.map.keys).ja());
    en += fmt::format(" Shown: queries {}, keys {}.", range_of_tokens(run.map.queries).en(),
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
  const std::size_t count = all_matrices(run).size();
  if (!run.settings.head && shown.size() < count) {
    ja += fmt::format("{} 枚のうち最初の {} 枚。", count, shown.size());
    en += fmt::format(" The first {} of {}.", shown.size(), count);
  }
  if (is_crowded(shown)) {
    ja += run.has_heads ? "各図の上はヘッドの番号。" : "各図の上は要素の番号。";
    en += run.has_heads ? " Above each map: its head." : " Above each map: its entry.";
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
  const Tensor<double> cells = all_cells(run, shown);
  const ColourScale scale = scale_for(run, cells);
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const ShownMatrix& matrix = shown[i];
    panels.push_back(
        {panel_title(run, shown, i), HeatMap{fmt::format("weights[{}]", matrix.index),
                                             to_matrix(run.summaries[matrix.index].map),
                                             cell_names(run.labels, run.map.queries, run.map.cell_rows),
                                             cell_names(run.key_labels, run.map.keys, run.map.cell_columns),
                                             {"クエリ", "Query"},
                                             {"キー", "Key"},
                                             scale,
                                             digits_that_fit(run, shown.size()),
                                             cells_are_square(run.map),
                                             hidden_cells(run, matrix.index),
                                             CellFill::coloured,
                                             Numbering{run.map.queries.begin, run.map.queries.end},
                                             Numbering{run.map.keys.begin, run.map.keys.end}}});
  }
  const Text title = weights_title(run, shown);
  return {"weights",
          title,
          {fmt::format("注意度のヒートマップ {} 枚。行はクエリ（{} 個）、列はキー（{} 個）。{}。",
                       shown.size(), run.queries, run.keys, title.ja()),
           fmt::format("{} heat map{} of the weights; rows are queries ({}), columns keys ({}). {}.",
                       shown.size(), shown.size() == 1 ? "" : "s", run.queries, run.keys, title.en())},
          weights_caption(run, shown),
          panels,
          columns_of_maps(panels.size()),
          scale,
          page_for_maps(panels.size()),
          true};
}

Figure attend_statistics_figure(const AttendRun& run) {
  const std::vector<ShownMatrix> shown = as_many_as_fit(all_matrices(run));
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < statistics().size(); ++i) {
    panels.push_back(statistic_panel(run, shown, statistics()[i], i));
  }
  const Text title = weights_title(run, shown);
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
