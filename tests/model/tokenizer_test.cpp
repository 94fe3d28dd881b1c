// Small tokenizers of every kind against Hugging Face's own code (tests/model/reference/make_tokenizers.mjs).
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "model/reference_model.hpp"
#include "model/tokenizer/merging.hpp"

using namespace attnlab;

namespace {

const Config& tokenizers() {
  static const Config all = reference_of("tokenizers");
  return all;
}

/// The tokenizer of that name, read from a file.
Tokenizer tokenizer_named(const std::string& name, const Folder& folder) {
  put(folder / "tokenizer.json", tokenizers()["tokenizers"][name]["json"].dump());
  return tokenizer_in(folder / "tokenizer.json");
}

std::string refusal_of(const Config& json) {
  const Folder folder;
  put(folder / "tokenizer.json", json.dump());
  try {
    tokenizer_in(folder / "tokenizer.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every kind of tokenizer makes the tokens that Hugging Face's makes") {
  for (const auto& [name, expected] : tokenizers()["tokenizers"].items()) {
    const Folder folder;
    const Tokenizer tokenizer = tokenizer_named(name, folder);
    const auto texts = tokenizers()["texts"].get<std::vector<std::string>>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(name);
      CAPTURE(texts[i]);
      CHECK(tokenizer.encode(texts[i]) == expected["tokens"][i].get<Tokens>());
    }
    Tokens whole = tokenizer.before;
    const Tokens text = tokenizer.encode(texts[2]);
    whole.insert(whole.end(), text.begin(), text.end());
    whole.insert(whole.end(), tokenizer.behind.begin(), tokenizer.behind.end());
    CHECK(whole == expected["with_template"].get<Tokens>());
  }
}

TEST_CASE("decoding what was encoded gives back the text") {
  for (const char* name : {"gpt2", "llama3", "llama2"}) {
    const Folder folder;
    const Tokenizer tokenizer = tokenizer_named(name, folder);
    for (const auto& text : tokenizers()["texts"].get<std::vector<std::string>>()) {
      CAPTURE(name);
      CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
    }
  }
}

TEST_CASE("no text makes a special token") {
  const Folder folder;
  const Tokenizer tokenizer = tokenizer_named("gpt2", folder);
  for (const std::size_t token : tokenizer.encode("a<|endoftext|>b"))
    CHECK(tokenizer.special.count(token) == 0);
}

TEST_CASE("GPT-2's two files say what tokenizer.json says") {
  const Folder folder;
  const Config& json = tokenizers()["tokenizers"]["gpt2"]["json"];
  put(folder / "vocab.json", json["model"]["vocab"].dump());
  std::string merges = "#version: 0.2\n";
  for (const auto& merge : json["model"]["merges"]) merges += merge.get<std::string>() + "\n";
  put(folder / "merges.txt", merges);
  const Tokenizer files =
      vocab_and_merges((folder / "vocab.json").string(), (folder / "merges.txt").string());
  const Tokenizer whole = tokenizer_named("gpt2", folder);
  for (const auto& text : tokenizers()["texts"].get<std::vector<std::string>>()) {
    if (!contains(text, "   ")) CHECK(files.encode(text) == whole.encode(text));  // an added token
  }
}

TEST_CASE("BERT's list of words says what tokenizer.json says") {
  const Folder folder;
  const Config& vocabulary = tokenizers()["tokenizers"]["bert"]["json"]["model"]["vocab"];
  std::vector<std::string> lines(vocabulary.size());
  for (const auto& [word, place] : vocabulary.items()) lines[place.get<std::size_t>()] = word;
  put(folder / "vocab.txt", joined(lines, "\n") + "\n");
  const Tokenizer list = wordpiece_words((folder / "vocab.txt").string(), true);
  const Tokenizer whole = tokenizer_named("bert", folder);
  CHECK(list.size == whole.size);
  CHECK(list.before == whole.before);
  for (const auto& text : tokenizers()["texts"].get<std::vector<std::string>>())
    CHECK(list.encode(text) == whole.encode(text));
}

TEST_CASE("pairs are merged by rank, of equal ones the leftmost first, in a text of any length") {
  // 0 0 -> 1, 1 1 -> 2
  const MergeOf merge = [](std::size_t left, std::size_t right) -> std::optional<Merge> {
    if (left == 0 && right == 0) return Merge{0.0, 1};
    return left == 1 && right == 1 ? std::optional(Merge{1.0, 2}) : std::nullopt;
  };
  CHECK(merged({}, merge) == Tokens{});
  CHECK(merged({0}, merge) == Tokens{0});
  CHECK(merged({0, 0, 0}, merge) == Tokens{1, 0});
  CHECK(merged({0, 0, 0, 0, 0}, merge) == Tokens{2, 0});
  CHECK(merged(Tokens(200'000, 0), merge) == Tokens(50'000, 2));
}

TEST_CASE("what is not known is refused by its name, never guessed") {
  const auto with = [](const std::function<void(Config&)>& change) {
    Config json = tokenizers()["tokenizers"]["llama3"]["json"];
    change(json);
    return refusal_of(json);
  };
  CHECK(contains(with([](Config& json) {
                   json["pre_tokenizer"] = {{"type", "UnicodeScripts"}};
                 }),
                 "'UnicodeScripts'"));
  CHECK(contains(with([](Config& json) { json["normalizer"] = {{"type", "Nmt"}}; }), "'Nmt'"));
  CHECK(contains(with([](Config& json) { json["model"]["type"] = "WordLevel"; }), "'WordLevel'"));
  CHECK(contains(
      with([](Config& json) { json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(a+)+"; }),
      "'(a+)+'"));
  CHECK(contains(with([](Config& json) { json["model"]["end_of_word_suffix"] = "</w>"; }),
                 "end_of_word_suffix"));
  CHECK(contains(with([](Config& json) { json["model"]["vocab"]["a"] = -1; }), "number of 'a'"));
  CHECK(contains(with([](Config& json) { json["model"]["merges"].push_back("zz yy"); }),
                 "does not fit the vocabulary"));
}

TEST_CASE("a byte that is no character is shown as a byte, a blank as a mark") {
  const Folder folder;
  const Tokenizer tokenizer = tokenizer_named("gpt2", folder);
  CHECK(tokenizer.label(tokenizer.encode("é").front()) == "<C3>");
  CHECK(tokenizer.label(tokenizer.encode("\n").front()) == "\\n");
  CHECK(tokenizer.label(tokenizer.encode(" ").front()) == "␣");
  CHECK(tokenizer.label(tokenizer.encode(" the").front()) == "the");
  CHECK(tokenizer.label(99'999) == "#99999");
}
