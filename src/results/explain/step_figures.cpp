#include "core/named.hpp"
#include "results/explain/explanation.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_rows = 48;
constexpr std::size_t most_numbered = 8;  // rows and columns whose cells have room for numbers

/// A stage on the way, the symbol it goes by, and what it is.
struct Station {
  std::string_view stage;
  std::string_view symbol;  // "": the stage's formula
  Text meaning;
  enum class Kind { input, result };
  Kind kind = Kind::result;
};

/// Stations in the order of the computation; the way is only taken where it reaches its goal.
struct Route {
  Text title;
  std::string_view goal;
  std::vector<Station> stations;
};

Route attention_route() {
  return {{"クエリから出力まで、1 段階ずつ", "From the queries to the output, step by step"},
          "weights",
          {{"query", "Q", {"クエリ", "the queries"}, Station::Kind::input},
           {"queries", "Q", {"クエリ", "the queries"}, Station::Kind::input},
           {"key", "K", {"キー", "the keys"}, Station::Kind::input},
           {"keys", "K", {"キー", "the keys"}, Station::Kind::input},
           {"vectors",
            "K",
            {"キー（バリューも同じ）", "the keys, which are the values too"},
            Station::Kind::input},
           {"value", "V", {"バリュー", "the values"}, Station::Kind::input},
           {"values", "V", {"バリュー", "the values"}, Station::Kind::input},
           {"raw_scores", "", {"内積", "dot products"}},
           {"scores", "", {"スコア", "scores"}},
           {"masked", "", {"マスクしたスコア", "masked scores"}},
           {"weights", "", {"注意度", "weights"}},
           {"head_output", "", {"ヘッドの出力", "the head's output"}},
           {"concat", "", {"すべてのヘッドを結合", "all heads side by side"}},
           {"output", "", {"出力", "the output"}}}};
}

/// Of one row that is read tile by tile.
Route tiles_route() {
  return {{"1 行を読みながら、1 段階ずつ", "One row as it is read, step by step"},
          "running_sum",
          {{"query", "q", {"クエリ", "the query"}, Station::Kind::input},
           {"key", "K", {"キー", "the keys"}, Station::Kind::input},
           {"value", "V", {"バリュー", "the values"}, Station::Kind::input},
           {"masked", "S", {"スコア", "scores"}},
           {"running_maximum", "m", {"各タイルまでの最大", "the maximum after each tile"}},
           {"factor", "f", {"それまでの和に掛け直す係数", "what the sums so far are multiplied by"}},
           {"running_sum", "s", {"各タイルまでの exp の和", "the sum of exp after each tile"}},
           {"accumulator", "O", {"各タイルまでの重み付きの和", "the weighted sum after each tile"}},
           {"tile_output", "y", {"各タイルの後の出力", "the output after each tile"}}}};
}

/// Of a language model: GPT's architecture as the slides draw it.
Route decoding_route() {
  return {{"単語から次の語の確率まで、1 段階ずつ",
           "From the words to the next one's probabilities, step by step"},
          "probabilities",
          {{"embedded", "TE", {"単語の埋め込み", "the words' embeddings"}},
           {"x", "X", {"位置を足した残差ストリーム", "with positions: the residual stream"}},
           {"layer_0_output", "X_1", {"層 0 の後の残差ストリーム", "the residual stream after layer 0"}},
           {"layer_1_output", "X_2", {"層 1 の後の残差ストリーム", "the residual stream after layer 1"}},
           {"layer_2_output", "X_3", {"層 2 の後の残差ストリーム", "the residual stream after layer 2"}},
           {"layer_3_output", "X_4", {"層 3 の後の残差ストリーム", "the residual stream after layer 3"}},
           {"final_norm", "LN", {"最後のレイヤ正規化", "the last layer norm"}},
           {"logits", "logits", {"ロジット", "the logits"}},
           {"probabilities", "P", {"次の語の確率", "probabilities of the next word"}}}};
}

struct Step {
  const Stage* stage = nullptr;
  const Station* station = nullptr;
};

/// Stages that are there, in the order of the computation, without those that change nothing: no mask, no
/// scaling.
std::vector<Step> steps_of(const Report& report, const Route& route) {
  std::vector<Step> steps;
  for (const Station& station : route.stations) {
    const Stage* found = find_named(report.stages, station.stage);
    if (found == nullptr) continue;
    const Array* before = steps.empty() ? nullptr : &steps.back().stage->array;
    if (before != nullptr && found->array.shape == before->shape && found->array.data == before->data)
      continue;
    steps.push_back({found, &station});
  }
  return steps;
}

