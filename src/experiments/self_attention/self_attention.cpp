// Self-attention: tokens become queries, keys and values of one another, and mix in proportion to the
// weights.
#include "experiments/self_attention/self_attention.hpp"

#include "experiments/by_hand/example.hpp"
#include "experiments/framework/learned_sentence.hpp"

namespace attnlab {
namespace {

// --- The words

/// np.round(values, 3), as the article prints its weights.
Array rounded(Array array) {
  for (double& value : array.data) value = std::nearbyint(value * 1000.0) / 1000.0;
  return array;
}

Text why_even(const SelfAttentionRun& run) {
  if (!almost_even(run)) return Text::none();
  if (!small_by_projection(run)) {
    return {"均等に近いのは、各行のスコアの差が小さいからです。",
            " They are nearly uniform because the scores of a row differ little."};
  }
  return {
      "均等に近いのは、スコアがどれも 0 に近いからです（重み行列は 0.1 倍の乱数で、まだ学習していません）。",
      " They are nearly uniform because all scores are near 0: the projections are random numbers times 0.1, untrained."};
}

/// What M is, where there is one.
Paragraph about_mask(const SelfAttentionRun& run) {
  if (!run.mask)
    return Paragraph::plain("マスクなしなので、masked は S と同じです。",
                            "There is no mask: masked equals S.");
  const bool is_biased = std::any_of(run.mask->begin(), run.mask->end(),
                                     [](double added) { return std::isfinite(added) && added != 0.0; });
  if (is_biased)
    return Paragraph::plain("M は、後ろのトークンで −∞、ほかは距離に比例する負のバイアス（ALiBi）です。",
                            "M is −∞ for a later token, else minus a slope times the distance (ALiBi).");
  return Paragraph::plain("M は、後ろのトークンで −∞、ほかは 0 です。", "M is −∞ for a later token, else 0.");
}

Paragraph to_say(const SelfAttentionRun& run) {
  if (run.mask) {
    return Paragraph::say(
        "各行は 1 つのトークンからの注意度で、和は 1 です。このモデルのトークンは、自分とそれより前だけを参照します。出力はその重みによるバリューの平均です。",
        "Each row holds the weights one token gives; it sums to 1. In this model a token attends to itself and to what precedes it. The output is the mean of the values with these weights.");
  }
  const double even = 1.0 / static_cast<double>(run.labels.size());
  return Paragraph::say(
      "各行は 1 つのトークンからすべてのトークンへの注意度で、和は 1 です。出力はその重みによるバリューの平均です。注意度は {} で、均等なら {:.3g} です。{}",
      "Each row holds the weights one token gives to all tokens; it sums to 1. The output is the mean of the values with these weights. They run from {}; uniform weights would be {:.3g}.{}",
      range_text(run.data), even, why_even(run));
}

/// The two weights of the most one-sided pair; empty where three digits do not tell them apart.
Text one_sided_example(const SelfAttentionRun& run) {
  const Tensor<double>& weights = run.attention.weights;
  const OneSided pair = most_one_sided(weights);
  const std::string there = fmt::format("{:.3f}", weights(pair.first, pair.second));
  const std::string back = fmt::format("{:.3f}", weights(pair.second, pair.first));
  if (there == back || run.mask) return Text::none();  // behind a mask one of them is always 0
  return text("「{}」から「{}」へは {}、逆は {} です。", " {} attends to {} with {}, the other way it is {}.",
              run.labels[pair.first], run.labels[pair.second], there, back);
}

}  // namespace

SelfAttentionRun SelfAttentionRun::compute(const Arguments& arguments, const Context& /*context*/) {
  const std::size_t tokens = arguments.count("tokens");
  const std::size_t width = arguments.count("width");
  SelfAttentionRun run;
  run.labels = arguments.is_set("example") ? names_of_rows(arguments, "labels", tokens, names_by_hand())
                                           : short_texts(token_labels(arguments, tokens));
  run.labels_are_words = !arguments.text("labels").empty();
  run.is_documents = are_defaults(arguments);

  run.scale_text = arguments.text("scale");
  run.scale = parse_scale(run.scale_text).value_or(1.0 / std::sqrt(static_cast<double>(width)));

  Tape& tape = run.tape = Tape(arguments);  // the article's order: X, W_Q, W_K, W_V
  const Axes matrix{"width_in", "width_out"};
  tape.normal("x", {tokens, width}, {"tokens", "width"});
  tape.normal("w_query", {width, width}, matrix, times(0.1));
  tape.normal("w_key", {width, width}, matrix, times(0.1));
  tape.normal("w_value", {width, width}, matrix, times(0.1));
  tape.product("query", "X W_Q", "x", "w_query", {"queries", "width"});
  tape.product("key", "X W_K", "x", "w_key", {"keys", "width"});
  tape.product("value", "X W_V", "x", "w_value", {"keys", "width"});
  RecordedAttention recorded;
  recorded.scores = scaled_scores(run.scale_text, recorded.product.formula);
  recorded.masked = "S";
  run.attention = tape.attention("query", "key", "value", parse_scale(run.scale_text), recorded);
  run.data = extremes(run.attention.weights);
  return run;
}

std::vector<Scalar> scalars(const SelfAttentionRun& run) {
  const Tensor<double> spread = entropy(run.attention.weights);
  return {{"scale", run.scale},
          {"smallest_weight", run.data.low},
          {"largest_weight", run.data.high},
          {"mean_entropy", sum_of(spread) / static_cast<double>(spread.size())},
          {"largest_asymmetry", most_one_sided(run.attention.weights).difference}};
}

std::vector<Invariant> invariants(const SelfAttentionRun& run) {
  constexpr double rounding = 1e-12;  // the sum of up to 256 rounded terms, relative to their size
  return {
      invariant("weights_sum_to_one", row_sum_error(run.attention.weights), rounding,
                "どの行の注意度も和は 1", "every row of the weights sums to 1"),
      invariant("output_among_the_values", overshoot(run.attention.output, run.tape.numbers_of("value")),
                rounding * largest_magnitude(run.tape.numbers_of("value")), "出力はバリューの最小と最大の間",
                "every output lies between the smallest and the largest value"),
  };
}

std::vector<Block> body(const SelfAttentionRun& run, const std::vector<Stage>& stages) {
  const Formula scores = scaled_scores(run.scale_text, formula::read("Q K^T"));
  const Array weights = to_array(run.attention.weights, {"queries", "keys"});
  std::vector<Block> blocks{
      Paragraph::heading("自己注意（Self-Attention）", "Self-attention"),
      Equation{formula::row({formula::call("softmax", scores), formula::sym("V")})},
      shape_trace(stages),
      about_mask(run),
      Values{{"注意度 np.round(weights, 3)", "weights, np.round(weights, 3)"}, rounded(weights)},
      Values{{"注意度", "weights"}, weights},
      Values{{"出力", "output"}, to_array(run.attention.output, {"queries", "width"})},
      to_say(run),
      Paragraph::misunderstanding(
          "注意度は 2 つのトークンに共通の「関係の強さ」ではないので、行列は{}。{}行がクエリ、列がキーです。",
          "A weight does not measure mutual closeness, so the matrix {}.{} Rows are queries, columns are keys.",
          most_one_sided(run.attention.weights).difference < 1e-12
              ? Text{"一般には対称になりません（ここでは対称です）", "need not be symmetric (here it is)"}
              : Text{"対称になりません", "is not symmetric"},
          one_sided_example(run))};
  if (run.tape.comes_from_model()) return blocks;
  blocks.emplace_back(Paragraph::note(
      "Q、K、V から先は教科書のコード 2.2.9 の計算です。コード 2.2.8（割らない内積アテンション）は `attnlab self-attention --scale none` です。",
      "From Q, K and V on this is the textbook's code 2.2.9; code 2.2.8, which does not divide, is `attnlab self-attention --scale none`."));
  blocks.emplace_back(about_learned_weights("self-attention"));
  return blocks;
}

bool almost_even(const SelfAttentionRun& run) {
  return run.data.high - run.data.low < 0.5 / static_cast<double>(run.labels.size());
}

bool small_by_projection(const SelfAttentionRun& run) {
  constexpr double small = 0.25;
  const Tensor<double>& scores = run.attention.scores;
  return almost_even(run) && !run.tape.any_read() &&
         (run.scale_text == "default" || run.scale_text == "none") &&
         std::all_of(scores.begin(), scores.end(), [](double score) { return std::abs(score) < small; });
}

Experiment self_attention_experiment() {
  return Experiment{
      "self-attention",
      {"トークンどうしの注意度をヒートマップで見る", "who attends to whom: the weights as a heat map"},
      {"記事 式 (1)～(6)、Attention 重みのヒートマップ、教科書 コード2.2.8・2.2.9",
       "article eq. 1 to 6 and its annotated heat map, textbook code 2.2.8 and 2.2.9"},
      {parameter("tokens", IntegerKind{{2, 256}}, "4", "トークンの個数", "number of tokens"),
       parameter("width", IntegerKind{{1, 1024}}, "8", "埋め込みの次元 d", "width d of the embeddings"),
       labels_parameter(), scale_parameter("default"), seed_parameter("42"), rng_parameter()},
      report_of<SelfAttentionRun>}
      .with_inputs({{"x", {"tokens", "width"}},
                    {"w_query", {"width", "width"}},
                    {"w_key", {"width", "width"}},
                    {"w_value", {"width", "width"}}})
      .with_example(words_by_hand(3))
      .with_sliders({{"scale=0.1:20:log:34"}});
}

}  // namespace attnlab
