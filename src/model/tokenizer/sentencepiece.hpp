// SentencePiece's tokenizers, by its own library (Kudo and Richardson 2018).
#pragma once

#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

/// The kinds of pieces, under the numbers that SentencePiece's and llama.cpp's files give them.
enum class PieceType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

/// What SentencePiece needs to know where no .model file says it.
struct SentencePieces {
  std::vector<std::string> pieces;  // with ▁ for a blank
  std::vector<float> scores;
  std::vector<PieceType> types;
  bool is_unigram = false;         // else BPE
  bool prepends_blank = true;      // before the text
  bool escapes_blanks = true;      // ▁ for a blank, which then has no other meaning
  std::string character_map = {};  // of its normaliser, precompiled
};

/// Encodes a text; decodes tokens.
struct SentencePieceCoder {
  std::function<Tokens(const std::string& text)> encode;
  std::function<std::string(const Tokens& tokens)> decode;
};

/// Throws Error (failed) naming `file` where these make no model.
SentencePieceCoder coder_of(const SentencePieces& pieces, const std::string& file);

/// What the precompiled map of a normaliser makes of a text.
std::function<std::string(const std::string&)> character_mapping(const std::string& map,
                                                                 const std::string& file);

/// The tokenizer of these pieces: a text begins with `beginning` where there is one.
Tokenizer sentencepiece_of(const SentencePieces& pieces, const std::string& file,
                           std::optional<std::size_t> beginning, std::optional<std::size_t> ending);

/// SentencePiece's own file, tokenizer.model; what stands around a text says tokenizer_config.json beside it.
Tokenizer sentencepiece_model(const std::string& file);

}  // namespace attnlab
