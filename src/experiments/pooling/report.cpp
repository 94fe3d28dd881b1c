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
  const auto neko = [](Text sentence, const Reading& reading) -> std::vector<ShortText> {
    const auto weight_text = [&reading](const char* word) {
      return text("{} {:.3f}", "{} {:.3f}", neko_word(word), weight_on(reading, word));
    };
    return {neko_word(reading.reader), std::move(sentence), weight_text("吾輩"), weight_text("ない")};
  };
  return {{{"単語", "word"}, {"文", "sentence"}, {"注意度", "weight"}, {"注意度", "weight"}},
          {{"bank", "… swam … river …", weight(read.river, "river"), ""},
           {"bank", "… get cash from …", weight(read.money, "cash"), ""},
           row({"… tired、層 0", "… tired, layer 0"}, read.tired_0, "animal", "street"),
           row({"… tired、層 1", "… tired, layer 1"}, read.tired_1, "animal", "street"),
           row({"… wide、層 1", "… wide, layer 1"}, read.wide_1, "animal", "street"),
           row({"ヘッド 0", "head 0"}, read.head_0, "painted", "woman"),
           row({"ヘッド 1", "head 1"}, read.head_1, "painted", "woman"),
           neko({"ヘッド 0", "head 0"}, read.neko_0),
           neko({"ヘッド 1", "head 1"}, read.neko_1)}};
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
      Paragraph::plain(
          "トークン {} 個、{} 次元、{}。スコア S を softmax すると注意度 A です（スケーリングなし）。",
          "{} tokens of width {}, {}. Softmax of the scores S gives the weights A (no scaling).",
          run.x.shape()[0], run.x.shape()[1], beginning_of(run)),
      symmetry(run),
      output("案 1 の出力", "output of scheme 1", run.first),
      output("案 2 の出力", "output of scheme 2", run.second),
      output("QKV の出力", "output of QKV", run.qkv),
      Paragraph::plain(
          "どの方式でも、出力はバリューの重み付き平均です。凸包から出ず、階数はバリューの階数以下です（{:g} と {:g}）。注意度を固定すればバリューについて線形ですが、X については線形ではありません（|f(2X) - 2f(X)| は最大 {:.3f}）。",
          "In every scheme an output is a weighted mean of the values: it stays inside their convex hull, and the rank is at most theirs ({:g} and {:g}). With the weights fixed it is linear in V; it is not linear in X (|f(2X) - 2 f(X)| is up to {:.3f}).",
          run.output_rank, run.value_rank, run.nonlinearity),
      Paragraph::plain(
          "乱数のトークン {0} 個に同じキーを参照させると、出力は（最初の 2 成分の平面で）{1} 個が凸包の中にあります。バリューの階数を 1 にすると出力は 1 本の線の上だけで、W_O を掛けても線のままです（階数 {2:g} と {3:g}）。残差を足すと初めて線を離れます（階数 {4:g}）。残差と MLP が要る理由です。",
          "Of the outputs of {0} random tokens that attend to the same keys, {1} lie in the hull, in the plane of the first two components. With values of rank 1 all outputs lie on a line, and W_O leaves it a line (ranks {2:g} and {3:g}). Only the residual takes them off it (rank {4:g}): this is what the residual and the MLP are for.",
          run.span.output.shape()[0], outputs_inside(run), static_cast<double>(rank_of(run.span.line_output)),
          static_cast<double>(rank_of(run.span.line_projected)),
          static_cast<double>(rank_of(run.span.line_residual))),
      Paragraph::plain(
          "Word2Vec の h = Wx では、bank のベクトルはどの文でも同じです（2 つの文での距離は {:g}）。アテンションは、同じ bank を一方の文では river へ、もう一方では money へ動かします（距離 {:.2f}）。単語のベクトルは説明用に手で作ったものです（data/inputs/pooling_words.txt）。",
          "Word2Vec's h = Wx gives bank one vector in every sentence ({:g} apart). Attention moves the same bank towards river in one sentence and towards money in the other ({:.2f} apart). The word vectors are made by hand for teaching (data/inputs/pooling_words.txt).",
          distance_in_word2vec(run), distance_in_attention(run)),
      sentence_table(read),
      Paragraph::say(
          "bank の注意度は、川の文では river に {:.2f}、お金の文では cash に {:.2f} で、出力はその近くへ動きます。同じ単語でも、周りの単語で行き先が変わるのです。",
          "bank gives river a weight of {:.2f} in one sentence and cash {:.2f} in the other, and its output moves there: for the same word the context decides.",
          weight_on(read.river, "river"), weight_on(read.money, "cash")),
      Paragraph::misunderstanding(
          "it が animal と street のどちらを指すかは、1 層では決まりません。it のクエリは 2 つの文で同じなので、注意度の比も同じ（{:.2f}）です。層 0 で it が tired や wide を参照し、層 1 で初めて差がつきます。",
          "One layer cannot tell whether it means the animal or the street: its query is the same in both sentences, and so is the ratio of the weights ({:.2f}). In layer 0 it attends to tired or wide; only layer 1 tells them apart.",
          weight_on(read.tired_0, "animal") / weight_on(read.tired_0, "street")),
      Paragraph::note(
          "「吾輩は猫である。名前はまだない」（教科書 2.2.4）：「名前」にとって、主題としては「吾輩」と「猫」が、名前がどうなのかという観点では「ない」が重要です。関係が 1 通りではないので、ヘッドを複数並べます（図 neko、手で作ったベクトル）。",
          "“I am a cat; as yet I have no name” (textbook, 2.2.4): to name, I and cat matter as its subject, none as what is said of it. As words are related in more than one way there are several heads (figure neko, with vectors made by hand)."),
  };
}

}  // namespace attnlab
