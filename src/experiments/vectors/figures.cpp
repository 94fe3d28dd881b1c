// The pictures of the vectors experiment: the idea in words, arrows by weight, bars, and products of
// matrices.
#include "experiments/vectors/vectors.hpp"

#include "experiments/framework/plane.hpp"

namespace attnlab {
namespace {

/// "36°", "−45°"
std::string degrees_text(double degrees) {
  return fmt::format("{}{:.4g}°", degrees < 0.0 ? "−" : "", std::abs(degrees));
}

/// "(0.707, −0.123)", the first of these points (m, 2): three digits, a typographic minus, no "−0.000".
std::string point_text(const Tensor<double>& points) {
  const auto coordinate = [](double value) {
    return fmt::format("{}{:.3f}", value < -0.0005 ? "−" : "", std::abs(value));
  };
  return fmt::format("({}, {})", coordinate(points(0, 0)), coordinate(points(0, 1)));
}

std::vector<ShortText> key_angles(const VectorsRun& run) {
  std::vector<ShortText> angles;
  const std::size_t count = run.vectors.shape().front();
  for (std::size_t i = 0; i < count; ++i) angles.emplace_back(degrees_text(degrees_of(run, i)));
  return angles;
}

// --- The idea in words -------------------------------------------------------------------------------------

/// 吾輩は猫である。名前はまだない。 - a word with its place in a plane, chosen by hand so that 名前 (the
/// query) lies nearer to what it is about.
struct Word {
  const char* ja;
  const char* en;
  double x;
  double y;
};
constexpr Word query_word{"名前", "name", 1.2, 0.6};
constexpr std::array<Word, 4> words{
    {{"吾輩", "I", 1.0, 0.4}, {"猫", "cat", 1.2, 0.5}, {"まだ", "yet", -0.4, 0.8}, {"ない", "no", 0.2, 1.2}}};

Text text_of(const Word& word) { return {word.ja, word.en}; }

Tensor<double> word_weights() {
  const Tensor<double> query{{query_word.x, query_word.y}};
  Tensor<double> keys = Tensor<double>::from_shape({words.size(), 2});
  for (std::size_t i = 0; i < words.size(); ++i) {
    keys(i, 0) = words.at(i).x;
    keys(i, 1) = words.at(i).y;
  }
  return scaled_dot_product_attention(query, keys, keys, {1.0, {}}).weights;
}

// Both panels read from left to right, the words in the same rows.
constexpr double left = 0.0;
constexpr double right = 1.0;
constexpr double middle = 0.5;

double height_of(std::size_t word) {
  return (0.5 + static_cast<double>(word)) / static_cast<double>(words.size());
}

/// Fig. 2.2.1: arrows from the query to the keys, as wide as the weights written there.
Diagram weights_diagram(const Tensor<double>& weights, double highest) {
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  diagram.nodes.push_back({"query", text("クエリ：{}", "query: {}", text_of(query_word)), left, middle});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double weight = weights(0, i);
    diagram.nodes.push_back({fmt::format("keys[{}]", i), text_of(words.at(i)), right, height_of(i)});
    diagram.nodes.back().note = Text::same(fmt::format("{:.2f}", weight));
    diagram.edges.push_back({0, i + 1, weight / highest});
  }
  return diagram;
}

/// Fig. 2.2.2: each value times its weight, all added up.
Diagram output_diagram(const Tensor<double>& weights, double highest) {
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  for (std::size_t i = 0; i < words.size(); ++i) {
    diagram.nodes.push_back({fmt::format("values[{}]", i),
                             text("{:.2f} × {}", "{:.2f} × {}", weights(0, i), text_of(words.at(i))), left,
                             height_of(i)});
    diagram.edges.push_back({i, words.size(), weights(0, i) / highest});
  }
  diagram.nodes.push_back({"output", {"出力", "output"}, right, middle});
  return diagram;
}

Figure word_figure() {
  const Tensor<double> weights = word_weights();
  const std::size_t best = largest_key(weights, 0);
  const double highest = weights(0, best);
  return Figure{"idea", text("クエリ「{}」の注意度は「{}」が最大（{:.2f}）",
                             "The query “{}” attends most to “{}” ({:.2f})", text_of(query_word),
                             text_of(words.at(best)), highest)}
      .described(text(
          "左はクエリ「{}」から各キーへの矢印で、太さが注意度。右は注意度を掛けたバリューの合計が出力になる図。",
          "Left, arrows from the query “{}” to each key, as wide as the weights. Right, the values times their weights add up to the output.",
          text_of(query_word)))
      .captioned({"「吾輩は猫である。名前はまだない。」埋め込み（2 次元）は説明用に手で作ったもの。",
                  "“I am a cat. As yet I have no name.” The embedding (2-D) is made by hand."})
      .panel({"注意度", "Weights"}, weights_diagram(weights, highest))
      .panel({"注意度 × バリューの合計", "Sum of weight × value"}, output_diagram(weights, highest))
      .in_columns(2)
      .on_page(12.0, 5.0);
}

// --- Arrows ----------------------------------------------------------------------------------------------

// Above this, labels at every arrow tip would hide the arrows.
constexpr std::size_t most_labelled_arrows = 16;

// An axis in units of what is shown: labels beside the tips are wider than they are high.
constexpr double label_space = 1.64;
constexpr double line_space = 1.3;

/// Keys coloured by the first query's weights; `labels` has one text per key.
Arrows key_arrows(const std::string& id, const std::string& stage, const Tensor<double>& vectors,
                  const std::vector<double>& weights, const std::vector<std::string>& labels,
                  double highest) {
  Arrows keys{id, {}, weight_colours(0.0, highest)};
  keys.shows.stage = stage;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    keys.arrows.push_back({vectors(i, 0), vectors(i, 1), Text::same(labels[i]), weights[i], foreground_ink});
  }
  return keys;
}

