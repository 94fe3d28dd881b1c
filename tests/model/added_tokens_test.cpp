// Tokens that were added, with their flags: each expectation is worked by hand from Hugging Face's
// added_vocabulary.rs.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "model/reference_model.hpp"
#include "model/tokenizer/sentencepiece.hpp"

using namespace attnlab;

namespace {

/// Letters, a blank, a tab and the bytes of é; then what was added.
Config letters_and(const std::string& flags, const std::string& content = "<m>",
                   const Config& normalizer = {}) {
  Config json = Config::parse(R"({"added_tokens": [{"id": 20, "normalized": false, "special": true}],
      "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false},
      "model": {"type": "BPE", "merges": [], "vocab":
        {"a": 0, "b": 1, "Ġ": 2, "ĉ": 3, "_": 4, "<": 5, "m": 6, ">": 7, "Ã": 8, "©": 9}}})");
  json["normalizer"] = normalizer;
  json["added_tokens"][0]["content"] = content;
  json["added_tokens"][0].update(Config::parse(flags));
  return json;
}

/// The pieces that a text becomes, parted by |.
std::string cut(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<std::string> pieces;
  for (const std::size_t token : tokenizer.encode(text)) pieces.push_back(tokenizer.pieces.at(token));
  return joined(pieces, "|");
}

std::string cut(const Config& json, const std::string& text) {
  return cut(tokenizer_json(json, "t.json"), text);
}

/// RoBERTa's two files: letters, a blank, what stands around a text, and the mask.
void put_roberta(const Folder& folder) {
  put(folder / "vocab.json", R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"Ġ":6,"Ġb":7,"<mask>":8})");
  put(folder / "merges.txt", "#version: 0.2\nĠ b\n");
}

Tokenizer two_files(const Folder& folder) {
  return vocab_and_merges((folder / "vocab.json").string(), (folder / "merges.txt").string());
}

}  // namespace

TEST_CASE("an added token takes the white space before it, behind it, or none, as its flags say") {
  CHECK(cut(letters_and("{}"), "a <m> b") == "a| |<m>| |b");
  const Config left = letters_and(R"({"lstrip": true})");
  CHECK(cut(left, "a <m> b") == "a|<m>| |b");
  CHECK(cut(left, "a \t\u3000<m>b") == "a|<m>|b");
  CHECK(cut(left, " <m> <m>") == "<m>|<m>");
  CHECK(cut(left, "a<m>") == "a|<m>");
  const Config right = letters_and(R"({"rstrip": true})");
  CHECK(cut(right, "a <m> \tb") == "a| |<m>|b");
  CHECK(cut(right, "<m> <m> ") == "<m>|<m>");
  const Config both = letters_and(R"({"lstrip": true, "rstrip": true, "special": false})");
  CHECK(cut(both, "a <m> b") == "a|<m>|b");
}

TEST_CASE("a token that is a word by itself is none within a word") {
  const Config whole = letters_and(R"({"single_word": true})");
  CHECK(cut(whole, "a <m> b") == "a| |<m>| |b");
  CHECK(cut(whole, "a<m> b") == "a|<|m|>| |b");
  CHECK(cut(whole, "a <m>b") == "a| |<|m|>|b");
  CHECK(cut(whole, "_<m>") == "_|<|m|>");
  CHECK(cut(whole, "<m>é") == "<|m|>|\xC3|\xA9");
  CHECK(cut(whole, "<m><m>") == "<m>|<m>");
  CHECK(cut(whole, "<m>") == "<m>");
}

TEST_CASE("a token is looked for in the text itself, or in the normalised one under its normalised name") {
  const Config lower{{"type", "Lowercase"}};
  CHECK(cut(letters_and("{}", "<M>", lower), "A<M>B<m>") == "a|<M>|b|<|m|>");
  CHECK(cut(letters_and(R"({"normalized": true})", "<M>", lower), "A<M>B<m>") == "a|<M>|b|<M>");
}

