// The weights as a heat map and as lines between the words, and every matrix from X to the output.
#include "experiments/framework/arcs.hpp"
#include "experiments/self_attention/self_attention.hpp"

namespace attnlab {
namespace {

// --- The figure of the weights

/// As many digits as a cell of the default page holds.
int digits_that_fit(std::size_t tokens) {
  if (tokens <= 8) return 3;
  return tokens <= 12 ? 2 : no_numbers;
}

/// The weights of a query that reads all that it may alike.
Tensor<double> even_weights(const SelfAttentionRun& run) {
  const Tensor<double> hidden = run.mask.value_or(Tensor<double>(run.attention.weights.shape(), 0.0));
  return softmax(hidden);
}

/// The query and the key with the largest weight between them.
struct Link {
  std::string query;
  std::string key;
  double weight = 0.0;
};

/// Under a mask, of two different tokens, and not of the first, which stands there for everyone.
Link strongest_link(const SelfAttentionRun& run) {
  Tensor<double> weights = run.attention.weights;
  const std::size_t keys = run.labels.size();
  for (std::size_t i = 0; run.mask && i < weights.size(); ++i) {
    if (i % keys == 0 || i % keys == i / keys) weights.flat(i) = 0.0;
  }
  const std::size_t place = largest_index(weights);
  return {run.labels[place / keys], run.labels[place % keys], weights.flat(place)};
}

Text weights_title(const SelfAttentionRun& run) {
  const Text range = range_text(run.data);
  if (run.mask) {
    const Link link = strongest_link(run);
    return text("前だけを読む：「{}」から「{}」へ {:.2f}",
                "Only what came before is read: “{}” reads “{}” with {:.2f}", link.query, link.key,
                link.weight);
  }
  if (small_by_projection(run)) {
    return text("小さな乱数の重みでは注意度はほぼ均等：{}", "Small random weights attend almost evenly: {}",
                range);
  }
  if (run.data.high == run.data.low) {
    return text("どの注意度も等しい：{:.3g}", "All weights are equal: {:.3g}", run.data.high);
  }
  if (almost_even(run)) return text("注意度はほぼ均等：{}", "Attention is almost even: {}", range);
  const Link link = strongest_link(run);
  return text("最大の注意度 {:.2f}：「{}」から「{}」へ", "The largest weight is {:.2f}: {} reads {}",
              link.weight, link.query, link.key);
}

Text weights_description(const SelfAttentionRun& run) {
  const Link link = strongest_link(run);
  return text(
      "{0} × {0} のヒートマップ 2 枚。行はクエリ、列はキー。左は注意度で、各行の和は 1。注意度は {1}。{5}はクエリ「{2}」、キー「{3}」の {4:.3f}。右は均等な注意度との差。",
      "Two heat maps of {0} by {0}; rows are queries, columns are keys. Left, the weights: every row sums to 1. They run from {1}; the largest{5}, {4:.3f}, is query {2} on key {3}. Right: how they differ from even ones.",
      run.labels.size(), range_text(run.data), link.query, link.key, link.weight,
      run.mask ? Text{"自分と先頭以外への最大", " on another token than itself and the first"}
               : Text{"最大", ""});
}

HeatMap token_map(const SelfAttentionRun& run, const std::string& id, const Tensor<double>& values,
                  const ColourScale& colours) {
  return HeatMap{id, to_matrix(values)}
      .rows({"クエリ", "Query position"}, short_texts(run.labels))
      .columns({"キー", "Key position"}, short_texts(run.labels))
      .coloured(colours)
      .with_numbers(digits_that_fit(run.labels.size()));
}

/// The weights on 0 to 1, where almost even ones look even, and beside them how they differ from even ones.
Text weights_caption(const SelfAttentionRun& run) {
  return text("{}。{}", "{}.{}", run.tape.described(),
              note_on_labels(run.labels_are_words && !run.tape.any_read()));
}

Figure weights_figure(const SelfAttentionRun& run) {
  const std::size_t keys = run.labels.size();
  const Tensor<double> differences = run.attention.weights - even_weights(run);
  ColourScale colours = signed_scale(differences);
  colours.label = {"差", "Difference"};
  return Figure{"weights", weights_title(run)}
      .described(weights_description(run))
      .captioned(weights_caption(run))
      .panel({"注意度", "Weights"}, token_map(run, "weights", run.attention.weights, weight_colours()))
      .panel(run.mask ? Text{"均等な注意度との差", "Minus an even share"}
                      : text("1/{} との差", "Minus 1/{}", keys),
             token_map(run, "differences", differences, colours))
      .sharing_axes()
      .on_page(14.0, 6.0);
}

Figure words_figure(const SelfAttentionRun& run) {
  const std::vector<ShortText> words = short_texts(run.labels);
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
                               "{0} tokens go in, read one another, and {0} come out", tokens)}
      .described(text(
          "計算の順に並べた行列。1：入力 X（{0} × {1}）からクエリ Q、キー K、バリュー V。2：Q と K の転置の積からスコア S（{0} × {0}）。3：S の softmax が注意度で、V との積が出力 Y（{0} × {1}）。",
          "Matrices in the order of the computation. 1: the input X ({0} x {1}) becomes queries Q, keys K and values V. 2: Q times K transposed gives the scores S ({0} x {0}). 3: softmax of S, the weights, times V is the output Y ({0} x {1}).",
          tokens, x.shape()[1]))
      .captioned(text("{}。形状の右は色の範囲。", "{}. After each shape: the range of its colours.",
                      run.tape.described()))
      .panel({"1. 射影", "1. Project"}, projections)
      .panel({"2. 内積", "2. Compare"}, comparison)
      .panel({"3. バリューの加重平均", "3. Average the values"}, average)
      .in_columns(1)
      .on_page(12.0, 9.0);
}

}  // namespace

/// The article's annotated weights, also as lines, and every matrix from X to the output.
std::vector<Figure> figures(const SelfAttentionRun& run) {
  return {weights_figure(run), words_figure(run), stages_figure(run)};
}

}  // namespace attnlab
