// SentencePiece's precompiled maps of characters: what they make of a text, and that none leads out of
// itself.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "model/reference_model.hpp"
#include "model/tokenizer/character_map.hpp"
#include "model/tokenizer/sentencepiece.hpp"
#include "plotting/backends/backends.hpp"

using namespace attnlab;

namespace {

constexpr std::uint32_t is_value = 1U << 31U;

std::string map_bytes(const std::vector<std::uint32_t>& units, const std::string& texts) {
  const auto length = static_cast<std::uint32_t>(units.size() * sizeof(std::uint32_t));
  std::string bytes(sizeof length + length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  if (length > 0) std::memcpy(bytes.data() + sizeof length, units.data(), length);
  return bytes + texts;
}

/// A double array as Darts-clone lays it out, with 256 units for the children of every node.
struct Trie {
  std::vector<std::uint32_t> units =
      std::vector<std::uint32_t>(256, 0xFEU);  // no child has such a letter there
  std::string texts;
  std::map<std::string, std::size_t> nodes{{"", 0}};
  std::map<std::size_t, std::size_t> bases;

  std::size_t base_of(std::size_t node) {
    if (const auto found = bases.find(node); found != bases.end()) return found->second;
    const std::size_t base = units.size();
    for (std::size_t i = 0; i < 256; ++i) units.push_back(i == 0xFE ? 0xFDU : 0xFEU);
    units[node] = (node == 0 ? 0U : units[node] & 0xFFU) | static_cast<std::uint32_t>(node ^ base) << 10U;
    return bases[node] = base;
  }
  void add(const std::string& key, const std::string& text) {
    std::size_t node = 0;
    for (const char byte : key) {
      const std::size_t child = base_of(node) ^ static_cast<unsigned char>(byte);
      units[child] =
          (units[child] & ~0xFFU & (bases.count(child) == 1 ? ~0U : 0U)) | static_cast<unsigned char>(byte);
      node = child;
    }
    units[base_of(node)] = is_value | static_cast<std::uint32_t>(texts.size());
    units[node] |= 1U << 8U;
    texts += text + '\0';
  }
  std::string bytes() const { return map_bytes(units, texts); }
};

std::string trie_bytes(const std::vector<std::pair<std::string, std::string>>& replacements) {
  Trie trie;
  for (const auto& [from, to] : replacements) trie.add(from, to);
  return trie.bytes();
}

std::string refusal(const std::string& bytes) {
  try {
    const CharacterMap map(bytes, "t.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "what a reader takes for a character is replaced as a whole where it is short, else each by itself") {
  const CharacterMap map(trie_bytes({{"e\u0301", "é"},
                                     {"Ａ", "A"},
                                     {"Ａ\u0301", "Á"},
                                     {"カ\u3099", "ガ"},
                                     {"\r", " "},
                                     {"\n", " "},
                                     {"①", "1"},
                                     {"\u200D", ""}}),
                         "t.json");
  CHECK(map.normalised("e\u0301e") == "ée");
  CHECK(map.normalised("Ａ\u0301") == "A");         // the shortest key wins, and the mark goes
  CHECK(map.normalised("カ\u3099") == "カ\u3099");  // six bytes: each character by itself
  CHECK(map.normalised("a\r\nb\nc") == "a b c");
  CHECK(map.normalised("①①\u0301") == "11");
  CHECK(map.normalised("①\u0301\u0302") == "1\u0301\u0302");
  CHECK(map.normalised("é日\u200D") == "é日");
  CHECK(map.normalised("").empty());
}

TEST_CASE("a map that leads out of itself, nests too deep or makes too much of a character is refused") {
  const std::string good = trie_bytes({{"a", "b"}, {"ab", std::string(64, 'c')}});
  CHECK(refusal(good).empty());
  CHECK(contains(refusal(map_bytes({0x7FFFFC00U}, std::string("x\0", 2))), "precompiled_charsmap"));
  CHECK(contains(refusal(good.substr(0, good.size() - 1)), "precompiled_charsmap"));  // no NUL at the end
  CHECK(contains(refusal(good.substr(0, 100)), "precompiled_charsmap"));
  CHECK(contains(refusal(std::string("\0\0\0\0x\0", 6)), "precompiled_charsmap"));
  CHECK(contains(refusal("abc"), "precompiled_charsmap"));
  CHECK(contains(refusal(trie_bytes({{"a", std::string(65, 'c')}})), "precompiled_charsmap"));
  std::vector<std::pair<std::string, std::string>> nested;
  for (std::size_t length = 1; length <= 33; ++length) nested.emplace_back(std::string(length, 'a'), "b");
  CHECK(contains(refusal(trie_bytes(nested)), "precompiled_charsmap"));
  nested.resize(32);
  CHECK(refusal(trie_bytes(nested)).empty());
  Trie outside;
  outside.add("a", "b");
  outside.texts = std::string("\0", 1);
  outside.units[outside.bases.at(outside.bases.at(0) ^ 'a')] = is_value | 1U;
  CHECK(contains(refusal(outside.bytes()), "precompiled_charsmap"));
}

TEST_CASE("paths of a map that go round are refused where a key ends on them") {
  std::vector<std::uint32_t> units(512, 0xFEU);
  units[0] = 256U << 10U;
  const std::uint32_t letter = 'a';
  // Unit 256 ^ a is reached by a, and from itself by a again.
  units[256U ^ letter] = letter | letter << 10U;
  CHECK(refusal(map_bytes(units, std::string("x\0", 2))).empty());
  units[256U ^ letter] |= 1U << 8U;
  units[256] = is_value;
  CHECK(contains(refusal(map_bytes(units, std::string("x\0", 2))), "precompiled_charsmap"));
}

TEST_CASE("a map of characters is checked wherever a file holds one, before SentencePiece reads it") {
  const std::string bad = map_bytes({0x7FFFFC00U}, std::string("x\0", 2));
  Config json = Config::parse(R"({"normalizer": {"type": "Precompiled"},
      "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1]]}})");
  json["normalizer"]["precompiled_charsmap"] = base64(bad);
  CHECK_THROWS_WITH_AS(tokenizer_json(json, "t.json"), doctest::Contains("precompiled_charsmap"), Error);
  SentencePieces pieces{{"<unk>", "a"}, {0.0F, -1.0F}, {PieceType::unknown, PieceType::normal}, true};
  CHECK_NOTHROW(sentencepiece_of(pieces, "t.gguf"));
  pieces.character_map = bad;
  CHECK_THROWS_WITH_AS(sentencepiece_of(pieces, "t.gguf"), doctest::Contains("precompiled_charsmap"), Error);
  const Folder folder;
  // ModelProto{normalizer_spec = 3 {precompiled_charsmap = 2}}, and the same as denormalizer_spec = 5
  const std::string spec = "\x12" + std::string(1, static_cast<char>(bad.size())) + bad;
  for (const char* field : {"\x1A", "\x2A"}) {
    put(folder / "t.model", field + std::string(1, static_cast<char>(spec.size())) + spec);
    CHECK_THROWS_WITH_AS(sentencepiece_model((folder / "t.model").string()),
                         doctest::Contains("precompiled_charsmap"), Error);
  }
}

TEST_CASE("a piece with a zero in it is refused, at which SentencePiece would end the process") {
  SentencePieces pieces{{"<unk>", "a"}, {0.0F, -1.0F}, {PieceType::unknown, PieceType::normal}, true};
  pieces.pieces[1] = std::string("a\0b", 3);
  CHECK_THROWS_AS(sentencepiece_of(pieces, "t.gguf"), Error);
}

TEST_CASE(
    "more than 64 of the user's pieces that begin each other are refused, which SentencePiece does not bear") {
  SentencePieces pieces{{"<unk>", "a"}, {0.0F, -1.0F}, {PieceType::unknown, PieceType::normal}, true};
  for (std::size_t length = 1; length <= 65; ++length) {
    pieces.pieces.push_back("b" + std::string(length - 1, 'a'));
    pieces.scores.push_back(0.0F);
    pieces.types.push_back(PieceType::user_defined);
  }
  CHECK_THROWS_AS(sentencepiece_of(pieces, "t.gguf"), Error);
  pieces.pieces.pop_back();
  pieces.scores.pop_back();
  pieces.types.pop_back();
  CHECK_NOTHROW(sentencepiece_of(pieces, "t.gguf"));
}
