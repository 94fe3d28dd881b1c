// llama2.c's tokenizer.bin: SentencePiece's pieces with their scores.
#include <unordered_map>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/merging.hpp"

namespace attnlab {
namespace {

const Text export_again{"llama2.c の tokenizer.py で作り直してください",
                        "make it again with llama2.c's tokenizer.py"};

template <class Number>
Number number_at(std::string_view bytes, std::size_t& place, const std::string& file) {
  Number number{};
  if (place + sizeof number > bytes.size()) {
    refuse_file(file, at_byte(place), {"途中で終わっています", "it ends early"}, export_again);
  }
  std::memcpy(&number, bytes.data() + place, sizeof number);
  place += sizeof number;
  return number;
}

struct ScoredPieces {
  std::vector<std::string> pieces;
  std::vector<float> scores;
  std::unordered_map<std::string, std::size_t> places;
};

ScoredPieces scored_pieces(const std::string& file, std::size_t vocabulary) {
  const SharedBytes bytes = bytes_of(file);
  ScoredPieces all;
  std::size_t place = 0;
  number_at<std::int32_t>(bytes.view, place, file);  // the longest piece
  while (place < bytes.view.size()) {
    const auto score = number_at<float>(bytes.view, place, file);
    const std::size_t begin = place;
    const auto length = number_at<std::int32_t>(bytes.view, place, file);
    if (length < 0 || static_cast<std::size_t>(length) > bytes.view.size() - place || std::isnan(score)) {
      refuse_file(file, at_byte(begin),
                  {"トークンの長さかスコアが正しくありません", "a token's length or score makes no sense"},
                  export_again);
    }
    all.places.emplace(bytes.view.substr(place, static_cast<std::size_t>(length)), all.pieces.size());
    all.pieces.emplace_back(bytes.view.substr(place, static_cast<std::size_t>(length)));
    all.scores.push_back(score);
    place += static_cast<std::size_t>(length);
  }
  if (all.pieces.size() != vocabulary) {
    refuse_file(file, Text::none(),
                text("トークンが {} 個ありますが、モデルの語彙は {} 個です",
                     "it has {} tokens, but the model's vocabulary has {}", all.pieces.size(), vocabulary),
                {"このモデルのトークナイザーを指定してください", "name the tokenizer of this model"});
  }
  return all;
}

constexpr std::size_t first_byte_token = 3;  // behind <unk>, <s> and </s>

/// Characters that have a piece, bytes for the others; then the pair with the best score, again and again.
Tokens encoded(const ScoredPieces& all, const std::string& text) {
  Tokens symbols;
  if (text.empty()) return symbols;
  const std::u32string characters = decode_utf8(text).value_or(U"");
  for (const char32_t character : U" " + characters) {
    const std::string letter = encode_utf8(character);
    const auto found = all.places.find(letter);
    if (found != all.places.end()) {
      symbols.push_back(found->second);
      continue;
    }
    for (const char byte : letter) symbols.push_back(static_cast<unsigned char>(byte) + first_byte_token);
  }
  return merged(symbols, [&](std::size_t left, std::size_t right) -> std::optional<Merge> {
    const auto both = all.places.find(all.pieces[left] + all.pieces[right]);
    if (both == all.places.end()) return std::nullopt;
    return Merge{-all.scores[both->second], both->second};
  });
}

std::string decoded(const ScoredPieces& all, const Tokens& tokens) {
  std::string text;
  for (const std::size_t token : tokens) {
    if (token == 1 || token == 2) continue;
    const std::string& piece = all.pieces.at(token);
    const std::optional<char> byte = byte_of(piece);
    text += byte ? std::string(1, *byte) : piece;
  }
  return text.rfind(' ', 0) == 0 ? text.substr(1) : text;
}

}  // namespace

Tokenizer llama2c_tokenizer(const std::string& file, std::size_t vocabulary) {
  const auto all = std::make_shared<const ScoredPieces>(scored_pieces(file, vocabulary));
  if (all->pieces.size() < first_byte_token + 256) {
    refuse_file(file, Text::none(), {"バイトのトークンがありません", "it has no tokens for bytes"},
                export_again);
  }
  Tokenizer tokenizer;
  tokenizer.kind = "SentencePiece BPE";
  tokenizer.source = file;
  tokenizer.size = all->pieces.size();
  tokenizer.pieces = all->pieces;
  const std::array<std::string, 3> names{"<unk>", "<s>", "</s>"};  // which stand there between line ends
  std::copy(names.begin(), names.end(), tokenizer.pieces.begin());
  tokenizer.encode = [all](const std::string& text) { return encoded(*all, text); };
  tokenizer.decode = [all](const Tokens& tokens) { return decoded(*all, tokens); };
  tokenizer.before = {1};
  tokenizer.beginning = 1;
  tokenizer.endings = {1, 2};
  tokenizer.special = {0, 1, 2};
  return tokenizer;
}

}  // namespace attnlab
