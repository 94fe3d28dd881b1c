// Weights that exist already as maps and bars. Titles say only what the numbers say: which is the largest.
#include "attend/drawn.hpp"
#include "core/constants.hpp"
#include "core/counted.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

/// Beyond so many bars their numbers and names would touch.
constexpr std::size_t most_numbered_bars = 12;

bool has_one_choice(const double* row, std::size_t keys) {
  return keys > 1 && std::count_if(row, row + keys, [](double weight) { return weight != 0.0; }) == 1;
}

const double* drawn_row(const DrawnWeights& drawn, std::size_t head, std::size_t query) {
  return drawn.weights.data() + (head * drawn.run.queries + query) * drawn.run.keys;
}

/// "0.93" as it stands in the cells, "1.2e-05".
std::string in_two_digits(double value) {
  return value >= 0.1 && value < 100.0 ? fmt::format("{:.2f}", value) : fmt::format("{:.2g}", value);
}

Text place_of_head(const DrawnWeights& drawn, std::size_t head) {
  if (!drawn.run.has_heads) return Text::none();
  return attend_sentence(drawn.layers > 1 ? "of_layer_head" : "of_head",
                         {{"layer", drawn.layer}, {"head", head}});
}

Text largest_title(const DrawnWeights& drawn, const std::optional<PlacedWeight>& largest,
                   const std::string& sentence) {
  if (!largest) return attend_sentence("all_nan");
  return attend_sentence(
      sentence, {{"what", attend_sentence(drawn.faults.empty() ? "largest_weight" : "largest_number")},
                 {"query", token_name(drawn.run.labels, largest->query)},
                 {"key", token_name(drawn.run.key_labels, largest->key)},
                 {"value", in_two_digits(largest->value)},
                 {"head", place_of_head(drawn, largest->head)}});
}

void add_notes(const DrawnWeights& drawn, Figure& figure) {
  if (drawn.layers > 1)
    add_to_caption(figure,
                   attend_sentence("drawn_layer", {{"layer", drawn.layer}, {"layers", drawn.layers}}));
  if (!drawn.faults.empty())
    add_to_caption(figure, attend_sentence("no_weights_caption", {{"faults", listed(drawn.faults)}}));
}

/// Frames the cell that the title names, where a cell is one number.
void mark_largest(const DrawnWeights& drawn, Figure& figure) {
  const MapSize& size = drawn.run.map;
  const std::size_t rows = size.queries.end - size.queries.begin;
  const std::size_t columns = size.keys.end - size.keys.begin;
  if (!drawn.largest || size.cell_rows != rows || size.cell_columns != columns) return;
  for (Panel& panel : figure.panels) {
    auto& map = std::get<HeatMap>(panel.content);
    if (map.id != fmt::format("weights[{}]", drawn.largest->head)) continue;
    map.marked.assign(rows * columns, false);
    map.marked[(drawn.largest->query - size.queries.begin) * columns + drawn.largest->key - size.keys.begin] =
        true;
    add_to_caption(figure, attend_sentence("framed"));
  }
}

/// From 0 to the largest number of any head, or to below the least that is negative.
Interval reach_of_bars(const DrawnWeights& drawn, KeyRange heads) {
  Interval reach{0.0, 0.0};
  for (std::size_t head = heads.begin; head < heads.end; ++head) {
    const double* row = drawn_row(drawn, head, drawn.query);
    const Interval own = extremes(to_tensor(std::vector<double>(row, row + drawn.run.keys)));
    reach = {std::min(reach.low, 1.25 * own.low), std::max(reach.high, 1.1 * own.high)};
  }
  return reach.low < reach.high ? reach : Interval{};
}

