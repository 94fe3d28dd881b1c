// A sentence that was learned, the document's weights as a heat map and as lines between the words, and every
// matrix from X to the output.
#include "experiments/framework/arcs.hpp"
#include "experiments/framework/learned_sentence.hpp"
#include "experiments/self_attention/self_attention.hpp"

namespace attnlab {
namespace {

// --- The figure of a sentence

/// One head, and what the next word's probability owes to it.
Figure one_head_of(const LearnedSentence& sentence) {
  const double without = sentence.without[sentence.head];
  return Figure{"sentence", title_of(sentence)}
      .described(text(
          "左：「{0}」の {1} トークンの注意度のヒートマップ。行はクエリ、列はキー。右：次の語「{2}」の確率の棒グラフ。すべてのヘッドで {3:.3f}、このヘッドを除くと {4:.3f}。",
          "Left: a heat map of the weights of the {1} tokens of “{0}”; rows are queries, columns are keys. Right: bars of the probability of the next word, “{2}”: {3:.3f} with all heads, {4:.3f} without this one.",
          sentence.text, sentence.labels.size(), sentence.next, sentence.probability, without))
      .captioned(caption_of(sentence))
      .panel(text("ヘッド {} の注意度", "Weights of head {}", sentence.head), map_of(sentence, sentence.head))
      .panel(
          text("次の語「{}」：ヘッド {} のあり・なし", "Next word “{}”, with and without head {}",
               sentence.next, sentence.head),
          Chart{Axis{Text::none()}.named({Text{"あり", "With"}, Text{"なし", "Without"}}),
                Axis{{"確率", "Probability"}}.within(0.0, 1.1),
                {Bars{sentence.model + ".next", {sentence.probability, without}, series_ink(0)}.with_numbers(
                    3)}})
      .on_page(13.0, 6.0);
}

// --- The figure of the weights

/// As many digits as a cell of the default page holds.
int digits_that_fit(std::size_t tokens) {
  if (tokens <= 8) return 3;
  return tokens <= 12 ? 2 : no_numbers;
}

/// The weights of a query that reads all that it may alike.
Tensor<double> even_weights(const SelfAttentionRun& run) {
  const Tensor<double> mask = run.mask.value_or(Tensor<double>(run.attention.weights.shape(), 0.0));
  const Tensor<double> hidden = xt::where(xt::isinf(mask), mask, 0.0);
  return softmax(hidden);
}

/// The query and the key with the largest weight between them.
struct Link {
  ShortText query;
  ShortText key;
  double weight = 0.0;
};

/// Under a mask, of the last token: the only one that may attend to all, and the next word follows it.
Link strongest_link(const SelfAttentionRun& run) {
  const Tensor<double>& weights = run.attention.weights;
  const std::size_t keys = run.labels.size();
  const std::size_t last = keys - 1;
  const std::size_t place = run.mask ? last * keys + largest_in_row(weights, last) : largest_index(weights);
  return {run.labels[place / keys], run.labels[place % keys], weights.flat(place)};
}

Text weights_title(const SelfAttentionRun& run) {
  const Text range = range_text(run.data);
  if (run.mask) {
    const Link link = strongest_link(run);
    return text("「{}」は「{}」に注目する：{:.2f}", "“{}” attends to “{}”, {:.2f}", link.query, link.key,
                link.weight);
  }
  if (small_by_projection(run)) {
    return text("小さな乱数の重みでは注意度はほぼ均等：{}",
                "Small random weights attend almost uniformly: {}", range);
  }
  if (run.data.high == run.data.low) {
    return text("どの注意度も等しい：{:.3g}", "All weights are equal: {:.3g}", run.data.high);
  }
  if (almost_even(run)) return text("注意度はほぼ均等：{}", "Attention is almost uniform: {}", range);
  const Link link = strongest_link(run);
  return text("最大の注意度 {:.2f}：「{}」から「{}」へ", "The largest weight is {:.2f}: {} attends to {}",
              link.weight, link.query, link.key);
}

Text weights_description(const SelfAttentionRun& run) {
  const Link link = strongest_link(run);
  return text(
      "{0} × {0} のヒートマップ 2 枚。行はクエリ、列はキー。左は注意度で、各行の和は 1。注意度は {1}。{5}はクエリ「{2}」、キー「{3}」の {4:.3f}。右は均等な注意度との差。",
      "Two heat maps of {0} by {0}; rows are queries, columns are keys. Left, the weights: every row sums to 1. They run from {1}; the largest{5}, {4:.3f}, is query {2} on key {3}. Right: their difference from uniform ones.",
      run.labels.size(), range_text(run.data), link.query, link.key, link.weight,
      run.mask ? Text{"最後のトークンの最大", " of the last token"} : Text{"最大", ""});
}

HeatMap token_map(const SelfAttentionRun& run, const std::string& id, const Tensor<double>& values,
                  const ColourScale& colours) {
  return HeatMap{id, to_matrix(values)}
      .rows({"クエリ", "Query position"}, run.labels)
      .columns({"キー", "Key position"}, run.labels)
      .coloured(colours)
      .with_numbers(digits_that_fit(run.labels.size()));
}

Text weights_caption(const SelfAttentionRun& run) {
  return text("{}。{}{}", "{}.{}{}", run.tape.described(), note_on_untrained(small_by_projection(run)),
              note_on_labels(run.labels_are_words && !run.tape.any_read()));
}

/// The article's annotated heat map: the weights on 0 to 1, where almost uniform ones look uniform, and
/// beside them how they differ from even ones.
Figure weights_figure(const SelfAttentionRun& run) {
  const std::size_t keys = run.labels.size();
  const Tensor<double> differences = run.attention.weights - even_weights(run);
  ColourScale colours = signed_scale(differences);
  colours.label = {"差", "Difference"};
  return Figure{"weights", weights_title(run)}
      .described(weights_description(run))
      .captioned(weights_caption(run))
      .panel({"注意度", "Weights"}, token_map(run, "weights", run.attention.weights, weight_colours()))
      .panel(run.mask ? Text{"均等な注意度との差", "Minus uniform weights"}
                      : text("1/{} との差", "Minus 1/{}", keys),
             token_map(run, "differences", differences, colours))
      .sharing_axes()
      .on_page(14.0, 6.0);
}

Figure words_figure(const SelfAttentionRun& run) {
  const std::vector<ShortText>& words = run.labels;
  WordWeights attending{words, words, to_tensor(run.attention.weights, {1, words.size(), words.size()})};
  attending.shows.stage = "weights";
  return arcs_figure(attending, arc_title(attending), weights_caption(run));
}

// --- The way from X to the output, as matrices

Figure stages_figure(const SelfAttentionRun& run) {
  const ColourScale blues{Palette::blues, 0.0, 1.0};
  const auto stage = [&run](const char* name) { return run.tape.numbers_of(name); };
  const Tensor<double> x = stage("x");
  const MatrixEquation projections{
      {signed_term("x", "X", x), between("→"), signed_term("query", "Q", stage("query")), between(","),
       signed_term("key", "K", stage("key")), between(","), signed_term("value", "V", stage("value"))}};
  const MatrixEquation comparison{{again(signed_term("query", "Q", stage("query"))), between("×"),
                                   signed_term("key.transposed", "K^T", attnlab::transpose(stage("key"))),
                                   scaling_between(run.scale_text),
                                   signed_term("scores", "S", run.attention.scores)}};
  const MatrixEquation average{{coloured_term("weights", "softmax(S)", run.attention.weights, blues),
                                between("×"), again(signed_term("value", "V", stage("value"))), between("="),
                                signed_term("output", "Y", run.attention.output)}};
  const std::size_t tokens = x.shape()[0];
  return Figure{"stages", text("{0} 個のトークンが入り、互いに混ざって {0} 個出る",
                               "{0} tokens go in, attend to one another, and {0} come out", tokens)}
      .described(text(
          "計算の順に並べた行列。1：入力 X（{0} × {1}）からクエリ Q、キー K、バリュー V。2：Q と K の転置の積からスコア S（{0} × {0}）。3：S の softmax が注意度で、V との積が出力 Y（{0} × {1}）。",
          "Matrices in the order of the computation. 1: the input X ({0} x {1}) becomes queries Q, keys K and values V. 2: Q times K transposed gives the scores S ({0} x {0}). 3: softmax of S, the weights, times V is the output Y ({0} x {1}).",
          tokens, x.shape()[1]))
      .captioned(text("{}。形状の右は色の範囲。", "{}. After each shape: the range of its colours.",
                      run.tape.described()))
      .panel({"1. 射影", "1. Project"}, projections)
      .panel({"2. 内積", "2. Dot products"}, comparison)
      .panel({"3. バリューの加重平均", "3. Weighted mean"}, average)
      .in_columns(1)
      .on_page(12.0, 9.0);
}

}  // namespace

/// The article's annotated weights, also as lines, and every matrix from X to the output.
std::vector<Figure> figures(const SelfAttentionRun& run) {
  std::vector<Figure> all{weights_figure(run), words_figure(run), stages_figure(run)};
  if (run.is_documents) all.insert(all.begin(), sentence_figure(one_head_of));
  return all;
}

}  // namespace attnlab
