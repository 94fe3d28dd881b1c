// The figures of `additive`: the weights side by side, the network, and the network without its hidden layer.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/additive/additive.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

ColourScale weight_colours() {
  return {Palette::blues, 0.0, 1.0, {"注意度", "Weight"}};
}

double largest(const Tensor<double>& weights) {
  return *std::max_element(weights.begin(), weights.end());
}

Panel weights_panel(const std::string& id, Text title, const Tensor<double>& weights) {
  const bool numbers_fit = weights.shape()[1] <= 8 && weights.shape()[0] <= 8;
  return {std::move(title), HeatMap{id,
                                    to_matrix(weights),
                                    {},
                                    {},
                                    {"クエリ", "Query"},
                                    {"キー", "Key"},
                                    weight_colours(),
                                    numbers_fit ? 2 : no_numbers}};
}

Text seed_caption(const AdditiveRun& run) {
  return {
      fmt::format("乱数の種 {}、d_q {}、d_k {}、隠れ層 {}。学習前。", run.seed, run.d_q, run.d_k, run.units),
      fmt::format("Seed {}, d_q {}, d_k {}, {} hidden units, untrained.", run.seed, run.d_q, run.d_k,
                  run.units)};
}

// --- The weights side by side

Text weights_title(const AdditiveRun& run) {
  const std::string additive = two_digits(largest(run.attention.weights));
  if (!run.dot) {
    return {fmt::format("次元が {} と {} でも加法なら計算できる", run.d_q, run.d_k),
            fmt::format("Additive attention takes widths {} and {}", run.d_q, run.d_k)};
  }
  const std::string plain = two_digits(largest(run.dot->plain.weights));
  const std::string scaled = two_digits(largest(run.dot->scaled.weights));
  return {fmt::format("最大の注意度：加法 {}、内積 {}、スケール化内積 {}", additive, plain, scaled),
          fmt::format("Largest weight: additive {}, dot product {}, scaled {}", additive, plain, scaled)};
}

Figure weights_figure(const AdditiveRun& run) {
  std::vector<Panel> panels{weights_panel("weights", {"加法", "Additive"}, run.attention.weights)};
  if (run.dot) {
    panels.push_back(weights_panel("dot_weights", {"内積", "Dot product"}, run.dot->plain.weights));
    panels.push_back(weights_panel("scaled_dot_weights",
                                   {"スケール化内積（÷ √d）", "Scaled dot product (÷ √d)"},
                                   run.dot->scaled.weights));
  }
  const std::size_t count = panels.size();
  const Text title = weights_title(run);
  return {
      "weights",
      title,
      {fmt::format("同じクエリ {} 個とキー {} 個に対する注意度のヒートマップ {} 枚。行はクエリ、列はキー、"
                   "各行の和は 1。{}。",
                   run.query.shape()[0], run.key.shape()[0], count, title.ja()),
       fmt::format("{} heat map(s) of the weights of the same {} queries (rows) on {} keys (columns); "
                   "every row sums to 1. {}.",
                   count, run.query.shape()[0], run.key.shape()[0], title.en())},
      seed_caption(run),
      std::move(panels),
      count,
      weight_colours(),
      count == 1 ? PageSize{8.0, 5.5} : PageSize{14.0, 5.0},
      true};
}

// --- The network

Node box(std::string id, const std::string& text, double x, double y) {
  return {std::move(id), Text::same(text), x, y, std::nullopt, true};
}

Node words(std::string id, Text text, double x, double y) {
  return {std::move(id), std::move(text), x, y, std::nullopt, false};
}

constexpr double edge_weight = 0.15;  // arrows all of one width: no weight is shown
constexpr double middle = 0.44;

