// Cross-attention: the queries come from one sequence, the keys and values from another.
#include "experiments/cross_attention/cross_attention.hpp"

#include "experiments/by_hand/example.hpp"

namespace attnlab {
namespace {

// The example, for the blackboard: a word is a 2 at a place of its own. Said last: the sign of the beginning,
// le, chat, blanc; to be read: the, white, cat. W_Q knows which word follows in French, and where it stands
// in English; W_V knows what it is called. Behind the last word nothing is looked for.

Tensor<double> intended_last() { return {{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 2}}; }
Tensor<double> source_words() { return {{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}}; }
Tensor<double> looks_for() { return {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}; }
Tensor<double> stands_for() { return {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}; }
Tensor<double> is_called() { return {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}}; }

/// What each query attends most to, and whether it looks for anything.
Table table_of_queries(const CrossAttentionRun& run) {
  constexpr double even = 1e-9;
  Table table{{{"言う語", "to say"}, {"最も参照する語", "attends most to"}, {"注意度", "weight"}}};
  for (std::size_t query = 0; query < run.intended.size(); ++query) {
    const std::size_t key = largest_in_row(run.attention.weights, query);
    const std::vector<double> row = values_of(run.attention.weights, query);
    const bool is_even = row[key] - *std::min_element(row.begin(), row.end()) < even;
    table.rows.push_back({run.intended[query],
                          is_even ? ShortText{Text{"（どれも等しい）", "(all equal)"}} : run.source[key],
                          fmt::format("{:.4f}", run.attention.weights(query, key))});
    if (!run.probability.empty())
      table.rows.back().emplace_back(fmt::format("{:.4f}", run.probability[query]));
  }
  if (!run.probability.empty()) table.header.emplace_back("確率", "probability");
  return table;
}

}  // namespace

CrossAttentionRun CrossAttentionRun::compute(const Arguments& arguments, const Context& /*context*/) {
  CrossAttentionRun run;
  Tape& tape = run.tape = Tape(arguments);
  const Axes matrix{"width_in", "head_width"};
  const Tensor<double> x = tape.input_or("x", intended_last(), {"queries", "width"});
  const Tensor<double> memory = tape.input_or("memory", source_words(), {"keys", "source_width"});
  tape.input_or("w_query", looks_for(), matrix);
  tape.input_or("w_key", stands_for(), matrix);
  tape.input_or("w_value", is_called(), matrix);
  tape.product("query", "X W_Q", "x", "w_query", {"queries", "head_width"});
  tape.product("key", "Z W_K", "memory", "w_key", {"keys", "head_width"});
  tape.product("value", "Z W_V", "memory", "w_value", {"keys", "head_width"});
  run.intended = names_of_rows(
      arguments, "labels", x.shape()[0],
      {Text{"私は", "le"}, Text{"猫が", "chat"}, Text{"好き", "blanc"}, Text{"（終わり）", "(end)"}});
  run.source = names_of_rows(arguments, "source", memory.shape()[0],
                             {Text{"I", "the"}, Text{"like", "white"}, Text{"cats", "cat"}});
  run.scale = arguments.text("scale");
  attend_across(run);
  return run;
}

void attend_across(CrossAttentionRun& run) {
  RecordedAttention recorded;
  recorded.scores = scaled_scores(run.scale, recorded.product.formula);
  run.attention = run.tape.attention("query", "key", "value", parse_scale(run.scale), recorded);
}

std::vector<Scalar> scalars(const CrossAttentionRun& run) {
  const Interval weights = extremes(run.attention.weights);
  return {{"queries", static_cast<double>(run.intended.size())},
          {"keys", static_cast<double>(run.source.size())},
          {"smallest_weight", weights.low},
          {"largest_weight", weights.high}};
}

std::vector<Invariant> invariants(const CrossAttentionRun& run) {
  constexpr double rounding = 1e-12;  // of sums of a few rounded terms, relative to their size
  return {
      invariant("weights_sum_to_one", row_sum_error(run.attention.weights), rounding,
                "どの行の注意度も和は 1", "every row of the weights sums to 1"),
      invariant("output_among_the_values", overshoot(run.attention.output, run.tape.numbers_of("value")),
                rounding * largest_magnitude(run.tape.numbers_of("value")), "出力はバリューの最小と最大の間",
                "every output lies between the smallest and the largest value")};
}

