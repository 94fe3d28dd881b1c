// The weights of the heads as maps, however long they are, and as lines; and their statistics as bars.
#include "attend/run.hpp"
#include "core/counted.hpp"
#include "experiments/framework/arcs.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

bool is_pooled(const MapSize& map) {
  return map.cell_rows < map.queries.end - map.queries.begin ||
         map.cell_columns < map.keys.end - map.keys.begin;
}

/// Beside so many maps a page has no room for more than their numbers above them.
bool is_crowded(const std::vector<ShownMatrix>& shown) { return columns_of_maps(shown.size()) > 4; }

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

/// From 0 to the largest weight; where few cells reach far above all others, as under a causal mask the first
/// rows do, only to the 99th percentile, or a long map would be blank. Darker cells then exceed the scale.
ColourScale scale_for(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  std::vector<double> cells;
  for (const ShownMatrix& matrix : shown) {
    const Tensor<double>& map = run.summaries[matrix.index].map;
    cells.insert(cells.end(), map.begin(), map.end());
  }
  const Interval data = extremes(to_tensor(cells));
  if (data.low < 0.0) return signed_scale(to_tensor(cells));  // what `draw` is given may be no weights
  Interval colours{0.0, data.high > 0.0 ? data.high : 1.0};
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

/// What a head does with most of its weight, when it does one thing.
struct Habit {
  Text reads;
  double WeightStatistics::*share;
};

const std::vector<Habit>& habits() {
  static const std::vector<Habit> all{{{" 1 つ前のキー", "the previous key"}, &WeightStatistics::on_previous},
                                      {{"自分の位置", "its own position"}, &WeightStatistics::on_own},
                                      {{"先頭のキー", "the first key"}, &WeightStatistics::on_first}};
  return all;
}

/// A single map.
Text single_title(const AttendRun& run, const ShownMatrix& matrix) {
  const WeightStatistics& s = run.summaries[matrix.index].statistics;
  if (s.queries == 0) return {"参照できるキーのあるクエリがない", "No query has a visible key"};
  if (std::isnan(s.entropy)) return {"NaN の注意度がある", "Some weights are NaN"};
  const Text who = run.has_heads ? Text{matrix.name.ja() + "：", matrix.name.en() + ": "} : Text::same("");
  for (const Habit& habit : habits()) {
    if (s.*habit.share < 0.5) continue;
    return text("{}注意度の {} % は{}に向く", "{}{}% of the weight goes to {}", who, percent(s.*habit.share),
                habit.reads);
  }
  return text("{}最大の注意度は平均 {} %", "{}the top key gets {}%",
              run.has_heads ? who : Text{"", "On average "}, percent(s.largest));
}

/// "Head 0 reads the previous key, Head 2 the first key": one head for each habit; empty when no head has
/// one.
Text habits_title(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  Text list = Text::none();
  for (const Habit& habit : habits()) {
    const ShownMatrix* most = nullptr;
    double largest = 0.5;
    for (const ShownMatrix& matrix : shown) {
      const double share = run.summaries[matrix.index].statistics.*habit.share;
      if (share <= largest) continue;
      largest = share;
      most = &matrix;
    }
    if (most == nullptr) continue;
    const bool is_first = list.ja().empty();
    list = text("{}{}{} は{}", "{}{}{} {}", list, is_first ? Text::none() : Text{"、", ", "}, most->name,
                is_first ? text("{}", "attends to {}", habit.reads) : habit.reads);
  }
  return list.ja().empty() ? list : text("{}を参照する", "{}", list);
}

Text weights_title(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  if (shown.size() == 1) return single_title(run, shown.front());
  Text of_habits = habits_title(run, shown);
  if (!of_habits.en().empty()) return of_habits;
  const auto top = [&](const ShownMatrix& m) { return run.summaries[m.index].statistics.largest; };
  const auto sharper = [&](const ShownMatrix& a, const ShownMatrix& b) { return top(a) > top(b); };
  std::vector<ShownMatrix> measured;
  std::copy_if(shown.begin(), shown.end(), std::back_inserter(measured),
               [&](const ShownMatrix& matrix) { return !std::isnan(top(matrix)); });
  if (measured.size() < 2) return single_title(run, measured.empty() ? shown.front() : measured.front());
  const auto [sharpest, broadest] = std::minmax_element(measured.begin(), measured.end(), sharper);
  const std::string most = percent(top(*sharpest));
  const std::string least = percent(top(*broadest));
  const Text unit = run.has_heads ? Text{"ヘッド", "heads"} : Text{"要素", "entries"};
  return attend_sentence(most == least ? "equally_sharp" : "sharpest", {{"unit", unit},
                                                                        {"most", most},
                                                                        {"least", least},
                                                                        {"sharpest", sharpest->name},
                                                                        {"broadest", broadest->name}});
}

Text range_of_tokens(KeyRange range) { return text("{}～{}", "{} to {}", range.begin, range.end - 1); }

std::size_t most_per_cell(KeyRange range, std::size_t cells) {
  return (range.end - range.begin + cells - 1) / cells;
}

/// Whether a cell of these maps holds it, as they draw it: 0 where the mask hides a key, or NaN.
template <class Holds>
bool any_cell(const AttendRun& run, const std::vector<ShownMatrix>& shown, Holds holds) {
  return std::any_of(shown.begin(), shown.end(), [&](const ShownMatrix& matrix) {
    const Tensor<double>& map = run.summaries[matrix.index].map;
    const std::vector<bool> hidden = hidden_cells(run, matrix.index);
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (holds(map.flat(i), !hidden.empty() && hidden[i])) return true;
    }
    return false;
  });
}