/// Fig. 2.2.3: query and key, joined, through the hidden layer to one number.
Diagram network_diagram(const AdditiveRun& run) {
  constexpr std::size_t query = 0;
  constexpr std::size_t key = 1;
  constexpr std::size_t joined = 2;
  constexpr std::size_t score = 3;
  Diagram diagram{{box("query", fmt::format("q: {}", run.d_q), 0.08, middle - 0.2),
                   box("key", fmt::format("k: {}", run.d_k), 0.08, middle + 0.2),
                   box("joined", fmt::format("[q; k]: {}", run.d_q + run.d_k), 0.36, middle),
                   {"score", {"スコア", "score"}, 0.9, middle, std::nullopt, true}},
                  {{query, joined, edge_weight, Text::same("")}, {key, joined, edge_weight, Text::same("")}},
                  std::nullopt};
  const std::size_t drawn = std::min<std::size_t>(run.units, 4);
  for (std::size_t unit = 0; unit < drawn; ++unit) {
    const double offset = static_cast<double>(unit) - 0.5 * static_cast<double>(drawn - 1);
    const double y = middle + 0.21 * offset;
    if (drawn == 4 && unit == 2 && run.units > 4) {
      diagram.nodes.push_back(words("hidden.more", Text::same("⋮"), 0.64, y));
      continue;
    }
    const std::size_t node = diagram.nodes.size();
    diagram.nodes.push_back(box(fmt::format("hidden[{}]", unit), "tanh", 0.64, y));
    diagram.edges.push_back({joined, node, edge_weight, Text::same("")});
    diagram.edges.push_back({node, score, edge_weight, Text::same("")});
  }
  const double below = middle + 0.21 * 0.5 * static_cast<double>(drawn - 1) + 0.14;
  diagram.nodes.push_back(words(
      "hidden.units",
      {fmt::format("{} ユニット", run.units), fmt::format("{} unit{}", run.units, run.units == 1 ? "" : "s")},
      0.64, below));
  constexpr double above = 0.18;  // beside the topmost arrows
  diagram.nodes.push_back(
      words("w_hidden", Text::same(fmt::format("W: {} × {}", run.d_q + run.d_k, run.units)), 0.43, above));
  diagram.nodes.push_back(words("w_score", Text::same(fmt::format("v: {}", run.units)), 0.81, above));
  return diagram;
}

Figure network_figure(const AdditiveRun& run) {
  const std::size_t parameters = parameter_count(run);
  const std::size_t inputs = run.d_q + run.d_k;
  return {
      "network",
      {fmt::format("パラメータは加法 {} 個、内積 0 個", parameters),
       fmt::format("{} parameters score a pair; the dot product has none", parameters)},
      {fmt::format("加法アテンションのネットワーク。{} 次元のクエリ q と {} 次元のキー k を結合した {} 次元の"
                   "入力から、tanh の隠れ層 {} ユニットを経て、1 つのスコアが出る。",
                   run.d_q, run.d_k, inputs, run.units),
       fmt::format("The network of additive attention: query q ({}) and key k ({}) are joined to {} inputs, "
                   "which pass through {} tanh units to one score.",
                   run.d_q, run.d_k, inputs, run.units)},
      {fmt::format("{} × {} + {} = {}。クエリとキーのペアごとに同じネットワークを使う。", inputs, run.units,
                   run.units, parameters),
       fmt::format("{} × {} + {} = {}. The same network for every pair of query and key.", inputs, run.units,
                   run.units, parameters)},
      {{Text::same(""), network_diagram(run)}},
      1,
      {},
      {10.0, 5.6}};
}

// --- The mistake

Figure mistake_figure(const AdditiveRun& run) {
  return {"mistake",
          {"隠れ層がないと、どのクエリも同じ注意度になる",
           "Without the hidden layer every query gets the same weights"},
          {fmt::format("注意度のヒートマップ 2 枚。隠れ層ありでは行ごとに違う。隠れ層なしではすべての行が同じ"
                       "（行の差は最大 {:.1e}）。",
                       run.linear.largest_difference),
           fmt::format("Two heat maps of weights. With the hidden layer the rows differ; without it all rows "
                       "are equal (largest difference {:.1e}).",
                       run.linear.largest_difference)},
          seed_caption(run),
          {weights_panel("weights", {"隠れ層あり：v · tanh([q; k] W)", "Hidden layer: v · tanh([q; k] W)"},
                         run.attention.weights),
           weights_panel("linear_weights", {"隠れ層なし：u·q + w·k", "No hidden layer: u·q + w·k"},
                         run.linear.weights)},
          2,
          weight_colours(),
          {12.0, 5.5},
          true};
}

}  // namespace

std::vector<Figure> additive_figures(const AdditiveRun& run) {
  return {weights_figure(run), network_figure(run), mistake_figure(run)};
}

}  // namespace attnlab
