// The vocabulary that a training of attnlab's began with.
#include "core/error.hpp"
#include "core/similar_words.hpp"
#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "io/pickle.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/piece_index.hpp"
#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {
namespace {

constexpr std::string_view blank_sign = "\xE2\x90\xA3";  // ␣
constexpr std::string_view line_sign = "\xE2\x8F\x8E";   // ⏎

/// A letter as a vocabulary of letters writes it.
std::string sign_of(std::string_view letter) {
  return std::string(letter == " " ? blank_sign : letter == "\n" ? line_sign : letter);
}

/// Whether its words are characters, blanks among them.
bool has_blanks(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), blank_sign) != words.end();
}

[[noreturn]] void refuse_character(std::string_view letters) {
  const std::optional<std::u32string> character = decode_utf8(letters);
  const unsigned number = character ? static_cast<unsigned>(character->front()) : 0xFFFDU;
  refuse_usage(
      text("文字 {}（U+{:04X}）はこのモデルの語彙にありません",
           "the character {} (U+{:04X}) is not in this model's vocabulary", quotation(letters), number),
      {"使える文字は attnlab model MODEL --words で一覧できます",
       "attnlab model MODEL --words lists its characters"});
}

[[noreturn]] void refuse_word(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t shown = 5;
  refuse_usage(
      text("{} はこのモデルの語彙にありません", "{} is not in this model's vocabulary", quotation(word)),
      text("近いのは {} です。語彙は attnlab model MODEL --words で一覧できます",
           "the nearest words are {}; attnlab model MODEL --words lists all",
           joined(nearest_words(std::string(word), words, shown), ", ")));
}

bool has_capitals(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return lower_case(word) != word; });
}

/// Whether a word of letters may end there: no further letter follows it. Japanese is written without blanks.
bool is_word_end(std::string_view text, std::size_t end) {
  const auto is_letter = [&](std::size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  return end >= text.size() || !is_letter(end - 1) || !is_letter(end);
}

/// The longest word that the text goes on with; where no word is a blank, blanks say nothing.
Tokens encoded(const std::vector<std::string>& words, const std::string& typed) {
  const bool by_letters = has_blanks(words);
  std::vector<PieceIndex::Piece> pieces;
  for (std::size_t i = 0; i < words.size(); ++i) pieces.push_back({words[i], i});
  const PieceIndex index(std::move(pieces));
  std::string text;
  for (const char letter : has_capitals(words) ? typed : lower_case(typed))
    text += by_letters ? sign_of({&letter, 1}) : std::string(1, letter);
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (!by_letters && (text[at] == ' ' || text[at] == '\n')) {
      ++at;
      continue;
    }
    const std::string_view rest = std::string_view(text).substr(at);
    std::optional<PieceIndex::Piece> longest;
    index.each_at(rest, [&](const PieceIndex::Piece& piece) {
      const bool is_whole = by_letters || is_word_end(text, at + piece.text.size());
      const bool is_longer = !longest || piece.text.size() > longest->text.size();
      if (is_whole && is_longer) longest = piece;
    });
    if (!longest && by_letters) refuse_character(first_character(rest));
    if (!longest) refuse_word(rest.substr(0, rest.find(' ')), words);
    tokens.push_back(longest->token);
    at += longest->text.size();
  }
  return tokens;
}

std::string decoded(const std::vector<std::string>& words, const Tokens& tokens) {
  const bool by_letters = has_blanks(words);
  std::string text;
  for (const std::size_t token : tokens) {
    const std::string& word = words.at(token);
    if (!by_letters && !text.empty()) text += ' ';
    text += by_letters && word == blank_sign ? " " : by_letters && word == line_sign ? "\n" : word;
  }
  return text;
}

}  // namespace

Tokenizer word_list(const std::vector<std::string>& words, const std::string& beginning,
                    const std::string& source) {
  Tokenizer tokenizer;
  tokenizer.kind = "words";
  tokenizer.source = source;
  tokenizer.size = words.size();
  tokenizer.pieces = words;
  tokenizer.encode = [words](const std::string& text) { return encoded(words, text); };
  tokenizer.decode = [words](const Tokens& tokens) { return decoded(words, tokens); };
  const auto first = std::find(words.begin(), words.end(), beginning);
  if (beginning.empty() || first == words.end()) return tokenizer;
  const auto sign = static_cast<std::size_t>(first - words.begin());
  tokenizer.beginning = sign;
  tokenizer.before = {sign};
  tokenizer.endings = tokenizer.special = {sign};  // where one text ends the next begins
  return tokenizer;
}

Tokenizer nanogpt_letters(const std::string& file) {
  const Unpickled pickle = unpickled(bytes_of(file), file);
  const auto by_number = value_under(pickle.value, "itos").as<const PickleDictionary*>();
  std::vector<std::string> words(by_number ? (*by_number)->size() : 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = (**by_number)[i].first.as<std::int64_t>();
    const auto letter = (**by_number)[i].second.as<std::string_view>();
    if (number && letter && *number >= 0 && static_cast<std::size_t>(*number) < words.size())
      words[static_cast<std::size_t>(*number)] = sign_of(*letter);
  }
  if (words.empty() || std::find(words.begin(), words.end(), "") != words.end()) {
    refuse_file(file, {"\"itos\" に文字の一覧がありません", "its \"itos\" lists no letters"},
                {"nanoGPT の data フォルダーの meta.pkl を指定してください",
                 "name the meta.pkl of a data folder of nanoGPT"});
  }
  return word_list(words, "", file);
}

}  // namespace attnlab
