// The weights of queries over another sequence's keys, as a map and as lines, and every matrix on the way to
// the output.
#include "experiments/cross_attention/cross_attention.hpp"
#include "experiments/framework/arcs.hpp"

namespace attnlab {
namespace {

constexpr std::size_t few = 8;  // words: of more, one map alone, without numbers, has room for all names

Text caption_of(const CrossAttentionRun& run) {
  if (!run.tape.any_read()) return {"手で計算できる例。", "Example computed by hand."};
  return text("{}。", "{}.", run.tape.described());
}

HeatMap map_of(const CrossAttentionRun& run, const std::string& id, const Tensor<double>& values,
               const ColourScale& colours) {
  return HeatMap{id, to_matrix(values)}
      .rows({"訳文の語（クエリ）", "Target word (query)"}, run.intended)
      .columns({"原文の語（キー）", "Source word (key)"}, run.source)
      .coloured(colours)
      .with_numbers(run.source.size() <= few ? 2 : no_numbers);
}

Figure weights_figure(const CrossAttentionRun& run) {
  const std::size_t queries = run.intended.size();
  const std::size_t keys = run.source.size();
  ColourScale scores = signed_scale(run.attention.scores);
  scores.label = {"スコア", "Score"};
  Figure figure =
      Figure{"weights", text("{0} 個のクエリが、別の列の {1} 個のキーを参照する",
                             "{0} queries attend to {1} keys of another sequence", queries, keys)}
          .described(text(
              "{0} × {1} のヒートマップ。行はクエリ（これから出す訳語）、列はキー（原文の語）で、注意度の各行の和は 1。",
              "Heat maps, {0} by {1}: rows are queries, the target words; columns are keys, the source words. Every row of the weights sums to 1.",
              queries, keys))
          .captioned(caption_of(run));
  if (keys <= few)
    figure.panels.push_back({{"スコア", "Scores"}, map_of(run, "scores", run.attention.scores, scores)});
  figure.panels.push_back(
      {{"注意度", "Weights"}, map_of(run, "weights", run.attention.weights, weight_colours())});
  return keys <= few ? std::move(figure).sharing_axes().on_page(14.0, 6.5)
                     : std::move(figure).on_page(8.4, 7.6);
}

Figure words_figure(const CrossAttentionRun& run) {
  WordWeights attending{run.intended, run.source,
                        to_tensor(run.attention.weights, {1, run.intended.size(), run.source.size()})};
  attending.shows.stage = "weights";
  return arcs_figure(attending, arc_title(attending), caption_of(run));
}

/// The words at rows and columns, and numbers to compute with where they are few.
MatrixTerm with_words(MatrixTerm term, std::vector<ShortText> rows, std::vector<ShortText> columns) {
  const Matrix& values = term.map.values;
  const bool is_whole = std::all_of(values.values.begin(), values.values.end(),
                                    [](double value) { return value == std::round(value); });
  if (std::max(values.rows, values.columns) <= few) term.map.decimals = is_whole ? 0 : 2;
  term.map.row_labels = std::move(rows);
  term.map.column_labels = std::move(columns);
  return term;
}

Figure stages_figure(const CrossAttentionRun& run) {
  const ColourScale blues{Palette::blues, 0.0, 1.0};
  const auto stage = [&run](const char* name) { return run.tape.numbers_of(name); };
  const std::vector<ShortText>& to = run.intended;
  const std::vector<ShortText>& from = run.source;
  const MatrixEquation equation{
      {with_words(signed_term("query", "Q", stage("query")), to, {}), between("×"),
       with_words(signed_term("key.transposed", "K^T", attnlab::transpose(stage("key"))), {}, from),
       scaling_between(run.scale), with_words(signed_term("scores", "S", run.attention.scores), {}, from),
       between("→"),
       with_words(coloured_term("weights", "softmax(S)", run.attention.weights, blues), to, from),
       between("×"), with_words(signed_term("value", "V", stage("value")), from, {}), between("="),
       with_words(signed_term("output", "Y", run.attention.output), {}, {})}};
  const std::size_t queries = run.intended.size();
  return Figure{"stages", text("長さの違う 2 つの列：出力は {} 行（クエリの数）",
                               "One output row per query ({}), whatever the number of keys", queries)}
      .described(text(
          "計算の順に並べた行列。クエリ Q（{0} 行）とキー K（{1} 行）の内積からスコア S（{0} × {1}）。S の softmax が注意度で、バリュー V（{1} 行）との積が出力 Y（{0} 行）。",
          "Matrices in the order of the computation: queries Q ({0} rows) times keys K ({1} rows) give the scores S ({0} x {1}); softmax of S, the weights, times the values V ({1} rows) is the output Y ({0} rows).",
          queries, run.source.size()))
      .captioned(
          text("{}形状の右は色の範囲。", "{} After each shape: the range of its colours.", caption_of(run)))
      .panel(equation)
      .on_page(12.0, 7.0);
}

}  // namespace

std::vector<Figure> figures(const CrossAttentionRun& run) {
  return {weights_figure(run), words_figure(run), stages_figure(run)};
}

}  // namespace attnlab
