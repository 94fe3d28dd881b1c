// What `additive` says: sizes, the weights of both score functions, unequal widths, and a mistake.
#include "experiments/additive/additive.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

Values shown_weights(const char* ja, const char* en, const Tensor<double>& weights) {
  return {{ja, en}, to_array(weights, {"queries", "keys"})};
}

/// What a pair costs, and what widths are allowed.
Table comparison(const AdditiveRun& run) {
  const std::string parameters = std::to_string(run.parameters);
  return {{{"", ""}, {"加法", "additive"}, {"内積", "dot product"}},
          {{Text{"パラメータ", "parameters"}, parameters, "0"},
           {Text{"うち W", "of these, W"}, fmt::format("{} × {}", run.inputs, run.units), "—"},
           {Text{"うち v", "of these, v"}, std::to_string(run.units), "—"},
           {Text{"乗算（1 ペア）", "multiplications a pair"}, parameters,
            run.dot ? std::to_string(run.d_k) : "—"},
           {"d_q ≠ d_k", Text{"計算できる", "works"}, Text{"エラー", "error"}}}};
}

Paragraph to_say(const AdditiveRun& run) {
  if (!run.dot) {
    return Paragraph::say(
        "クエリが {} 次元、キーが {} 次元でも、結合すれば {} 次元の入力です。加法アテンションは"
        "そのまま計算でき、内積はできません。",
        "A query of {} numbers and a key of {} make an input of {} once joined: additive "
        "attention works as it is, the dot product does not.",
        run.d_q, run.d_k, run.inputs);
  }
  return Paragraph::say(
      "同じ入力でも、最大の注意度は加法で {}、内積で {}、√d で割ると {} です。加法は {} 個のパラメータを学習"
      "しますが、内積には 1 つもありません。内積で学習するのは、クエリとキーを作る射影の方です。",
      "On the same input the largest weight is {} (additive), {} (dot product) and {} (divided "
      "by √d). Additive attention learns {} parameters, the dot product has none: there, "
      "the projections that make queries and keys are learned.",
      largest_in_two_digits(run.attention.weights), largest_in_two_digits(run.dot->plain.weights),
      largest_in_two_digits(run.dot->scaled.weights), run.parameters);
}

}  // namespace

std::vector<Block> additive_body(const AdditiveRun& run) {
  std::vector<Block> blocks{
      Paragraph::heading("加法アテンション", "Additive attention"),
      Equation{formula::row(
          {formula::sym("score(q, k) = v · "), formula::call("tanh", formula::sym("[q; k] W"))})},
      Paragraph::plain("クエリ（{} 次元）とキー（{} 次元）を結合した {} 次元のベクトルを、隠れ層（tanh、{} "
                       "ユニット）を通して 1 つのスコアにします。これを {} × {} 個のペアすべてに行います。"
                       "重みは乱数で、まだ学習していません（乱数の種 {}）。",
                       "Query ({} numbers) and key ({} numbers) are joined to {}; a hidden layer of {} tanh "
                       "units makes one score of them, for each of the {} x {} pairs. The weights are "
                       "random, untrained (seed {}).",
                       run.d_q, run.d_k, run.inputs, run.units, run.queries, run.keys, run.seed),
      comparison(run),
      shown_weights("加法アテンションの注意度", "additive weights", run.attention.weights),
  };
  if (run.dot) {
    blocks.emplace_back(
        shown_weights("内積アテンションの注意度", "dot-product weights", run.dot->plain.weights));
    blocks.emplace_back(shown_weights("スケール化内積アテンションの注意度", "scaled dot-product weights",
                                      run.dot->scaled.weights));
  }
  if (run.shortened) {
    blocks.emplace_back(
        Values{text("次元が違うとき（{} と {}）の加法アテンションの注意度",
                    "additive weights for widths {} and {}", run.d_q, run.shortened->key.shape()[1]),
               to_array(run.shortened->attention.weights, {"queries", "keys"})});
  }
  if (run.refusal) {
    blocks.emplace_back(Paragraph::plain("同じ入力での内積アテンションのエラーメッセージ：{}",
                                         "The dot product's error message on the same input: {}",
                                         *run.refusal));
  }
  blocks.emplace_back(Paragraph::plain(
      "間違い：隠れ層（tanh）を省くと、スコアは u·q + w·k に分かれます。u·q は行全体に足される定数"
      "なので softmax で消え、注意度はクエリによらなくなります。",
      "The mistake: leave out the hidden layer (tanh), and the score falls apart into u·q + w·k. "
      "u·q is added to a whole row, softmax ignores it, and no weight depends on the query."));
  blocks.emplace_back(
      shown_weights("隠れ層なしの注意度", "weights without the hidden layer", run.linear.weights));
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(Paragraph::misunderstanding(
      "「加法」は、クエリとキーを足すだけで比べるという意味ではありません。両者は隠れ層の入力 [q; k] W = q "
      "W_q + k W_k で足されますが、注意度がクエリによって変わるのは、その後に tanh があるからです。",
      "\"Additive\" does not mean that adding query and key compares them. They are added at the input of "
      "the hidden layer, [q; k] W = q W_q + k W_k; only the tanh behind it makes weights depend on the "
      "query."));
  return blocks;
}

}  // namespace attnlab