Panel bars_of(const DrawnWeights& drawn, const ShownMatrix& head, const Interval& reach) {
  const KeyRange keys = drawn.run.map.keys;
  const double* row = drawn_row(drawn, head.index, drawn.query);
  const std::size_t count = keys.end - keys.begin;
  Bars bars = Bars{fmt::format("row[{}]", head.index), {row + keys.begin, row + keys.end}}.with_numbers(
      count <= most_numbered_bars ? 2 : no_numbers);
  bars.shows = {"weights", head.index * drawn.run.queries + drawn.query};
  const auto largest = largest_weight(drawn, {head.index, head.index + 1}, {drawn.query, drawn.query + 1});
  if (largest) bars.marked = largest->key - keys.begin;
  std::vector<ShortText> names;
  const std::vector<std::string>& labels = drawn.run.key_labels;
  const bool are_counted = labels.empty() && keys.begin == 0 && count > most_numbered_bars;
  for (std::size_t key = keys.begin; key < keys.end && !are_counted; ++key)
    names.emplace_back(labels.empty() ? std::to_string(key) : labels[key]);
  return {drawn.run.has_heads ? head.name : Text::none(),
          Chart{Axis{{"キー", "Key"}}.named(std::move(names)),
                Axis{{"注意度", "Weight"}}.within(reach.low, reach.high),
                {std::move(bars)}}};
}

}  // namespace

std::optional<PlacedWeight> largest_weight(const DrawnWeights& drawn, KeyRange heads, KeyRange queries) {
  std::optional<PlacedWeight> of_choices;
  std::optional<PlacedWeight> of_singles;
  const KeyRange keys = drawn.run.map.keys;
  for (std::size_t head = heads.begin; head < heads.end; ++head) {
    for (std::size_t query = queries.begin; query < queries.end; ++query) {
      const double* row = drawn_row(drawn, head, query);
      auto& largest = has_one_choice(row, drawn.run.keys) ? of_singles : of_choices;
      for (std::size_t key = keys.begin; key < keys.end; ++key) {
        if (row[key] > (largest ? largest->value : -infinity)) largest = {head, query, key, row[key]};
      }
    }
  }
  if (!of_choices) return of_singles;
  of_choices->leaves_out_single = of_singles && of_singles->value > of_choices->value;
  return of_choices;
}

Text token_name(const std::vector<std::string>& labels, std::size_t place) {
  if (labels.empty()) return text("トークン {}", "Token {}", place);
  return text("「{}」", "“{}”", labels[place]);
}

Figure drawn_maps_figure(const DrawnWeights& drawn) {
  Figure figure = weight_maps(
      drawn.run, largest_title(drawn, drawn.largest, drawn.is_row ? "largest_of_key" : "largest_of_pair"));
  mark_largest(drawn, figure);
  add_notes(drawn, figure);
  if (drawn.largest && drawn.largest->leaves_out_single)
    add_to_caption(figure, attend_sentence("single_keys"));
  return figure;
}

Figure drawn_row_figure(const DrawnWeights& drawn) {
  const std::vector<ShownMatrix> shown = shown_matrices(drawn.run);
  const KeyRange heads{shown.front().index, shown.back().index + 1};
  const Text title = largest_title(drawn, largest_weight(drawn, heads, {drawn.query, drawn.query + 1}),
                                   drawn.is_row ? "largest_of_key" : "largest_of_query");
  const Interval reach = reach_of_bars(drawn, heads);
  std::vector<Panel> panels;
  panels.reserve(shown.size());
  for (const ShownMatrix& head : shown) panels.push_back(bars_of(drawn, head, reach));
  const Text description = attend_sentence(
      "drawn_row_description", {{"panels", counted(panels.size(), "bar chart")}, {"title", title}});
  const PageSize page = panels.size() == 1 ? PageSize{} : page_for_maps(panels.size());
  Figure figure =
      Figure{"row", title}
          .described(description)
          .captioned(attend_sentence("drawn_row_caption", {{"query", drawn.query},
                                                           {"queries", drawn.run.queries},
                                                           {"keys", counted(drawn.run.keys, "key")}}))
          .all_panels(std::move(panels))
          .in_columns(columns_of_maps(shown.size()))
          .sharing_axes()
          .on_page(page.width, page.height);
  add_notes(drawn, figure);
  return figure;
}

}  // namespace attnlab