/// From the smallest to the largest coordinate of the vectors (n, 2) and of the unit circle.
Interval extent_of(const Tensor<double>& vectors, std::size_t coordinate) {
  Interval extent{-1.0, 1.0};
  for (std::size_t i = 0; i < vectors.shape().front(); ++i) {
    extent.low = std::min(extent.low, vectors(i, coordinate));
    extent.high = std::max(extent.high, vectors(i, coordinate));
  }
  return extent;
}

Interval united(const Interval& one, const Interval& other) {
  return {std::min(one.low, other.low), std::max(one.high, other.high)};
}

/// The unit circle, the keys, the first query and what it is answered; with room for these vectors too.
Chart plane(const VectorsRun& run, double space, const Tensor<double>& vectors, const Arrows& keys,
            const Tensor<double>& output) {
  const Interval x = united(extent_of(run.vectors, 0), extent_of(vectors, 0));
  const Interval y = united(extent_of(run.vectors, 1), extent_of(vectors, 1));
  const double length = std::max(x.high - x.low, y.high - y.low);  // of panels side by side as well
  const Tensor<double>& queries = run.requested.queries;
  const Arrow query{queries(0, 0), queries(0, 1), {"クエリ", "query"}, {}, series_ink(1), true};
  const Arrow answer{output(0, 0), output(0, 1), {"出力", "output"}, {}, series_ink(2)};
  Chart chart{axis_around(Text::same("x"), x, space * length),
              axis_around(Text::same("y"), y, line_space * length)};
  chart.layers = {Circle{keys.id + ".unit"}, keys, Arrows{keys.id + ".answer", {query, answer}}};
  chart.equal_units = true;
  return chart;
}

/// How many digits tell weights apart of which the largest is `highest`: 5 among hundreds of keys.
int weight_decimals(double highest) { return highest < 0.01 ? 5 : 3; }

std::string weight_text(double weight, double highest) {
  return fmt::format("{:.{}f}", weight, weight_decimals(highest));
}

/// "v2  0.212": the book counts its vectors from 1.
std::string key_label(std::size_t index, const std::string& weight) {
  return fmt::format("v{}  {}", index + 1, weight);
}

