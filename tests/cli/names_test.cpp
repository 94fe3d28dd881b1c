// What a reader of the documents would type leads to the command that shows it.
#include "catalogue/names.hpp"

#include <doctest/doctest.h>

#include "attnlab/documents/documents.hpp"
#include "catalogue/catalogue.hpp"
#include "cli/program.hpp"
#include "core/utf8.hpp"

namespace attnlab {

TEST_CASE("words that a reader would type are understood, and the command is told") {
  const Workplace place;
  const std::vector<std::pair<std::string, std::string>> expected{
      {"layernorm", "encoder --figure layer-norm"},
      {"Layer Normalization", "encoder --figure layer-norm"},
      {"レイヤ正規化", "encoder --figure layer-norm"},
      {"overflow", "softmax --figure overflow"},
      {"温度", "softmax --figure temperature"},
      {"sdpa", "scaling"},
      {"mha", "heads"},
      {"multi-head", "heads"},
      {"マルチヘッドアテンション", "heads"},
      {"pe", "positional"},
      {"位置エンコーディング", "positional"},
      {"rotary", "rope"},
      {"YaRN", "rope --figure scaling"},
      {"flash-attention", "flash"},
      {"オンラインソフトマックス", "flash"},
      {"residual", "encoder --figure flow"},
      {"ffn", "encoder --figure architecture"},
      {"word2vec", "pooling --figure word2vec"},
      {"gpt", "decoder"},
      {"rnn", "recurrence"},
      {"移動平均", "filters"},
      {"causal", "masks"},
      {"arrows", "vectors --figure arrows"},
      {"2.2.14", "scaling --figure scatter"},
      {"fig2.2.14", "scaling --figure scatter"},
      {"図2.2.14", "scaling --figure scatter"},
      {"図 ２.２.１４", "scaling --figure scatter"},
      {"コード2.2.10", "heads --variant book --code torch"},
      {"eq9", "positional"},
      {"式(4)", "variance"},
      {"脚注3", "variance"},
      {"task1", "masks"},
      {"課題2", "heads --variant course"}};
  for (const auto& entry : expected) {
    const auto& [word, command] = entry;
    INFO(entry.first);
    const Outcome outcome = place.run({word, "--help", "--lang", "en"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.err, ": attnlab " + command + "\n"));
  }
}

TEST_CASE("terms, notations and places of the five documents lead to their experiment") {
  // The experiment, and what of the documents' text a reader would type.
  const std::vector<std::pair<std::string, std::string>> table{
      {"softmax",
       "softmax関数|softmaxによる変換|ソフトマックス|オーバーフロー|数値安定|図2.2.6|コード2.2.1|式5|temperature"},
      {"dot-product", "内積|ベクトルの内積|cosine similarity|コサイン類似度|類似度|図2.2.4"},
      {"vectors",
       "アテンション機構|注意機構|注意度|注意の強さ|アテンション重み|attention weights|クエリ|重み付き和|図2.2.9"},
      {"scaling",
       "スケール化内積アテンション|スケールドドット積アテンション|F.scaled_dot_product_attention|ScaledDotProductAttention|√d|√d_k|スケールファクター|図2.2.14|code 2.2.7"},
      {"variance", "標準偏差|分散1|飽和領域|脚注3|footnote 3|式(4)|注意のスケールの調整"},
      {"additive", "加法アテンション|Additive Attention|図2.2.3"},
      {"lookup", "クエリ・キー・バリュー|query key value|ソフトな辞書検索|漱石|夏目|バリュウ|eq. 6"},
      {"pooling",
       "注意プーリング|荷重平均|加重平均|案1|案2|分布仮説|部分空間|brush|word2vec|token embedding|注意機構の性質"},
      {"recurrence",
       "RNN|再帰型ニューラルネットワーク|逐次処理|長距離依存性|並列化|勾配爆発|exploding gradient"},
      {"filters", "EMA|指数移動平均|移動平均|固定フィルタ|固定重みフィルタ"},
      {"cost", "計算量|O(n^2)|O(n²)|quadratic complexity"},
      {"self-attention",
       "Self-Attention|自己注意機構|ヒートマップ|アテンションスコア|射影|W_Q|eq2|Attention Head"},
      {"heads",
       "マルチヘッド注意機構|SimpleMultiHeadAttention|nn.MultiheadAttention|multi-headed attention|split_heads|head_dim|d_model|線形変換|結合|W_O|スクラッチ実装|図２．２．１５|脚注 5|式7|Task2"},
      {"masks", "加法マスク|causal mask|因果的アテンション|未来を隠す|パディング|task 1"},
      {"permutation", "permutation-invariant|順序不変|語順"},
      {"positional", "位置の表現|Sinusoidal Positional Encoding|正弦波|相対位置|equation 9|式10"},
      {"encoder",
       "レイヤ正規化|準備：レイヤ正規化|残差接続|residual stream|MLP|GELU|符号器|Attention is All You Need"},
      {"cross-attention", "Encoder-Decoder|交差注意|クロスアテンション"},
      {"decoder", "GPT|LSM|線形多クラス識別器|next token prediction|自己回帰|予告：GPT のアーキテクチャ"},
      {"train", "learning rate|クロスエントロピー|想起|カーネル法|誘導ヘッド"}};
  for (const auto& entry : table) {
    for (const std::string& name : split(entry.second, "|")) {
      INFO(name);
      const std::vector<Meaning> meanings = meanings_of(name);
      const bool leads = std::any_of(meanings.begin(), meanings.end(), [&](const Meaning& meaning) {
        return split(meaning.command, " ").front() == entry.first;
      });
      CHECK((leads || find_experiment(lower_case(name)) != nullptr));
    }
  }
}

TEST_CASE("a slip in a name is answered with the name, what is only spoken of with a list") {
  const Workplace place;
  const std::vector<std::pair<std::string, std::string>> expected{
      {"mutli-head", "did you mean multi-head?"},
      {"attenton", "did you mean attention?"},
      {"layernrom", "did you mean layernorm?"},
      {"トランスフォマー", "did you mean トランスフォーマー?"},
      {"アーキテクチャ", "`attnlab list 'アーキテクチャ'`"}};
  for (const auto& entry : expected) {
    const auto& [word, hint] = entry;
    INFO(entry.first);
    const Outcome outcome = place.run({word, "--lang", "en"});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, hint));
  }
  CHECK(contains(place.run({"list", "mutli-head", "--lang", "en"}).err, "did you mean multi-head?"));
  CHECK(contains(place.run({"list", "fig. 2.2.9"}).out, "attnlab vectors --figure arrows"));
}