Text about_tokens(const AttendRun& run) {
  Text all =
      text("クエリ {} 個、キー {} 個。", "{}, {}.", counted(run.queries, "query"), counted(run.keys, "key"));
  if (!run.settings.rows && !run.settings.columns) return all;
  return text("{}図はクエリ {}、キー {}。", "{} Shown: queries {}, keys {}.", all,
              range_of_tokens(run.map.queries), range_of_tokens(run.map.keys));
}

Text weights_caption(const AttendRun& run, const std::vector<ShownMatrix>& shown) {
  const MapSize& map = run.map;
  Text caption = about_tokens(run);
  const auto add = [&](std::string_view ja, std::string_view en, const auto&... values) {
    caption = text("{}{}", "{} {}", caption, text(ja, en, values...));
  };
  if (is_pooled(map)) {
    add("1 マスは最大 {1} × {2} 個の注意度の{0}。", "Each cell: the {} of up to {} × {} weights.",
        map.pool == Pool::maximum ? Text{"最大値", "largest"} : Text{"平均", "mean"},
        most_per_cell(map.queries, map.cell_rows), most_per_cell(map.keys, map.cell_columns));
  }
  if (any_cell(run, shown, [](double weight, bool hidden) { return hidden && weight == 0.0; }))
    add("斜線：マスクしたキー（注意度 0）。", "Hatched: masked keys, weight 0.");
  if (any_cell(run, shown, [](double weight, bool) { return std::isnan(weight); })) {
    const bool are_all_hidden =
        !any_cell(run, shown, [](double weight, bool hidden) { return std::isnan(weight) && !hidden; });
    add("灰色：NaN{}。", "Grey: NaN{}.",
        are_all_hidden ? Text{"（参照できるキーのない行）", ", rows without a visible key"} : Text::none());
  }
  const std::size_t count = all_matrices(run).size();
  if (!run.settings.head && shown.size() < count) {
    add("{1} 枚のうち最初の {0} 枚。", "The first {} of {}.", shown.size(), count);
  }
  if (is_crowded(shown)) {
    add("各図の上は{}の番号。", "Above each map: its {}.",
        run.has_heads ? Text{"ヘッド", "head"} : Text{"要素", "entry"});
  }
  if (run.has_heads && run.batch.size() > 1) add("バッチの要素 {}。", "Batch entry {}.", run.settings.entry);
  return caption;
}