std::vector<std::string> weight_labels(const std::vector<double>& weights) {
  const auto best = std::max_element(weights.begin(), weights.end());
  const auto least = std::min_element(weights.begin(), weights.end());
  std::vector<std::string> labels(weights.size());
  for (auto weight = weights.begin(); weight != weights.end(); ++weight) {
    if (weights.size() > most_labelled_arrows && weight != best && weight != least) continue;
    const auto index = static_cast<std::size_t>(weight - weights.begin());
    labels[index] = key_label(index, weight_text(*weight, *best));
  }
  return labels;
}

/// Empty for the usual single query.
Text one_of_several(const VectorsRun& run) {
  if (run.requested.degrees.size() == 1) return Text::none();
  return text("{} 個のクエリのうち最初のもの。", "The first of {} queries.", run.requested.degrees.size());
}

Figure arrows(const VectorsRun& run) {
  const std::vector<double> weights = values_of(run.requested.attention.weights, 0);
  const Tensor<double>& output = run.requested.attention.output;
  const std::vector<std::size_t> best = largest_keys(run.requested.attention.weights, 0);
  const double highest = weights[best.front()];
  const std::string largest = weight_text(highest, highest);
  const bool are_equal = best.size() == weights.size();
  return Figure{"arrows",
                are_equal ? text("どのキーの注意度も同じ（{}）", "All keys have the same weight, {}", largest)
                          : text("近いキーほど注意度が大きい（最大 {}）",
                                 "The closer the key, the larger its weight (up to {})", largest)}
      .described(
          are_equal
              ? text(
                    "原点から出る長さ 1 の矢印 {} 本。{} のクエリに対する注意度はどれも {}。出力は {}。",
                    "{} arrows of length 1 from the origin. To the query at {} all have the weight {}. The output is {}.",
                    weights.size(), degrees_text(run.requested.degrees.front()), largest, point_text(output))
              : text(
                    "原点から出る長さ 1 の矢印 {0} 本を注意度で色分けした図。{1} のクエリに最も近い {2} の注意度が {3} で最大。出力は {4}。",
                    "{0} arrows of length 1 from the origin, coloured by weight. The one at {2}, nearest to the query at {1}, has the largest weight, {3}. The output is {4}.",
                    weights.size(), degrees_text(run.requested.degrees.front()), angles_text(run, best),
                    largest, point_text(output)))
      .captioned(one_of_several(run))
      .panel(plane(run, label_space, run.vectors,
                   key_arrows("vectors", "weights", run.vectors, weights, weight_labels(weights), highest),
                   output))
      .on_page(10.0, 7.5);
}

Figure long_vector_figure(const VectorsRun& run, const Lengthened& one) {
  const AttentionStages<double>& equal = run.requested.attention;
  const std::vector<double> before = values_of(equal.weights, 0);
  const std::vector<double> after = values_of(one.attention.weights, 0);
  const double highest = std::max(*std::max_element(before.begin(), before.end()),
                                  *std::max_element(after.begin(), after.end()));
  // Room for both outputs: the long vector itself is broken off where it leaves them behind.
  const Tensor<double> outputs{{equal.output(0, 0), equal.output(0, 1)},
                               {one.attention.output(0, 0), one.attention.output(0, 1)}};
  const WeightChange& change = one.change;
  const std::size_t name = change.index + 1;
  const auto label_of_one = [&](double weight) {
    std::vector<std::string> labels(before.size());
    labels[change.index] = key_label(change.index, fmt::format("{:.3f}", weight));
    return labels;
  };
  return Figure{"long", text("v{} の長さを {:g} にすると、注意度は {:.3f} から {:.3f} へ",
                             "v{} at length {:g}: its weight goes from {:.3f} to {:.3f}", name, one.length,
                             change.before, change.after)}
      .described(text(
          "左はすべての長さが 1 のとき、右は v{} だけ長さ {:g} のときの注意度で色分けした矢印。出力は {} から {} に移る。",
          "Arrows coloured by weight; left, all of length 1, right, v{} of length {:g}. The output moves from {} to {}.",
          name, one.length, point_text(equal.output), point_text(one.attention.output)))
      .captioned(one_of_several(run))
      .panel({"すべて長さ 1", "All of length 1"}, plane(run, line_space, outputs,
                                                        key_arrows("vectors", "weights", run.vectors, before,
                                                                   label_of_one(change.before), highest),
                                                        equal.output))
      .panel(text("v{} だけ長さ {:g}", "v{} of length {:g}", name, one.length),
             plane(run, line_space, outputs,
                   key_arrows("long_vectors", "long_weights", one.vectors, after, label_of_one(change.after),
                              highest),
                   one.attention.output))
      .in_columns(2)
      .sharing_scale(weight_colours(0.0, highest))
      .on_page(12.0, 6.75);
}

