// Small tokenizers of every kind against Hugging Face's own code (tests/model/reference/make_tokenizers.mjs).
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "model/reference_model.hpp"
#include "model/tokenizer/merging.hpp"
#include "plotting/backends/backends.hpp"

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
  for (const auto& entry : tokenizers()["tokenizers"].items()) {
    const auto& [name, expected] = entry;
    const Folder folder;
    const Tokenizer tokenizer = tokenizer_named(name, folder);
    const auto texts = tokenizers()["texts"].get<std::vector<std::string>>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(entry.key());
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

TEST_CASE("a special token that stands in a text is that token") {
  const Folder folder;
  const Tokenizer tokenizer = tokenizer_named("gpt2", folder);
  const Tokens a = tokenizer.encode("a");
  CHECK(tokenizer.encode("a<|endoftext|>a") == Tokens{a[0], 500, a[0]});
  CHECK(tokenizer.special.count(500) == 1);
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

TEST_CASE("beside GPT-2's two files OPT's say which token stands before a text") {
  const Folder folder;
  put(folder / "vocab.json", R"({"a": 0, "</s>": 1, "<s>": 2})");
  put(folder / "merges.txt", "#version: 0.2\n");
  const auto tokenizer = [&](const char* config) {
    put(folder / "tokenizer_config.json", config);
    return vocab_and_merges((folder / "vocab.json").string(), (folder / "merges.txt").string());
  };
  const Tokenizer opt = tokenizer(R"({"add_bos_token": true, "bos_token": {"content": "</s>"}})");
  CHECK(opt.before == Tokens{1});
  CHECK(opt.beginning == 1);
  CHECK(tokenizer(R"({"add_bos_token": true, "bos_token": "</s>"})").before == Tokens{1});
  CHECK(tokenizer(R"({"add_bos_token": false, "bos_token": "</s>"})").before.empty());
  CHECK(tokenizer(R"({"add_bos_token": true})").before.empty());
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

TEST_CASE(
    "a word of any length is cut by the longest pieces, the likeliest pieces, and the words of a model") {
  const std::size_t count = 100'000;
  const std::string word(count, 'a');
  Config pieces =
      Config::parse(R"({"type": "WordPiece", "vocab": {"a": 0, "##a": 1, "u": 2}, "unk_token": "u",
      "max_input_chars_per_word": 2147483647})");
  Tokens expected(count, 1);
  expected.front() = 0;
  CHECK(tokenizer_json({{"model", pieces}}, "t.json").encode(word) == expected);
  pieces["vocab"]["##aaa"] = 3U;
  CHECK(tokenizer_json({{"model", pieces}}, "t.json").encode(word) == [&] {
    Tokens tokens(1 + (count - 1) / 3, 3);
    tokens.front() = 0;
    return tokens;
  }());
  const std::string piece(1000, 'a');
  Config unigram = Config::parse(R"({"unk_id": 0, "vocab": [["u", 0], ["a", -1], ["", -1], ["aa", -1.5]]})");
  unigram["vocab"][2][0] = piece;
  const Tokenizer likeliest = tokenizer_json({{"model", unigram}}, "t.json");
  CHECK(likeliest.encode(word) == Tokens(100, 2));
  CHECK(likeliest.encode(piece + "a") == Tokens{1, 2});
  CHECK(word_list({piece, "a", "\u2423"}, "", "t").encode(piece + "a") == Tokens{0, 1});
  unigram["vocab"][2][0] = std::string(1025, 'a');
  CHECK_THROWS_WITH_AS(tokenizer_json({{"model", unigram}}, "t.json"), doctest::Contains("1024 at most"),
                       Error);
}

TEST_CASE(
    "of the ways to make a word the likeliest is taken in double precision, of equal ones the longest last piece") {
  const auto cut = [](double whole, const std::string& word) {
    Config model = Config::parse(
        R"({"unk_id": 0, "vocab": [["<unk>", 0], ["a", -0.1], ["b", -0.2], ["ab", 0], ["ba", 0]]})");
    model["vocab"][3][1] = model["vocab"][4][1] = whole;
    return tokenizer_json({{"model", model}}, "t.json").encode(word);
  };
  CHECK(cut(-0.3, "ab") == Tokens{3});
  CHECK(cut(-0.1 - 0.2, "ab") == Tokens{3});
  CHECK(cut(-0.1 - 0.2, "aba") == Tokens{1, 4});
  CHECK(cut(-0.300000001, "ab") == Tokens{1, 2});  // in single precision it is -0.3
}

TEST_CASE("neighbours that are no pieces are one unknown token, or the bytes of all") {
  Config model =
      Config::parse(R"({"unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["<0xC3>", -9], ["<0xA9>", -9]]})");
  CHECK(tokenizer_json({{"model", model}}, "t.json").encode("aéxa") == Tokens{1, 0, 1});
  model["byte_fallback"] = true;
  CHECK(tokenizer_json({{"model", model}}, "t.json").encode("aéa") == Tokens{1, 2, 3, 1});
  CHECK(tokenizer_json({{"model", model}}, "t.json").encode("aéxa") == Tokens{1, 0, 1});
  model.erase("unk_id");
  CHECK_THROWS_WITH_AS(tokenizer_json({{"model", model}}, "t.json").encode("x"), doctest::Contains("'x'"),
                       Error);
}

