// What a word's tokens are: byte pairs that are merged, the longest pieces, the likeliest pieces.
#pragma once

#include <unordered_map>

#include "model/tokenizer/merging.hpp"
#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

struct Vocabulary {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::string> pieces;

  std::optional<std::size_t> find(const std::string& piece) const;
  void add(std::string piece, std::size_t place);
};

using WordTokens = std::function<Tokens(const std::string& word)>;

struct BpeOptions {
  bool over_bytes = false;
  bool falls_back_to_bytes = false;
  bool fuses_unknown = false;
  bool ignores_merges = false;  // a word that is in the vocabulary is one token
  std::optional<std::size_t> unknown;
};

/// Sennrich et al. 2016.
WordTokens bpe_of(std::shared_ptr<const Vocabulary> vocabulary, MergeOf merge_of, const BpeOptions& options);

struct WordPieceOptions {
  std::size_t unknown = 0;
  std::string prefix = "##";
  std::size_t longest = 100;  // characters of a word
};

/// The longest piece first, from the left; a word that cannot be made of pieces is unknown as a whole.
/// Source: Devlin et al. 2019 (their code, tokenization.py).
WordTokens wordpiece_of(std::shared_ptr<const Vocabulary> vocabulary, const WordPieceOptions& options);

struct UnigramOptions {
  std::optional<std::size_t> unknown;
  bool falls_back_to_bytes = false;
};

/// The pieces whose scores have the largest sum (Kudo 2018), of equal sums the one whose last piece is
/// longest; a character that is no piece has the least score and 10 less, and neighbours of them are one
/// unknown token. As Hugging Face's tokenizers compute it (unigram/model.rs): in double precision, by all
/// pieces. Throws Error (failed) naming `file` where there is no token for a character that is no piece.
WordTokens unigram_of(std::shared_ptr<const Vocabulary> vocabulary, std::vector<double> scores,
                      const UnigramOptions& options, const std::string& file);

}  // namespace attnlab