TEST_CASE("of two tokens at a place the longer is taken") {
  Config json = letters_and("{}");
  json["added_tokens"].push_back(Config::parse(R"({"id": 21, "content": "<m>a", "special": true})"));
  CHECK(cut(json, "a<m>ab<m>b") == "a|<m>a|b|<m>|b");
}

TEST_CASE(
    "behind a token that was added Metaspace puts a mark before a word, or at the text's beginning alone") {
  Config json = Config::parse(R"({"added_tokens": [{"id": 3, "content": "<m>", "special": true}],
      "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
      "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁", -1], ["a", -1]]}})");
  CHECK(cut(json, "a<m>a") == "▁|a|<m>|▁|a");
  json["pre_tokenizer"]["prepend_scheme"] = "first";
  CHECK(cut(json, "a<m>a a") == "▁|a|<m>|a|▁|a");
  CHECK(cut(json, "<m>a") == "<m>|a");
}

TEST_CASE("RoBERTa's two files put its text between <s> and </s>, and its mask takes the blank before it") {
  const Folder folder;
  put_roberta(folder);
  const Tokenizer tokenizer = two_files(folder);
  CHECK(tokenizer.before == Tokens{0});
  CHECK(tokenizer.behind == Tokens{2});
  CHECK(tokenizer.mask == 8);
  CHECK(cut(tokenizer, "a <mask> b") == "a|<mask>| b");
  CHECK(cut(tokenizer, "</s>a") == "</s>|a");
}

TEST_CASE("what the files beside say of a token holds where there is no tokenizer.json") {
  const Folder folder;
  put_roberta(folder);
  put(folder / "special_tokens_map.json",
      R"({"mask_token": {"content": "<mask>", "lstrip": false, "rstrip": true}})");
  CHECK(cut(two_files(folder), "a <mask> b") == "a| |<mask>|b");
  put(folder / "tokenizer_config.json",
      R"({"added_tokens_decoder": {"8": {"content": "<mask>", "lstrip": true, "special": true},
          "9": {"content": "<new>", "rstrip": true}}, "mask_token": "<mask>", "add_bos_token": true})");
  CHECK(cut(two_files(folder), "a <mask> b<new> a") == "a|<mask>| b|<new>|a");
  CHECK(two_files(folder).size == 10);
}

TEST_CASE("a mask that only added_tokens.json holds is the mask") {
  const Folder folder;
  put_roberta(folder);
  put(folder / "vocab.json", R"({"<s>":0,"</s>":1,"a":2,"Ġ":3,"b":4,"Ġb":5})");
  put(folder / "added_tokens.json", R"({"<mask>": 6})");
  const Tokenizer tokenizer = two_files(folder);
  CHECK(tokenizer.mask == 6);
  CHECK(tokenizer.before == Tokens{0});
  CHECK(cut(tokenizer, "a <mask> b") == "a|<mask>| b");
}

TEST_CASE("BERT's words of MPNet stand between <s> and </s>") {
  const Folder folder;
  put(folder / "vocab.txt", "<s>\n<pad>\n</s>\n[UNK]\n[CLS]\n[SEP]\na\n<mask>\n");
  const Tokenizer tokenizer = wordpiece_words((folder / "vocab.txt").string(), true);
  CHECK(tokenizer.before == Tokens{0});
  CHECK(tokenizer.behind == Tokens{2});
  CHECK(cut(tokenizer, "A <mask> a") == "a|<mask>|a");
}