TEST_CASE("the language may stand before the name") {
  const Workplace place;
  for (const std::vector<std::string>& before :
       {std::vector<std::string>{"--lang", "en"}, std::vector<std::string>{"--lang=en"}}) {
    std::vector<std::string> words = before;
    words.insert(words.end(), {"layernorm", "--quiet", "-o", "x.svg"});
    const Outcome outcome = place.run(words);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.err, "layernorm: attnlab encoder --figure layer-norm\n"));
  }
}

TEST_CASE("a word of several meanings is answered with all of them, and runs none") {
  const Workplace place;
  for (const auto& entry : {std::tuple{"dictionary", "lookup", "train dictionary"},
                            {"bank", "pooling --figure bank", "train sense"},
                            {"transformer", "encoder", "decoder"},
                            {"2.2.2", "vectors --figure idea", "vectors --code numpy"}}) {
    const auto& [word, first, second] = entry;
    INFO(std::get<0>(entry));
    const Outcome outcome = place.run({word, "-o", "x.svg", "--lang", "en"});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, std::string("attnlab ") + first + "  "));
    CHECK(contains(outcome.err, std::string("attnlab ") + second + "  "));
    CHECK(contains(outcome.err, "'" + std::string(word) + "' means several things"));
    CHECK_FALSE(place.has("x.svg"));
  }
}

TEST_CASE("every name and every item of a document leads to a command that is there, with its figure") {
  const Workplace place;
  std::set<std::string> commands;
  for (const DocumentItem& item : document_items()) commands.insert(item.meaning.command);
  for (const Book& book : books())
    for (const Meaning& section : book.sections) commands.insert(section.command);
  for (const char* word : {"a", "e", "o", "ス", "注", "語", "図"})
    for (const Meaning& meaning : found(word)) commands.insert(meaning.command);
  CHECK(commands.size() > 100);
  for (const std::string& command : commands) {
    INFO(command);
    std::vector<std::string> words = split(command, " ");
    const bool draws = contains(command, "--figure") && words.front() != "train";
    words.insert(words.end(), draws ? std::initializer_list<std::string>{"--quiet", "-o", "x.svg"}
                                    : std::initializer_list<std::string>{"--help"});
    const Outcome outcome = place.run(words);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  }
}

TEST_CASE("what is typed for a name stays data") {
  const Workplace place;
  const Outcome outcome = place.run({"layer\anorm", "--help", "--lang", "en"});
  CHECK(outcome.exit_code == 0);
  CHECK_FALSE(contains(outcome.err, "\a"));
}

