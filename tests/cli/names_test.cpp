// What a reader of the documents would type leads to the command that shows it.
#include "catalogue/names.hpp"

#include <doctest/doctest.h>

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
  for (const auto& [word, command] : expected) {
    INFO(word);
    const Outcome outcome = place.run({word, "--help", "--lang", "en"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.err, ": attnlab " + command + "\n"));
  }
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
  for (const auto& [word, first, second] : {std::tuple{"dictionary", "lookup", "train dictionary"},
                                            {"bank", "pooling --figure bank", "train sense"},
                                            {"transformer", "encoder", "decoder"},
                                            {"2.2.2", "vectors --figure idea", "vectors --code numpy"}}) {
    INFO(word);
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
  CHECK(items['B'] == 2);
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
  CHECK(place.run({"list", "--figures"}).exit_code == 2);
  CHECK(place.run({"list", "-o", "sheet.pdf"}).exit_code == 2);
  CHECK(place.run({"list", "softmax", "--figures", "-o", "sheet.pdf"}).exit_code == 2);
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
