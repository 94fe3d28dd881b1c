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

Figure stages_figure(const CrossAttentionRun& run) {
  const ColourScale blues{Palette::blues, 0.0, 1.0};
  const auto stage = [&run](const char* name) { return run.tape.numbers_of(name); };
  const MatrixEquation comparison{{signed_term("query", "Q", stage("query")), between("×"),
                                   signed_term("key.transposed", "K^T", attnlab::transpose(stage("key"))),
                                   scaling_between(run.scale),
                                   signed_term("scores", "S", run.attention.scores)}};
  const MatrixEquation average{{coloured_term("weights", "softmax(S)", run.attention.weights, blues),
                                between("×"), signed_term("value", "V", stage("value")), between("="),
                                signed_term("output", "Y", run.attention.output)}};
  const std::size_t queries = run.intended.size();
  return Figure{"stages", text("長さの違う 2 つの列：出力は {} 行（クエリの数）",
                               "One output row per query ({}), whatever the number of keys", queries)}
      .described(text(
          "計算の順に並べた行列。1：クエリ Q（{0} 行）とキー K（{1} 行）の内積からスコア S（{0} × {1}）。2：S の softmax が注意度で、バリュー V（{1} 行）との積が出力 Y（{0} 行）。",
          "Matrices in the order of the computation. 1: queries Q ({0} rows) times keys K ({1} rows) give the scores S ({0} x {1}). 2: softmax of S, the weights, times the values V ({1} rows) is the output Y ({0} rows).",
          queries, run.source.size()))
      .captioned(
          text("{}形状の右は色の範囲。", "{} After each shape: the range of its colours.", caption_of(run)))
      .panel({"1. 内積", "1. Dot products"}, comparison)
      .panel({"2. バリューの加重平均", "2. Weighted mean"}, average)
      .in_columns(1)
      .on_page(12.0, 7.0);
}

}  // namespace

std::vector<Figure> figures(const CrossAttentionRun& run) {
  return {weights_figure(run), words_figure(run), stages_figure(run)};
}

}  // namespace attnlab
