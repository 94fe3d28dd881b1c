// The figures of `additive`: the weights side by side, the network, and the network without its hidden layer.
#include "core/counted.hpp"
#include "experiments/additive/additive.hpp"

namespace attnlab {
namespace {

HeatMap weights_map(const std::string& id, const Tensor<double>& weights) {
  return HeatMap{id, to_matrix(weights)}
      .rows({"クエリ", "Query"})
      .columns({"キー", "Key"})
      .coloured(weight_colours())
      .with_numbers(2);
}

Text drawn_with(const AdditiveRun& run) {
  return text("{}、d_q {}、d_k {}、隠れ層 {}。学習前。", "{}, d_q {}, d_k {}, {} hidden units, untrained.",
              run.tape.described(), run.d_q, run.d_k, run.units);
}

// --- The weights side by side

Text weights_title(const AdditiveRun& run) {
  if (!run.dot) {
    return text("次元が {} と {} でも加法アテンションならスコアを計算できる",
                "Additive attention compares widths {} and {}", run.d_q, run.d_k);
  }
  constexpr double nearly_all = 0.9;
  const Tensor<double> best = row_maximum(run.dot->plain);
  if (*std::min_element(best.begin(), best.end()) >= nearly_all && largest(run.attention.weights) < 0.5) {
    return {"内積は √d で割らないと 1 個のキーに集中する。加法なら集中しない",
            "Unscaled, dot products pick one key; additive scores do not"};
  }
  return text("最大の注意度：加法アテンション {}、内積 {}、スケール化内積 {}",
              "Largest weight: additive {}, dot product {}, scaled {}",
              largest_in_two_digits(run.attention.weights), largest_in_two_digits(run.dot->plain),
              largest_in_two_digits(run.dot->scaled));
}

Figure weights_figure(const AdditiveRun& run) {
  std::vector<Panel> panels{
      {{"加法アテンション", "Additive"}, weights_map("weights", run.attention.weights)}};
  if (run.dot) {
    panels.push_back({{"内積", "Dot product"}, weights_map("dot_weights", run.dot->plain)});
    panels.push_back(
        {{"スケール化（÷ √d）", "Scaled (÷ √d)"}, weights_map("scaled_dot_weights", run.dot->scaled)});
  }
  const std::size_t count = panels.size();
  const Text title = weights_title(run);
  return Figure{"weights", title}
      .described(text(
          "同じクエリ {0} 個とキー {1} 個に対する注意度のヒートマップ {2} 枚。行はクエリ、列はキー、各行の和は 1。{3}。",
          "{2} of the weights of the same {0} (rows) on {1} (columns); every row sums to 1. {3}.",
          counted(run.queries, "query"), counted(run.keys, "key"), counted(count, "heat map"), title))
      .captioned(drawn_with(run))
      .all_panels(std::move(panels))
      .in_columns(count)
      .sharing_scale(weight_colours())
      .sharing_axes()
      .on_page(count == 1 ? 8.0 : 14.0, count == 1 ? 5.5 : 5.0);
}

// --- The network

Node words(std::string id, Text label, double x, double y) {
  Node node{std::move(id), std::move(label), x, y};
  node.framed = false;
  return node;
}

/// Fig. 2.2.3: query and key, joined, through the hidden layer to one number.
Diagram network_diagram(const AdditiveRun& run) {
  constexpr std::size_t most_units = 4;  // that are drawn
  constexpr double distance = 0.21;      // between two of them
  constexpr double middle = 0.44;
  constexpr double above = 0.18;  // beside the topmost arrows
  constexpr double width = 0.15;  // of every arrow: no weight is shown
  constexpr std::size_t query = 0;
  constexpr std::size_t key = 1;
  constexpr std::size_t joined = 2;
  constexpr std::size_t score = 3;
  Diagram diagram{{{"query", text("q: {0}", "q: {0}", run.d_q), 0.08, middle - 0.2},
                   {"key", text("k: {0}", "k: {0}", run.d_k), 0.08, middle + 0.2},
                   {"joined", text("[q; k]: {0}", "[q; k]: {0}", run.joined_width), 0.36, middle},
                   {"score", {"スコア", "score"}, 0.9, middle}},
                  {{query, joined, width}, {key, joined, width}}};
  const std::size_t drawn = std::min(run.units, most_units);
  const double half = 0.5 * static_cast<double>(drawn - 1);
  for (std::size_t unit = 0; unit < drawn; ++unit) {
    const double y = middle + distance * (static_cast<double>(unit) - half);
    if (run.units > most_units && unit == 2) {
      diagram.nodes.push_back(words("hidden.more", Text::same("···"), 0.64, y));
      continue;
    }
    const std::size_t node = diagram.nodes.size();
    diagram.nodes.push_back({fmt::format("hidden[{}]", unit), Text::same("tanh"), 0.64, y});
    diagram.edges.push_back({joined, node, width});
    diagram.edges.push_back({node, score, width});
  }
  diagram.nodes.push_back(words("hidden.units", text("{} ユニット", "{}", counted(run.units, "unit")), 0.64,
                                middle + distance * half + 0.14));
  diagram.nodes.push_back(
      words("w_hidden", text("W: {} × {}", "W: {} × {}", run.joined_width, run.units), 0.43, above));
  diagram.nodes.push_back(words("w_score", text("v: {}", "v: {}", run.units), 0.81, above));
  return diagram;
}

Figure network_figure(const AdditiveRun& run) {
  return Figure{"network", text("1 つのスコアを計算するパラメータは、加法アテンション {} 個、内積 0 個",
                                "Additive attention has {} parameters, dot products none", run.parameters)}
      .described(text(
          "加法アテンションのネットワーク。{} 次元のクエリ q と {} 次元のキー k を結合した {} 次元の入力から、tanh の隠れ層 {} ユニットを経て、1 つのスコアが出る。",
          "The network of additive attention: query q ({}) and key k ({}) are joined to {} inputs, which pass through {} tanh units to one score.",
          run.d_q, run.d_k, run.joined_width, run.units))
      .captioned(text("{} × {} + {} = {}。クエリとキーのペアごとに同じネットワークを使う。",
                      "{} × {} + {} = {}. The same network for every pair of query and key.",
                      run.joined_width, run.units, run.units, run.parameters))
      .panel(network_diagram(run))
      .on_page(10.0, 5.6);
}

// --- The mistake

Figure mistake_figure(const AdditiveRun& run) {
  const double differ = difference_of_rows(run.attention.weights);
  const Text hidden = differ < 5e-4 ? text("では行の差は最大 {:.1e}", "rows differ by {:.1e} at most", differ)
                                    : Text{"では行ごとに違う", "the rows differ"};
  return Figure{"mistake", differ < 5e-4
                               ? Text{"この入力では、隠れ層があってもなくても、どのクエリも同じ注意度になる",
                                      "All queries get the same weights here, hidden layer or not"}
                               : Text{"隠れ層がないと、どのクエリも同じ注意度になる",
                                      "Without its hidden layer, all queries get the same weights"}}
      .described(text(
          "注意度のヒートマップ 2 枚。隠れ層あり{}。隠れ層なしではすべての行が同じ（行の差 {}）。",
          "Two heat maps of weights. With the hidden layer {}; without it all rows are equal (largest difference {}).",
          hidden, difference_text(difference_of_rows(run.linear.weights))))
      .captioned(drawn_with(run))
      .panel({"隠れ層あり：v · tanh([q; k] W)", "Hidden layer: v · tanh([q; k] W)"},
             weights_map("weights", run.attention.weights))
      .panel({"隠れ層なし：u·q + w·k", "No hidden layer: u·q + w·k"},
             weights_map("linear_weights", run.linear.weights))
      .in_columns(2)
      .sharing_scale(weight_colours())
      .sharing_axes()
      .on_page(12.0, 5.5);
}

}  // namespace

std::vector<Figure> figures(const AdditiveRun& run) {
  return {weights_figure(run), network_figure(run), mistake_figure(run)};
}

}  // namespace attnlab
