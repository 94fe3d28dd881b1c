// What `pooling` says: symmetry in three schemes, what always holds, and words in their sentences.
#include "experiments/pooling/pooling.hpp"

namespace attnlab {
namespace {

std::string magnitude_text(double difference) {
  return difference < 1e-9 ? difference_text(difference) : fmt::format("{:.3f}", difference);
}

Table symmetry(const PoolingRun& run) {
  const auto row = [](Text name, const Scheme& scheme) -> std::vector<ShortText> {
    return {std::move(name), magnitude_text(scheme.score_asymmetry), magnitude_text(scheme.weight_asymmetry)};
  };
  return {{{"方式", "scheme"}, {"max|S - Sᵀ|", "max|S - Sᵀ|"}, {"max|A - Aᵀ|", "max|A - Aᵀ|"}},
          {row({"案 1  SM(XXᵀ)X", "1    SM(XXᵀ)X"}, run.first),
           row({"案 2  SM(XUUᵀXᵀ)XU", "2    SM(XUUᵀXᵀ)XU"}, run.second),
           row({"QKV   SM(QKᵀ)V", "QKV  SM(QKᵀ)V"}, run.qkv)}};
}

Table sentence_table(const SentenceReadings& read) {
  const auto weight = [](const Reading& reading, const char* word) {
    return fmt::format("{} {:.3f}", word, weight_on(reading, word));
  };
  const auto row = [&](Text sentence, const Reading& reading, const char* one,
                       const char* other) -> std::vector<ShortText> {
    return {reading.reader, std::move(sentence), weight(reading, one), weight(reading, other)};
  };
  return {{{"単語", "word"}, {"文", "sentence"}, {"注意度", "weight"}, {"注意度", "weight"}},
          {{"bank", "… swam … river …", weight(read.river, "river"), ""},
           {"bank", "… get cash from …", weight(read.money, "cash"), ""},
           row({"… tired、1 層", "… tired, 1 layer"}, read.tired, "animal", "street"),
           row({"… tired、2 層", "… tired, 2 layers"}, read.tired_2, "animal", "street"),
           row({"… wide、2 層", "… wide, 2 layers"}, read.wide_2, "animal", "street"),
           row({"ヘッド 1", "head 1"}, read.head_1, "painted", "woman"),
           row({"ヘッド 2", "head 2"}, read.head_2, "painted", "woman")}};
}

}  // namespace

std::vector<Block> body(const PoolingRun& run, const std::vector<Stage>& /*stages*/) {
  const SentenceReadings& read = run.sentences;
  const auto output = [](const char* ja, const char* en, const Scheme& scheme) {
    return Values{{ja, en}, to_array(scheme.output, {"queries", "width"})};
  };
  return {
      Paragraph::heading("注意プーリング", "Attention pooling"),
      Equation{formula::row({formula::read("y_n"), formula::sym(" = Σ "), formula::read("a_{nm} x_m")})},
      Paragraph::plain("トークン {} 個、{} 次元、{}。スコア S を softmax すると注意度 A です"
                       "（スケーリングなし）。",
                       "{} tokens of width {}, {}. Softmax of the scores S gives the weights A (no "
                       "scaling).",
                       run.x.shape()[0], run.x.shape()[1], beginning_of(run)),
      symmetry(run),
      output("案 1 の出力", "output of scheme 1", run.first),
      output("案 2 の出力", "output of scheme 2", run.second),
      output("QKV の出力", "output of QKV", run.qkv),
      Paragraph::plain(
          "どの方式でも、出力はバリューの重み付き平均です。凸包から出ず、階数はバリューの階数以下"
          "です（{:g} と {:g}）。注意度を固定すればバリューについて線形ですが、X については線形では"
          "ありません（|f(2X) - 2f(X)| は最大 {:.3f}）。",
          "In every scheme an output is a weighted mean of the values: it stays inside their "
          "convex hull, and the rank is at most theirs ({:g} and {:g}). With the weights fixed it "
          "is linear in V; it is not linear in X (|f(2X) - 2 f(X)| is up to {:.3f}).",
          run.output_rank, run.value_rank, run.nonlinearity),
      Paragraph::plain(
          "Word2Vec の h = Wx では、bank のベクトルはどの文でも同じです。アテンションは、同じ bank を"
          "一方の文では river へ、もう一方では money へ動かします。単語のベクトルは説明用に手で"
          "作ったものです（data/inputs/pooling_words.txt）。",
          "Word2Vec's h = Wx gives bank one vector in every sentence. Attention moves the same bank towards "
          "river in one sentence and towards money in the other. The word vectors are made by hand for "
          "teaching (data/inputs/pooling_words.txt)."),
      sentence_table(read),
      Paragraph::say("bank は川の文では river に {:.2f}、お金の文では cash に {:.2f} の注意を向け、出力はその"
                     "近くへ動きます。同じ単語でも、周りの単語で行き先が変わるのです。",
                     "bank gives {:.2f} to river in one sentence and {:.2f} to cash in the other, and its "
                     "output moves there. The same word, another place: the context decides.",
                     weight_on(read.river, "river"), weight_on(read.money, "cash")),
      Paragraph::misunderstanding(
          "it が animal と street のどちらを指すかは、1 層では決まりません。it のクエリは 2 つの文で"
          "同じなので、注意度の比も同じ（{:.2f}）です。1 層目で it が tired や wide を読み、2 層目で"
          "初めて差がつきます。",
          "One layer cannot tell whether it means the animal or the street: its query is the same "
          "in both sentences, and so is the ratio of the weights ({:.2f}). In the first layer it "
          "reads tired or wide; only the second tells them apart.",
          weight_on(read.tired, "animal") / weight_on(read.tired, "street")),
  };
}

}  // namespace attnlab
