#include "model/tokenizer/word_models.hpp"

#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/piece_index.hpp"

namespace attnlab {
namespace {

/// The pieces <0xE5> of a character's bytes, where the vocabulary has them all.
std::optional<Tokens> byte_pieces(std::string_view letters, const Vocabulary& vocabulary) {
  Tokens bytes;
  for (const char byte : letters) {
    const auto found = vocabulary.find(fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)));
    if (!found) return std::nullopt;
    bytes.push_back(*found);
  }
  return bytes;
}

/// The tokens that a word begins with: bytes, or characters with their bytes where they are unknown.
Tokens symbols_of(const std::string& word, const Vocabulary& vocabulary, const BpeOptions& options) {
  Tokens symbols;
  const auto add = [&](const std::string& letter) {
    const bool falls_back = options.falls_back_to_bytes && !options.over_bytes;
    if (const auto found = vocabulary.find(letter)) {
      symbols.push_back(*found);
    } else if (const auto bytes = falls_back ? byte_pieces(letter, vocabulary) : std::nullopt) {
      symbols.insert(symbols.end(), bytes->begin(), bytes->end());
    } else if (options.unknown) {
      const bool fuses = options.fuses_unknown && !symbols.empty() && symbols.back() == *options.unknown;
      if (!fuses) symbols.push_back(*options.unknown);
    }
  };
  if (options.over_bytes) {
    for (const char byte : word) add({byte});
  } else {
    for (const char32_t character : decode_utf8(word).value_or(U"")) add(encode_utf8(character));
  }
  return symbols;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).size());
  return count;
}

[[noreturn]] void refuse_letters(const std::string& letters, const std::string& file) {
  refuse_file(file,
              text("{} を表すトークンがなく、unk_id もありません", "it has no token for {}, and no unk_id",
                   quotation(letters)),
              get_again("tokenizer.json"));
}

/// How a place in a word is reached with the largest sum of scores.
struct BestWay {
  double sum = 0.0;
  std::size_t from = 0;
  std::size_t token = 0;
  bool is_reached = false;
};

constexpr std::size_t no_piece = static_cast<std::size_t>(-1);

/// The best way to each place in the word: with which token, and from where.
std::vector<BestWay> best_ways(std::string_view word, const PieceIndex& index,
                               const std::vector<double>& scores, double unknown_score) {
  std::vector<BestWay> ways(word.size() + 1);
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view rest = word.substr(at);
    const std::size_t character = first_character(rest).size();
    const auto step = [&](std::size_t length, double score, std::size_t token) {
      BestWay& way = ways[at + length];
      const double sum = ways[at].sum + score;
      if (!way.is_reached || sum > way.sum) way = {sum, at, token, true};
    };
    bool is_piece = false;
    index.each_at(rest, [&](const PieceIndex::Piece& piece) {
      step(piece.text.size(), scores[piece.token], piece.token);
      is_piece = is_piece || piece.text.size() == character;
    });
    if (!is_piece) step(character, unknown_score, no_piece);
    at += character;
  }
  return ways;
}

}  // namespace

std::optional<std::size_t> Vocabulary::find(const std::string& piece) const {
  const auto found = places.find(piece);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

void Vocabulary::add(std::string piece, std::size_t place) {
  check_piece(piece);
  if (pieces.size() <= place) pieces.resize(place + 1);
  pieces[place] = piece;
  places.emplace(std::move(piece), place);
}

WordTokens bpe_of(std::shared_ptr<const Vocabulary> vocabulary, MergeOf merge_of, const BpeOptions& options) {
  return
      [vocabulary = std::move(vocabulary), merge_of = std::move(merge_of), options](const std::string& word) {
        if (options.ignores_merges) {
          if (const auto whole = vocabulary->find(word)) return Tokens{*whole};
        }
        return merged(symbols_of(word, *vocabulary, options), merge_of);
      };
}

WordTokens wordpiece_of(std::shared_ptr<const Vocabulary> vocabulary, const WordPieceOptions& options) {
  std::vector<PieceIndex::Piece> first;
  std::vector<PieceIndex::Piece> others;  // without what marks them
  for (std::size_t i = 0; i < vocabulary->pieces.size(); ++i) {
    const std::string_view piece = vocabulary->pieces[i];
    first.push_back({piece, i});
    if (piece.substr(0, options.prefix.size()) == options.prefix)
      others.push_back({piece.substr(options.prefix.size()), i});
  }
  return [vocabulary = std::move(vocabulary), first = PieceIndex(std::move(first)),
          others = PieceIndex(std::move(others)), options](const std::string& word) {
    if (character_count(word) > options.longest) return Tokens{options.unknown};
    Tokens tokens;
    for (std::string_view rest = word; !rest.empty();) {
      const auto found = (tokens.empty() ? first : others).longest_at(rest);
      if (!found) return Tokens{options.unknown};
      tokens.push_back(found->token);
      rest.remove_prefix(found->text.size());
    }
    return tokens;
  };
}

WordTokens unigram_of(std::shared_ptr<const Vocabulary> vocabulary, std::vector<double> scores,
                      const UnigramOptions& options, const std::string& file) {
  std::vector<PieceIndex::Piece> pieces;
  for (std::size_t i = 0; i < vocabulary->pieces.size(); ++i) pieces.push_back({vocabulary->pieces[i], i});
  const double unknown_score =
      (scores.empty() ? 0.0 : *std::min_element(scores.begin(), scores.end())) - 10.0;
  return [vocabulary = std::move(vocabulary), index = PieceIndex(std::move(pieces)),
          scores = std::move(scores), unknown_score, options, file](const std::string& word) {
    const std::vector<BestWay> ways = best_ways(word, index, scores, unknown_score);
    const auto is_unknown = [&](const BestWay& way) {
      return way.token == no_piece || way.token == options.unknown;
    };
    Tokens tokens;  // the last first
    for (std::size_t end = word.size(); end > 0;) {
      std::size_t from = ways[end].from;
      if (!is_unknown(ways[end])) {
        tokens.push_back(ways[end].token);
      } else {
        while (from > 0 && is_unknown(ways[from])) from = ways[from].from;
        const std::string letters = word.substr(from, end - from);
        const auto bytes = options.falls_back_to_bytes ? byte_pieces(letters, *vocabulary) : std::nullopt;
        if (!bytes && !options.unknown) refuse_letters(letters, file);
        const Tokens some = bytes.value_or(Tokens{options.unknown.value_or(0)});
        tokens.insert(tokens.end(), some.rbegin(), some.rend());
      }
      end = from;
    }
    std::reverse(tokens.begin(), tokens.end());
    return tokens;
  };
}

}  // namespace attnlab