TEST_CASE("a text is cut at SentencePiece's special tokens, with the flags of the files beside") {
  const Folder folder;
  const auto model = source_dir() / "tests" / "model" / "reference" / "files" / "bpe.model";
  std::filesystem::copy_file(model, folder / "t.model");
  const std::string file = (folder / "t.model").string();
  const Tokenizer plain = sentencepiece_model(file);
  const Tokens the = plain.encode("the");
  Tokens expected = the;
  expected.push_back(2);
  expected.insert(expected.end(), the.begin(), the.end());
  CHECK(plain.encode("the</s>the") == expected);
  put(folder / "tokenizer_config.json", R"({"added_tokens_decoder": {")" + std::to_string(plain.size) +
                                            R"(": {"content": "<mask>", "lstrip": true, "rstrip": true}}})");
  const Tokenizer masking = sentencepiece_model(file);
  CHECK(masking.size == plain.size + 1);
  CHECK(masking.mask == plain.size);
  expected[the.size()] = plain.size;
  CHECK(masking.encode("the <mask> the") == expected);
  put(folder / "tokenizer_config.json", R"({"added_tokens_decoder": {"5": {"content": "<mask>"}}})");
  CHECK_THROWS_WITH_AS(sentencepiece_model(file),
                       doctest::Contains("its token 5 is '<0x02>', but '<mask>' in"), Error);
}

TEST_CASE("GGUF's control tokens cut a text, and its mask takes the blank before it") {
  const Config values = Config::parse(R"({"model": "gpt2", "merges": [],
      "tokens": ["a", "b", "Ġ", "<mask>", "<|end|>"], "token_type": [1, 1, 1, 3, 3]})");
  const Tokenizer tokenizer = gguf_tokenizer(values, "t.gguf");
  CHECK(cut(tokenizer, "a <mask> b<|end|>") == "a|<mask>| |b|<|end|>");
  for (const Config& type : {Config(1e30), Config(1.0), Config("1")}) {
    Config damaged = values;
    damaged["token_type"][4] = type;
    CHECK_THROWS_WITH_AS(gguf_tokenizer(damaged, "t.gguf"), doctest::Contains("token_type of its vocabulary"),
                         Error);
  }
}

TEST_CASE("a SentencePiece file gives XLM-R's and CamemBERT's tokens the numbers of fairseq's dictionary") {
  // transformers: XLMRobertaTokenizer._convert_token_to_id and CamembertTokenizer's: id + offset, 0 is <unk>
  const auto model = source_dir() / "tests" / "model" / "reference" / "files" / "unigram.model";
  const Tokenizer own = sentencepiece_model(model.string());
  REQUIRE(own.pieces[0] == "<unk>");
  REQUIRE(own.pieces[1] == "<s>");
  REQUIRE(own.pieces[2] == "</s>");
  const std::string the = "the model reads 我";
  const auto check = [&](const char* type, std::size_t offset, std::size_t begin, std::size_t end) {
    CAPTURE(type);
    const Folder folder;
    std::filesystem::copy_file(model, folder / "sentencepiece.bpe.model");
    Checkpoint checkpoint;
    checkpoint.place = (folder / "config.json").string();
    checkpoint.config = {{"model_type", type}, {"vocab_size", own.size + offset + 1}};
    std::vector<std::string> files;
    const std::optional<Tokenizer> tokenizer = tokenizer_of(checkpoint, "", files);
    REQUIRE(tokenizer);
    Tokens expected;
    for (const std::size_t id : own.encode(the)) expected.push_back(id == 0 ? 3 : id + offset);
    CHECK(tokenizer->encode(the) == expected);
    CHECK(tokenizer->decode(expected) == own.decode(own.encode(the)));
    expected.push_back(own.size + offset);
    CHECK(tokenizer->encode(the + " <mask>") == expected);
    CHECK(tokenizer->mask == own.size + offset);
    CHECK(tokenizer->size == own.size + offset + 1);
    CHECK(tokenizer->before == Tokens{begin});
    CHECK(tokenizer->behind == Tokens{end});
    CHECK(tokenizer->encode("<pad>") == Tokens{1});
  };
  check("xlm-roberta", 1, 0, 2);
  check("camembert", 4, 5, 6);
}
