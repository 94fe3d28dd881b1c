// The steps of a tokenizer before its vocabulary is asked: a text is normalised, then cut into words.
#pragma once

#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

using Words = std::vector<std::string>;
using Normalise = std::function<std::string(const std::string& text)>;
using Cut = std::function<Words(const Words& words)>;

/// BERT's: no control characters, every white space a blank, blanks around Chinese characters, without
/// accents, in lower case.
struct BertNormalising {
  bool cleans = true;
  bool spaces_chinese = true;
  bool strips_accents = true;
  bool lowers = true;
};
std::string bert_normalised(const std::string& text, const BertNormalising& steps);

/// At white space, which goes, and around every punctuation mark.
Words bert_words(const std::string& text);

/// How texts are cut before bytes are merged: GPT-2's pattern (Radford et al. 2019), Llama 3's, Qwen's.
extern const std::string gpt2_pattern;
extern const std::string llama3_pattern;
extern const std::string qwen_pattern;

/// Whether the pattern is of a tokenizer that is known: GPT-2's, Llama 3's, Qwen's and their kin.
bool is_known_pattern(const std::string& pattern);

/// "normalizer" and "pre_tokenizer" of a tokenizer.json. Throw Error (failed) naming a kind that is not
/// known.
Normalise normaliser_of(const Config& json, const std::string& file);

struct Cutting {
  Cut cut;
  bool over_bytes = false;  // words are bytes from then on: ByteLevel
};
Cutting cutting_of(const Config& json, const std::string& file);

}  // namespace attnlab