TEST_CASE("steps that make too much of a text are refused, whichever they are") {
  const auto replace = [](const char* kind, const char* from, const std::string& to) {
    return Config{{"type", "Replace"}, {"pattern", {{kind, from}}}, {"content", to}};
  };
  const auto json = [](const char* place, const char* list, const Config& step, std::size_t times) {
    Config all = Config::parse(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})");
    all[place] = {{"type", "Sequence"}, {list, Config(times, step)}};
    return all;
  };
  const auto normalizing = [&](const Config& step, std::size_t times) {
    return json("normalizer", "normalizers", step, times);
  };
  const auto cutting = [&](const Config& step, std::size_t times) {
    return json("pre_tokenizer", "pretokenizers", step, times);
  };
  const Config marks{
      {"type", "Metaspace"}, {"replacement", "  "}, {"prepend_scheme", "never"}, {"split", false}};
  const Config prefixes{{"type", "Metaspace"}, {"replacement", std::string(5000, 'x')}};
  const Config prepends{{"type", "Prepend"}, {"prepend", std::string(1000, 'x')}};
  for (const Config& bomb : {normalizing(replace("String", "a", std::string(100, 'a')), 5),
                             normalizing(replace("String", "a", std::string(10'000, 'a')), 1),
                             normalizing(replace("Regex", " {2,}", std::string(5000, ' ')), 1),
                             normalizing(prepends, 20), cutting(marks, 40), cutting(prefixes, 2)}) {
    CHECK_THROWS_WITH_AS(tokenizer_json(bomb, "t.json").encode("aa  aa"),
                         doctest::Contains("64 of each byte"), Error);
  }
  CHECK_NOTHROW(tokenizer_json(normalizing(replace("String", "a", "bb"), 64), "t.json").encode("aa"));
  CHECK_THROWS_WITH_AS(tokenizer_json(normalizing(replace("String", "a", "b"), 65), "t.json"),
                       doctest::Contains("65 steps"), Error);
  CHECK_THROWS_WITH_AS(tokenizer_json(cutting(normalizing(marks, 65)["normalizer"], 1), "t.json"),
                       doctest::Contains("Sequence"), Error);
}

TEST_CASE("a tokenizer.json whose model has no type is read for what it is") {
  for (const auto& entry : tokenizers()["tokenizers"].items()) {
    const auto& [name, expected] = entry;
    Config json = expected["json"];
    json["model"].erase("type");
    const Tokenizer tokenizer = tokenizer_json(json, "t.json");
    for (std::size_t i = 0; i < 20; ++i) {
      CAPTURE(entry.key());
      CHECK(tokenizer.encode(tokenizers()["texts"][i].get<std::string>()) ==
            expected["tokens"][i].get<Tokens>());
    }
  }
  const Config words = Config::parse(R"({"model": {"unk_token": "a", "vocab": {"a": 0}}})");
  CHECK_THROWS_WITH_AS(tokenizer_json(words, "t.json"), doctest::Contains("'WordLevel'"), Error);
}

TEST_CASE("tiktoken's ranks are read with Llama 3's pattern and special tokens") {
  const Folder folder;
  const Config& json = tokenizers()["tokenizers"]["llama3"]["json"];
  const Tokenizer whole = tokenizer_named("llama3", folder);
  std::string lines;
  std::size_t count = 0;
  for (; count < json["model"]["vocab"].size(); ++count)
    lines += fmt::format("{} {}\n", base64(whole.pieces.at(count)), count);
  put(folder / "tokenizer.model", lines);
  const std::string file = (folder / "tokenizer.model").string();
  CHECK(holds_ranks(bytes_of(file).view));
  const Tokenizer ranks = llama3_ranks(file, count + 256);
  for (const auto& text : tokenizers()["texts"].get<std::vector<std::string>>()) {
    CAPTURE(text);
    if (!contains(text, "   ")) CHECK(ranks.encode(text) == whole.encode(text));  // an added token
  }
  CHECK(ranks.size == count + 256);
  CHECK(ranks.before == Tokens{count});
  CHECK(ranks.pieces.at(count) == "<|begin_of_text|>");
  CHECK(ranks.pieces.at(count + 5) == "<|reserved_special_token_3|>");
  CHECK(ranks.pieces.at(count + 8) == "<|reserved_special_token_4|>");
  CHECK(ranks.pieces.at(count + 9) == "<|eot_id|>");
  CHECK(ranks.pieces.at(count + 10) == "<|reserved_special_token_5|>");
  CHECK(ranks.pieces.at(count + 255) == "<|reserved_special_token_250|>");
  CHECK(ranks.endings == std::set<std::size_t>{count + 1, count + 9});
  CHECK(ranks.encode("<|eot_id|>") == Tokens{count + 9});
  CHECK(llama3_ranks(file, count).size == count);
  put(folder / "tokenizer.model", lines + "YWE= x\n");
  CHECK_THROWS_WITH_AS(llama3_ranks(file, 1000), doctest::Contains(fmt::format("line {}", count + 1).c_str()),
                       Error);
  put(folder / "tokenizer.model", lines.substr(lines.find('\n') + 1));
  CHECK_THROWS_WITH_AS(llama3_ranks(file, 1000), doctest::Contains("does not hold the byte"), Error);
}

TEST_CASE("a character that no vocabulary of characters holds is named as one") {
  const Tokenizer letters = word_list({"a", "b", "\u2423"}, "", "t");
  CHECK_THROWS_WITH_AS(letters.encode("a é日"), doctest::Contains("the character 'é' (U+00E9) is not"),
                       Error);
  const Tokenizer words = word_list({"cat", "sat"}, "", "t");
  CHECK_THROWS_WITH_AS(words.encode("the cat"), doctest::Contains("'the' is not in this model's vocabulary"),
                       Error);
}

TEST_CASE("marks, white space at the ends and runs of blanks go as the steps that name them say") {
  const auto normalised = [](const std::string& normalizer, const std::string& text) {
    Config json = tokenizers()["tokenizers"]["llama2"]["json"];
    json["normalizer"] = Config::parse(normalizer);
    const Tokenizer tokenizer = tokenizer_json(json, "t.json");
    return tokenizer.decode(tokenizer.encode("x" + text + "x")).substr(1);
  };
  const std::string marked = "e\u0301\u0903\u20DD";  // nonspacing, spacing, enclosing
  CHECK(normalised(R"({"type": "StripAccents"})", marked) == "ex");
  CHECK(normalised(R"({"type": "BertNormalizer"})", marked) == "e\u0903\u20DDx");
  const std::string runs = R"({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "_"})";
  CHECK(normalised(runs, "   a b  ") == "_a b_x");
  const auto stripped = [](const std::string& flags) {
    const Config json =
        Config::parse(R"({"normalizer": {"type": "Strip", )" + flags + R"(}, "model": {"type": "BPE",
        "vocab": {"a": 0, " ": 1, "\t": 2}, "merges": []}})");
    return tokenizer_json(json, "t.json").encode("\t a a \t");
  };
  CHECK(stripped(R"("strip_left": true, "strip_right": false)") == Tokens{0, 1, 0, 1, 2});
  CHECK(stripped(R"("strip_left": false, "strip_right": true)") == Tokens{2, 1, 0, 1, 0});
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
