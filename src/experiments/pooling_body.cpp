// What `pooling` says: symmetry in three schemes, what always holds, and words in their sentences.
#include <fmt/format.h>

#include <string>

#include "experiments/pooling/pooling.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "results/check/difference_text.hpp"

namespace attnlab {
namespace {

std::string size_text(double difference) {
  return difference < 1e-9 ? difference_text(difference) : fmt::format("{:.3f}", difference);
}

Table symmetry(const PoolingRun& run) {
  Table table{{{"方式", "scheme"}, {"max|S - Sᵀ|", "max|S - Sᵀ|"}, {"max|A - Aᵀ|", "max|A - Aᵀ|"}}, {}};
  const auto add = [&table](const Text& name, const Scheme& scheme) {
    table.rows.push_back({name, size_text(scheme.score_asymmetry), size_text(scheme.weight_asymmetry)});
  };
  add({"案 1  SM(XXᵀ)X", "1    SM(XXᵀ)X"}, run.first);
  add({"案 2  SM(XUUᵀXᵀ)XU", "2    SM(XUUᵀXᵀ)XU"}, run.second);
  add({"QKV   SM(QKᵀ)V", "QKV  SM(QKᵀ)V"}, run.qkv);
  return table;
}

Paragraph properties(const PoolingRun& run) {
  const std::size_t value = rank_of(run.qkv.value);
  const std::size_t output = rank_of(run.qkv.output);
  return {
      Role::text,
      {fmt::format("どの方式でも、出力はバリューの重み付き平均です。凸包から出ず、階数はバリューの階数以下"
                   "です（{} と {}）。注意度を固定すればバリューについて線形ですが、X については線形では"
                   "ありません（|f(2X) - 2f(X)| は最大 {:.3f}）。",
                   output, value, nonlinearity(run)),
       fmt::format("In every scheme an output is a weighted mean of the values: it stays inside their "
                   "convex hull, and the rank is at most theirs ({} and {}). With the weights fixed it is "
                   "linear in V; it is not linear in X (|f(2X) - 2 f(X)| is up to {:.3f}).",
                   output, value, nonlinearity(run))}};
}

Table sentence_table(const SentenceReadings& read) {
  const auto number = [](const Reading& reading, const std::string& word) {
    return fmt::format("{:.3f}", weight_on(reading, word));
  };
  return {{{"単語", "word"}, {"文", "sentence"}, {"注意度", "weight"}, {"注意度", "weight"}},
          {{"bank", "… swam … river …", "river " + number(read.river, "river"), ""},
           {"bank", "… get cash from …", "cash " + number(read.money, "cash"), ""},
           {"it", Text{"… tired、1 層", "… tired, 1 layer"}, "animal " + number(read.tired, "animal"),
            "street " + number(read.tired, "street")},
           {"it", Text{"… tired、2 層", "… tired, 2 layers"}, "animal " + number(read.tired_2, "animal"),
            "street " + number(read.tired_2, "street")},
           {"it", Text{"… wide、2 層", "… wide, 2 layers"}, "animal " + number(read.wide_2, "animal"),
            "street " + number(read.wide_2, "street")},
           {"brush", Text{"ヘッド 1", "head 1"}, "painted " + number(read.head_1, "painted"),
            "woman " + number(read.head_1, "woman")},
           {"brush", Text{"ヘッド 2", "head 2"}, "painted " + number(read.head_2, "painted"),
            "woman " + number(read.head_2, "woman")}}};
}

Paragraph word_vectors() {
  return {Role::text,
          {"Word2Vec の h = Wx では、bank のベクトルはどの文でも同じです。アテンションは、同じ bank を"
           "一方の文では river へ、もう一方では money へ動かします。単語のベクトルは説明用に手で"
           "作ったものです（data/inputs/pooling_words.txt）。",
           "Word2Vec's h = Wx gives bank one vector in every sentence. Attention moves the same bank towards "
           "river in one sentence and towards money in the other. The word vectors are made by hand for "
           "teaching (data/inputs/pooling_words.txt)."}};
}

Paragraph to_say(const SentenceReadings& read) {
  return {
      Role::say,
      {fmt::format("bank は川の文では river に {:.2f}、お金の文では cash に {:.2f} の注意を向け、出力はその"
                   "近くへ動きます。同じ単語でも、周りの単語で行き先が変わるのです。",
                   weight_on(read.river, "river"), weight_on(read.money, "cash")),
       fmt::format("bank gives {:.2f} to river in one sentence and {:.2f} to cash in the other, and its "
                   "output moves there. The same word, another place: the context decides.",
                   weight_on(read.river, "river"), weight_on(read.money, "cash"))}};
}

Paragraph misunderstanding(const SentenceReadings& read) {
  const double ratio = weight_on(read.tired, "animal") / weight_on(read.tired, "street");
  return {
      Role::misunderstanding,
      {fmt::format("it が animal と street のどちらを指すかは、1 層では決まりません。it のクエリは 2 つの文で"
                   "同じなので、注意度の比も同じ（{:.2f}）です。1 層目で it が tired や wide を読み、2 層目で"
                   "初めて差がつきます。",
                   ratio),
       fmt::format("One layer cannot tell whether it means the animal or the street: its query is the same "
                   "in both sentences, and so is the ratio of the weights ({:.2f}). In the first layer it "
                   "reads tired or wide; only the second tells them apart.",
                   ratio)}};
}

}  // namespace

std::vector<Block> pooling_body(const PoolingRun& run) {
  using formula::sym;
  return {
      Paragraph{Role::heading, {"注意プーリング", "Attention pooling"}},
      Equation{formula::row({formula::sub(sym("y"), sym("n")), sym(" = Σ"), sym(" "),
                             formula::sub(sym("a"), sym("nm")), formula::sub(sym("x"), sym("m"))})},
      Paragraph{
          Role::text,
          {fmt::format("トークン {} 個、{} 次元、乱数の種 {}。スコア S を softmax すると注意度 A です"
                       "（スケーリングなし）。",
                       run.x.shape()[0], run.x.shape()[1], run.seed),
           fmt::format("{} tokens of width {}, seed {}. Softmax of the scores S gives the weights A (no "
                       "scaling).",
                       run.x.shape()[0], run.x.shape()[1], run.seed)}},
      symmetry(run),
      Values{{"案 1 の出力", "output of scheme 1"}, to_array(run.first.output, {"queries", "width"})},
      Values{{"案 2 の出力", "output of scheme 2"}, to_array(run.second.output, {"queries", "width"})},
      Values{{"QKV の出力", "output of QKV"}, to_array(run.qkv.output, {"queries", "width"})},
      properties(run),
      word_vectors(),
      sentence_table(run.sentences),
      to_say(run.sentences),
      misunderstanding(run.sentences),
  };
}

}  // namespace attnlab