// --- Bars ------------------------------------------------------------------------------------------------

/// Where the query stands among bars at equal angles; nowhere where the keys are the user's own.
std::vector<Layer> query_among(const VectorsRun& run) {
  if (run.tape.any_read()) return {};
  const auto count = static_cast<double>(run.vectors.shape().front());
  const double turns = run.requested.degrees.front() / 360.0;
  double place = (turns - std::floor(turns)) * count;
  if (place > count - 0.5) place -= count;  // between the last bar and the first, which it is nearer to
  return {Rule{"query", Rule::Direction::vertical, place, Text::none(), series_ink(1)}};
}

Figure bars(const VectorsRun& run) {
  const std::vector<double> weights = values_of(run.requested.attention.weights, 0);
  const std::vector<std::size_t> best = largest_keys(run.requested.attention.weights, 0);
  const double highest = weights[best.front()];
  const std::string largest = weight_text(highest, highest);
  const std::string smallest = weight_text(*std::min_element(weights.begin(), weights.end()), highest);
  const Text nearest = angles_text(run, best);
  const std::string query = degrees_text(run.requested.degrees.front());
  Bars shown = Bars{"weights", weights}.with_numbers(weight_decimals(highest));
  if (best.size() == 1) shown.marked = best.front();
  std::vector<Layer> layers = query_among(run);  // behind the bars
  const Text query_axis =
      layers.empty()
          ? text("キーの角度（クエリは {}）", "Angle of the key (the query is at {})", query)
          : text("キーの角度（破線：クエリ {}）", "Angle of the key (dashed: the query, {})", query);
  layers.emplace_back(std::move(shown));
  return Figure{"bars", text("注意度の和は 1、最大は {0} の {1}",
                             "The weights sum to 1; the largest, {1}, is at {0}", nearest, largest)}
      .described(text(
          "{4} のクエリに対する {0} 個のキーの注意度の棒グラフ。{1} で最大 {2}、最小は {3}。",
          "Bar chart of the weights that the query at {4} gives to {0} keys: the largest is {2} at {1}, the smallest {3}.",
          weights.size(), nearest, largest, smallest, query))
      .captioned(one_of_several(run))
      .panel(Chart{Axis{query_axis}.named(key_angles(run)),
                   Axis{{"注意度", "Weight"}}.within(0.0, 1.25 * highest), std::move(layers)});
}

// --- Products of matrices: a V = o, and several queries at once -----------------------------------------

/// The terms have no colour bars, so the caption gives the ranges.
Text colour_ranges(double highest) {
  return text("色の範囲：注意度 0～{:.3f}、座標 −1～1。",
              "Colours: weights 0 to {:.3f}, coordinates −1 to 1.", highest);
}

ColourScale coordinate_colours() { return {Palette::rdbu, -1.0, 1.0, {"座標", "Coordinate"}}; }

MatrixTerm term(const std::string& id, const Tensor<double>& matrix, const char* name, ColourScale scale) {
  return matrix_term(id, formula::read(name), matrix, std::move(scale), 2);
}