/// The last two axes as a matrix; of the axes before them the first entry.
Matrix first_matrix(const Array& array) {
  const std::size_t rank = array.shape.size();
  const std::size_t columns = rank == 0 ? 1 : array.shape[rank - 1];
  const std::size_t rows = rank < 2 ? 1 : array.shape[rank - 2];
  const auto end = array.data.begin() + static_cast<std::ptrdiff_t>(rows * columns);
  return {rows, columns, {array.data.begin(), end}};
}

bool fits(const Matrix& matrix) {
  return matrix.rows > 0 && matrix.columns > 0 && std::max(matrix.rows, matrix.columns) <= most_rows;
}

/// Blue from 0 where nothing is negative, else around zero; minus infinity, as a mask gives it, does not
/// count.
ColourScale scale_of(const Matrix& matrix) {
  double low = 0.0;
  double high = 0.0;
  for (const double value : matrix.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double reach = std::max(-low, high) > 0.0 ? std::max(-low, high) : 1.0;
  if (low < 0.0) return {Palette::rdbu, -reach, reach, Text::same("")};
  return {Palette::blues, 0.0, reach, Text::same("")};
}

Formula name_of(const Step& step) {
  const bool is_input = step.stage->formula.kind == Formula::Kind::row && step.stage->formula.parts.empty();
  if (!step.station->symbol.empty() || is_input) return formula::read(step.station->symbol);
  return step.stage->formula;
}

MatrixTerm term_of(const Step& step, CellFill fill) {
  Matrix values = first_matrix(step.stage->array);
  const ColourScale scale = scale_of(values);
  const std::string range = fmt::format(scale.low < 0.0 ? "±{:.2g}" : "0–{:.2g}", scale.high);
  const int decimals = std::max(values.rows, values.columns) <= most_numbered ? 2 : no_numbers;
  HeatMap map = HeatMap{step.stage->name, std::move(values)}.coloured(scale).with_numbers(decimals);
  map.fill = fill;
  return {std::move(map), name_of(step),
          fmt::format("({}) {}", joined(step.stage->array.shape, ", "), range)};
}

/// Inputs stand beside each other, results follow from what is before them.
OperatorTerm between(const Step& next) {
  return {formula::sym(next.station->kind == Station::Kind::input ? "," : "→")};
}

Text shown_part(const Array& array) {
  if (array.shape.size() < 3) return Text::same("");
  const bool of_heads = array.axes[array.shape.size() - 3] == "heads";
  return of_heads ? Text{"（ヘッド 0）", " (head 0)"} : Text{"（最初の要素）", " (first entry)"};
}

Text caption_of(const Step& step, std::size_t number, std::size_t count) {
  const Text part = shown_part(step.stage->array);
  return text("{} / {}：{}{}", "{} of {}: {}{}", number, count, step.station->meaning, part);
}

Figure figure_of(const Route& route, const std::vector<Step>& steps, std::size_t shown) {
  MatrixEquation equation;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) equation.terms.emplace_back(between(steps[i]));
    equation.terms.emplace_back(term_of(steps[i], i <= shown ? CellFill::coloured : CellFill::outline));
  }
  const Text caption = caption_of(steps[shown], shown + 1, steps.size());
  return {fmt::format("{:02}-{}", shown + 1, steps[shown].stage->name),
          route.title,
          caption,
          caption,
          {{Text::same(""), std::move(equation)}},
          1,
          {},
          {13.0, 6.5}};
}

}  // namespace

std::vector<Figure> step_figures(const Report& report) {
  for (const Route& route : {tiles_route(), attention_route(), decoding_route()}) {
    const std::vector<Step> steps = steps_of(report, route);
    const bool arrives = std::any_of(steps.begin(), steps.end(),
                                     [&](const Step& step) { return step.station->stage == route.goal; });
    const bool all_fit = std::all_of(steps.begin(), steps.end(),
                                     [](const Step& step) { return fits(first_matrix(step.stage->array)); });
    if (steps.size() < 2 || !arrives || !all_fit) continue;
    std::vector<Figure> figures;
    for (std::size_t shown = 0; shown < steps.size(); ++shown) {
      figures.push_back(figure_of(route, steps, shown));
    }
    return figures;
  }
  return {};
}

}  // namespace attnlab
