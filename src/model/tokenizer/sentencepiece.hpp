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
  std::string character_map = {};  // of its normaliser, precompiled
};

/// The tokenizer of these pieces; what stands around a text is the caller's to say.
Tokenizer sentencepiece_of(const SentencePieces& pieces, const std::string& file);

/// SentencePiece's own file, tokenizer.model or sentencepiece.bpe.model, for a model of this type; what
/// stands around a text says tokenizer_config.json beside it.
Tokenizer sentencepiece_model(const std::string& file, const std::string& model_type = "");

}  // namespace attnlab