/// softmax( Q × Kᵀ ) = A, with this run's scale.
MatrixEquation queries_equation(const VectorsRun& run) {
  using namespace formula;
  const Tensor<double>& weights = run.several.attention.weights;
  std::vector<Formula> before{sym("softmax"), sym("(")};
  if (run.scale && *run.scale != 1.0) before.push_back(sym(fmt::format("{:g}", *run.scale)));
  const Formula after = read(run.scale ? ")" : "/ \\sqrt{d} )");
  MatrixTerm queries = term("queries", run.several.queries, "Q", coordinate_colours());
  MatrixTerm keys = term("keys", transpose(run.vectors), "K^T", coordinate_colours());
  MatrixTerm answer = term("weights", weights, "A", weight_colours(0.0, largest(weights)));
  for (const double degrees : run.several.degrees) queries.map.row_labels.emplace_back(degrees_text(degrees));
  keys.map.column_labels = key_angles(run);
  answer.map.column_labels = key_angles(run);
  return {
      {OperatorTerm{row(before)}, queries, between("×"), keys, OperatorTerm{after}, between("="), answer}};
}

/// Textbook fig. 2.2.7: the weights of the first query times the values give the output.
Figure matrix_figure(const VectorsRun& run) {
  const Tensor<double> first = xt::view(run.requested.attention.weights, 0);
  const MatrixTerm weights = term("weights", first, "a", weight_colours(0.0, largest(first)));
  const MatrixTerm output =
      term("output", xt::view(run.requested.attention.output, 0), "o", coordinate_colours());
  MatrixTerm values = term("values", run.vectors, "V", coordinate_colours());
  values.map.row_labels = key_angles(run);
  values.map.shows = {"vectors"};
  return Figure{"matrix", text("注意度 × バリュー = 出力 {}", "Weights × values = output {}",
                               point_text(run.requested.attention.output))}
      .described(text("注意度の行ベクトル {} とバリューの行列 {} の積が出力 {} になる図。",
                      "The row of weights {} times the matrix of values {} gives the output {}.",
                      weights.shape, values.shape, output.shape))
      .captioned(colour_ranges(largest(first)))
      .panel(MatrixEquation{{weights, between("×"), values, between("="), output}});
}

/// Textbook fig. 2.2.12: all queries times all keys, and softmax by rows.
Figure queries_figure(const VectorsRun& run) {
  const std::size_t m = run.several.degrees.size();
  const std::size_t n = run.vectors.shape().front();
  return Figure{"queries", m == 1 ? Text{"1 つのクエリ：注意度の和は 1", "One query: its weights sum to 1"}
                                  : text("{} 個のクエリを一度に：各行の和は 1",
                                         "{} queries at once: each row sums to 1", m)}
      .described(text(
          "クエリの行列 {} とキーの転置 {} の積に softmax を行ごとに施すと、注意度の行列 {} になる図。",
          "Softmax by rows of the queries {} times the transposed keys {} gives the matrix of weights {}.",
          shape_text({m, 2}), shape_text({2, n}), shape_text({m, n})))
      .captioned(colour_ranges(largest(run.several.attention.weights)))
      .panel(queries_equation(run))
      .on_page(12.0, 3.9 + 0.2 * static_cast<double>(m));
}

}  // namespace

Text angles_text(const VectorsRun& run, const std::vector<std::size_t>& keys) {
  if (keys.size() > 2) return text("{} 個", "{}", keys.size());
  const std::string first = degrees_text(degrees_of(run, keys.front()));
  if (keys.size() == 1) return Text::same(first);
  return text("{} と {}", "{} and {}", first, degrees_text(degrees_of(run, keys.back())));
}

bool fits_matrix_figures(const VectorsRun& run) {
  return run.vectors.shape().front() <= most_matrix_keys && run.several.degrees.size() <= most_matrix_queries;
}

std::vector<Figure> figures(const VectorsRun& run) {
  std::vector<Figure> all{arrows(run), bars(run)};
  if (fits_matrix_figures(run)) all.push_back(matrix_figure(run));
  all.push_back(word_figure());
  if (run.lengthened) all.push_back(long_vector_figure(run, *run.lengthened));
  if (fits_matrix_figures(run)) all.push_back(queries_figure(run));
  return all;
}

}  // namespace attnlab
