// What `additive` says: sizes, the weights of both score functions, unequal widths, and a mistake.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "experiments/additive/additive.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

const std::vector<std::string> pair_axes{"queries", "keys"};

double largest(const Tensor<double>& weights) {
  return *std::max_element(weights.begin(), weights.end());
}

Paragraph the_network(const AdditiveRun& run) {
  const std::size_t inputs = run.d_q + run.d_k;
  return {
      Role::text,
      {fmt::format("クエリ（{} 次元）とキー（{} 次元）を結合した {} 次元のベクトルを、隠れ層（tanh、{} "
                   "ユニット）を通して 1 つのスコアにします。これを {} × {} 個のペアすべてに行います。"
                   "重みは乱数で、まだ学習していません（乱数の種 {}）。",
                   run.d_q, run.d_k, inputs, run.units, run.query.shape()[0], run.key.shape()[0], run.seed),
       fmt::format("Query ({} numbers) and key ({} numbers) are joined to {}; a hidden layer of {} tanh "
                   "units makes one score of them, for each of the {} x {} pairs. The weights are "
                   "random, untrained (seed {}).",
                   run.d_q, run.d_k, inputs, run.units, run.query.shape()[0], run.key.shape()[0], run.seed)}};
}

/// What a pair costs, and what widths are allowed.
Table comparison(const AdditiveRun& run) {
  const std::size_t inputs = run.d_q + run.d_k;
  const std::string dot_multiplications = run.dot ? std::to_string(run.d_k) : "—";
  return {{{"", ""}, {"加法", "additive"}, {"内積", "dot product"}},
          {{Text{"パラメータ", "parameters"}, std::to_string(parameter_count(run)), "0"},
           {Text{"うち W", "of these, W"}, fmt::format("{} × {}", inputs, run.units), "—"},
           {Text{"うち v", "of these, v"}, std::to_string(run.units), "—"},
           {Text{"乗算（1 ペア）", "multiplications a pair"}, std::to_string(parameter_count(run)),
            dot_multiplications},
           {Text{"d_q ≠ d_k", "d_q ≠ d_k"}, Text{"計算できる", "works"}, Text{"エラー", "error"}}}};
}

/// Keys of another width: what the dot product answers, and the additive weights where they are not shown
/// yet.
void add_unequal_widths(std::vector<Block>& blocks, const AdditiveRun& run) {
  if (run.shortened) {
    const std::size_t width = run.shortened->key.shape()[1];
    blocks.emplace_back(
        Values{{fmt::format("次元が違うとき（{} と {}）の加法アテンションの注意度", run.d_q, width),
                fmt::format("additive weights for widths {} and {}", run.d_q, width)},
               to_array(run.shortened->attention.weights, pair_axes)});
  }
  if (!run.refusal) return;
  blocks.emplace_back(Paragraph{Role::text,
                                {"同じ入力での内積アテンションのエラーメッセージ：" + run.refusal->ja(),
                                 "The dot product's error message on the same input: " + run.refusal->en()}});
}

void add_mistake(std::vector<Block>& blocks, const AdditiveRun& run) {
  blocks.emplace_back(
      Paragraph{Role::text,
                {"間違い：隠れ層（tanh）を省くと、スコアは u·q + w·k に分かれます。u·q は行全体に足される定数"
                 "なので softmax で消え、注意度はクエリによらなくなります。",
                 "The mistake: leave out the hidden layer (tanh), and the score falls apart into u·q + w·k. "
                 "u·q is added to a whole row, softmax ignores it, and no weight depends on the query."}});
  blocks.emplace_back(Values{{"隠れ層なしの注意度", "weights without the hidden layer"},
                             to_array(run.linear.weights, pair_axes)});
}

Paragraph to_say(const AdditiveRun& run) {
  const std::string additive = two_digits(largest(run.attention.weights));
  if (!run.dot) {
    return {
        Role::say,
        {fmt::format("クエリが {} 次元、キーが {} 次元でも、結合すれば {} 次元の入力です。加法アテンションは"
                     "そのまま計算でき、内積はできません。",
                     run.d_q, run.d_k, run.d_q + run.d_k),
         fmt::format("A query of {} numbers and a key of {} make an input of {} once joined: additive "
                     "attention works as it is, the dot product does not.",
                     run.d_q, run.d_k, run.d_q + run.d_k)}};
  }
  const std::string plain = two_digits(largest(run.dot->plain.weights));
  const std::string scaled = two_digits(largest(run.dot->scaled.weights));
  return {
      Role::say,
      {fmt::format("同じ入力でも、最大の注意度は加法で {}、内積で {}、√d で割ると {} です。加法は {} 個の"
                   "パラメータを学習しますが、内積には 1 つもありません。内積で学習するのは、"
                   "クエリとキーを作る射影の方です。",
                   additive, plain, scaled, parameter_count(run)),
       fmt::format("On the same input the largest weight is {} (additive), {} (dot product) and {} (divided "
                   "by √d). Additive attention learns {} parameters, the dot product has none: there, "
                   "the projections that make queries and keys are learned.",
                   additive, plain, scaled, parameter_count(run))}};
}

Paragraph misunderstanding() {
  return {
      Role::misunderstanding,
      {"「加法」は、クエリとキーを足すだけで比べるという意味ではありません。両者は隠れ層の入力"
       " [q; k] W = q W_q + k W_k で足されますが、注意度がクエリによって変わるのは、その後に tanh がある"
       "からです。",
       "\"Additive\" does not mean that adding query and key compares them. They are added at the input of "
       "the hidden layer, [q; k] W = q W_q + k W_k; only the tanh behind it makes weights depend on the "
       "query."}};
}

}  // namespace

std::string two_digits(double weight) {
  const std::string text = fmt::format("{:.2f}", weight);
  return text == "1.00" && weight < 1.0 ? "> 0.99" : text;
}

std::vector<Block> additive_body(const AdditiveRun& run) {
  using formula::sym;
  std::vector<Block> blocks{
      Paragraph{Role::heading, {"加法アテンション", "Additive attention"}},
      Equation{formula::row({sym("score(q, k) = v · "), formula::call("tanh", sym("[q; k] W"))})},
      the_network(run),
      comparison(run),
      Values{{"加法アテンションの注意度", "additive weights"}, to_array(run.attention.weights, pair_axes)},
  };
  if (run.dot) {
    blocks.emplace_back(Values{{"内積アテンションの注意度", "dot-product weights"},
                               to_array(run.dot->plain.weights, pair_axes)});
    blocks.emplace_back(Values{{"スケール化内積アテンションの注意度", "scaled dot-product weights"},
                               to_array(run.dot->scaled.weights, pair_axes)});
  }
  add_unequal_widths(blocks, run);
  add_mistake(blocks, run);
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(misunderstanding());
  return blocks;
}

}  // namespace attnlab