TEST_CASE("the documents' items are all there, in their order") {
  std::map<char, std::size_t> items;
  for (const DocumentItem& item : document_items()) ++items[item.place.front()];
  CHECK(items['A'] == 15 + 11 + 5);  // figures, listings, footnotes
  CHECK(items['B'] == 3);
  CHECK(items['D'] == 10);
  CHECK(items['E'] >= 15);
}

TEST_CASE("list searches, and lists a document's items") {
  const Workplace place;
  const Outcome found = place.run({"list", "正規化", "--lang", "ja"});
  CHECK(contains(found.out, "attnlab encoder --figure layer-norm"));
  const Outcome items = place.run({"list", "--document", "A", "--lang", "en"});
  CHECK(contains(items.out,
                 "図 2.2.13: in many dimensions one weight nears 1\n  attnlab scaling --figure clipped\n"));
  CHECK(place.run({"list", "zzzz"}).exit_code == 2);
  CHECK(contains(place.run({"list", "--book", "d2l"}).out,
                 "11.5 Multi-Head Attention\n  attnlab heads --figure shapes\n"));
  for (const Book& book : books()) {
    CHECK(contains(place.run({"list", "--book", book.name}).out, book.title));
    CHECK(contains(place.run({"list", "--book", "all"}).out, book.title));
  }
  CHECK(place.run({"list", "--book", "d2l", "--document", "A"}).exit_code == 2);
  CHECK(place.run({"list", "softmax", "--document", "A"}).exit_code == 2);
  CHECK(contains(place.run({"help", "overflow", "--lang", "en"}).out, "attnlab softmax --figure overflow"));
}

TEST_CASE("a contact sheet has every figure of the book, under its own name") {
  const Workplace place;
  CHECK(place.run({"list", "--figures", "-o", "sheet.svg", "--lang", "en"}).exit_code == 0);
  const std::string sheet = place.read("sheet.svg");
  for (const Experiment& experiment : experiments())
    CHECK_MESSAGE(contains(sheet, "id=\"" + experiment.name + "-"), experiment.name);
  CHECK(place.run({"list", "--figures", "-o", "sheet.pdf"}).exit_code == 0);
  CHECK(contains(place.run({"list", "--figures", "-o", "sheet.html", "--lang", "en"}).err, "gallery.html"));
  CHECK(place.run({"list", "--figures"}).exit_code == 2);
  CHECK(place.run({"list", "-o", "sheet.pdf"}).exit_code == 2);
  CHECK(place.run({"list", "softmax", "--figures", "-o", "sheet.pdf"}).exit_code == 2);
}

TEST_CASE("the cheat sheet is one page with every experiment, where no text meets another or leaves it") {
  for (const Language language : {Language::ja, Language::en}) {
    const DisplayList list = cheat_sheet_page(language).list;
    std::vector<std::pair<std::string, Corners>> texts;
    for (const Item& item : list.items)
      if (const auto* label = std::get_if<Label>(&item.shape))
        texts.emplace_back(label->markup, ink_corners(*label));
    for (const Experiment& experiment : experiments())
      CHECK_MESSAGE(
          std::any_of(texts.begin(), texts.end(),
                      [&](const auto& text) { return contains(text.first, ">" + experiment.name + "<"); }),
          experiment.name);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      INFO(texts[i].first);
      const Box ink = bounds_of(texts[i].second);
      CHECK((ink.x >= 0.0 && ink.y >= 0.0 && ink.right() <= list.width && ink.bottom() <= list.height));
      for (std::size_t j = 0; j < i; ++j) CHECK(overlap(texts[i].second, texts[j].second) < 0.5);
    }
  }
  const Workplace place;
  CHECK(place.run({"list", "--cheat-sheet", "-o", "cheat.pdf", "--lang", "ja"}).exit_code == 0);
  CHECK(place.run({"list", "--cheat-sheet"}).exit_code == 2);
  CHECK(place.run({"list", "--cheat-sheet", "--figures", "-o", "cheat.pdf"}).exit_code == 2);
}

TEST_CASE("a Japanese word is not answered with English ones by letters, nor one of three letters") {
  const Workplace place;
  for (const char* word : {"ほげ", "xqz", "abc"}) {
    const Outcome outcome = place.run({word, "--lang", "en"});
    CHECK(outcome.exit_code == 2);
    CHECK_FALSE(contains(outcome.err, "did you mean"));
  }
  CHECK(contains(place.run({"vektors", "--lang", "en"}).err, "did you mean vectors?"));
}

}  // namespace attnlab