/// Bars per head; from many heads on the numbers at the bars would touch.
Panel statistic_panel(const AttendRun& run, const std::vector<ShownMatrix>& shown, const Statistic& statistic,
                      std::size_t series) {
  Bars bars = Bars{statistic.stage, {}, series_ink(series)}.with_numbers(shown.size() <= 12 ? 2 : no_numbers);
  std::vector<ShortText> names;
  for (const ShownMatrix& matrix : shown) {
    bars.values.push_back(run.summaries[matrix.index].statistics.*statistic.of);
    names.emplace_back(std::to_string(names.size()));
  }
  const Text unit = run.has_heads ? Text{"ヘッド", "Head"} : Text{"要素", "Entry"};
  return {statistic.name, Chart{Axis{unit}.named(std::move(names)), Axis{Text::none()}, {std::move(bars)}}};
}

}  // namespace

std::string percent(double share) {
  return share >= 0.0995 ? fmt::format("{:.0f}", 100.0 * share) : fmt::format("{:.2g}", 100.0 * share);
}

Figure weight_maps(const AttendRun& run, const Text& title) {
  const std::vector<ShownMatrix> shown = shown_matrices(run);
  const MapSize& size = run.map;
  const ColourScale scale = scale_for(run, shown);
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::size_t index = shown[i].index;
    HeatMap map = HeatMap{fmt::format("weights[{}]", index), to_matrix(run.summaries[index].map)}
                      .rows({"クエリ", "Query"}, cell_names(run.labels, size.queries, size.cell_rows))
                      .columns({"キー", "Key"}, cell_names(run.key_labels, size.keys, size.cell_columns))
                      .coloured(scale)
                      .with_numbers(2)
                      .hiding(hidden_cells(run, index));
    if (size.cell_rows == size.queries.end - size.queries.begin)
      map.shows = {"weights", index * run.queries + size.queries.begin};
    map.row_numbers = Numbering{size.queries.begin, size.queries.end};
    map.column_numbers = Numbering{size.keys.begin, size.keys.end};
    panels.push_back({panel_title(run, shown, i), std::move(map)});
  }
  const PageSize page = page_for_maps(panels.size());
  const std::size_t columns = columns_of_maps(panels.size());
  return Figure{"weights", title}
      .described(attend_sentence("maps_description", {{"maps", counted(shown.size(), "heat map")},
                                                      {"queries", run.queries},
                                                      {"keys", run.keys},
                                                      {"title", title}}))
      .captioned(weights_caption(run, shown))
      .all_panels(std::move(panels))
      .in_columns(columns)
      .sharing_scale(scale)
      .sharing_axes()
      .on_page(page.width, page.height);
}

std::optional<Figure> attend_arcs_figure(const AttendRun& run) {
  if (is_pooled(run.map)) return std::nullopt;
  const std::vector<ShownMatrix> shown = shown_matrices(run);
  const auto [queries, keys, rows, columns, pool] = run.map;
  WordWeights words{words_or_numbers(cell_names(run.labels, queries, rows), queries.begin, queries.end),
                    words_or_numbers(cell_names(run.key_labels, keys, columns), keys.begin, keys.end),
                    {}};
  std::vector<double> weights;
  for (const ShownMatrix& matrix : shown) {
    const Tensor<double>& map = run.summaries[matrix.index].map;
    weights.insert(weights.end(), map.begin(), map.end());
    if (run.has_heads) words.heads.push_back(matrix.name);
  }
  words.weights = to_tensor(weights, {shown.size(), rows, columns});
  if (rows == run.queries) words.shows = {"weights", shown.front().index * run.queries};
  return arcs_figure(words, arc_title(words), about_tokens(run));
}

Figure attend_weights_figure(const AttendRun& run) {
  return weight_maps(run, weights_title(run, shown_matrices(run)));
}

Figure attend_statistics_figure(const AttendRun& run) {
  const std::vector<ShownMatrix> shown = as_many_as_fit(all_matrices(run));
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < statistics().size(); ++i) {
    panels.push_back(statistic_panel(run, shown, statistics()[i], i));
  }
  const Text title = weights_title(run, shown);
  return Figure{"statistics", title}
      .described(attend_sentence("bars_description", {{"title", title}}))
      .captioned(attend_sentence("bars_caption", {{"entry", of_entry(run)}}))
      .all_panels(std::move(panels))
      .in_columns(3)
      .on_page(16.0, 9.0);
}

}  // namespace attnlab