std::vector<Block> body(const CrossAttentionRun& run, const std::vector<Stage>& stages) {
  const std::size_t queries = run.intended.size();
  const std::size_t keys = run.source.size();
  std::vector<Block> blocks{
      Paragraph::heading("交差アテンション（Cross-Attention）", "Cross-attention"),
      Equation{formula::read("Q = X W_Q , K = Z W_K , V = Z W_V")},
      Equation{formula::row(
          {formula::call("softmax", scaled_scores(run.scale, formula::read("Q K^T"))), formula::sym("V")})},
      shape_trace(stages),
      table_of_queries(run),
      Values{{"注意度", "weights"}, to_array(run.attention.weights, {"queries", "keys"})},
      Paragraph::say(
          "クエリはデコーダーの列 X から、キーとバリューはエンコーダーの列 Z から作ります。だから注意度は正方行列とは限らず、ここでは {0} × {1} です。出力は X と同じ {0} 行です。",
          "The queries are made of the decoder's sequence X, the keys and values of the encoder's sequence Z. So the weight matrix need not be square: here it is {0} x {1}, and the output has {0} rows, as many as X.",
          queries, keys),
      Paragraph::misunderstanding(
          "自己注意とは式が違うのではありません。違うのは、K と V がどの列から来るかだけです。K と V は必ず同じ列から作ります（キー 1 つにバリュー 1 つ）。",
          "The formula is that of self-attention. Only the sequence that K and V come from differs; both come from the same one, with one value for each key.")};
  if (run.tape.comes_from_model()) return blocks;
  if (!run.tape.any_read() && run.scale == "default") {
    blocks.emplace_back(Paragraph::note(
        "手で計算できる例です。スコアは 2 か 0 なので、注意度は e²/(e² + 2) ≈ 0.787 と 1/(e² + 2) ≈ 0.107。最後のクエリはどのキーとも合わないので、どれも 1/3 です。",
        "An example to compute by hand: the scores are 2 or 0, so the weights are e²/(e² + 2) ≈ 0.787 and 1/(e² + 2) ≈ 0.107. The last query matches no key: 1/3 each."));
  }
  blocks.emplace_back(Paragraph::note(
      "学習した重みで見るには：`attnlab cross-attention --model translate.en-ja --text \"jack ate the bread in the evening .\"`",
      "With learned weights: `attnlab cross-attention --model translate.en-fr --text \"jack ate the bread in the evening .\"`"));
  return blocks;
}

Experiment cross_attention_experiment() {
  Parameter intended = parameter("labels", WordsKind{}, "", "クエリの名前（訳文の語）。コンマ区切り",
                                 "names of the queries, the words of the translation, separated by commas");
  Parameter source = parameter("source", WordsKind{}, "", "キーの名前（原文の語）。コンマ区切り",
                               "names of the keys, the words of the source, separated by commas");
  return Experiment{"cross-attention",
                    {"別の列を参照する：デコーダーのクエリとエンコーダーのキー",
                     "one sequence attends to another: the decoder's queries, the encoder's keys"},
                    {"スライド「Transformer のアーキテクチャ」（Vaswani ほか 2017 の図 1）",
                     "slides, architecture of the Transformer (Vaswani et al. 2017, figure 1)"},
                    {std::move(intended), std::move(source), scale_parameter("default")},
                    report_of<CrossAttentionRun>}
      .with_inputs({{"x", {"queries?", "width?"}},
                    {"memory", {"keys?", "source width?"}},
                    {"w_query", {"width?", "head width?"}},
                    {"w_key", {"source width?", "head width?"}},
                    {"w_value", {"source width?", "value width?"}}})
      .with_example(words_by_hand(0))
      .with_sliders({{"scale=0.125:2:log:17"}});
}

}  // namespace attnlab
