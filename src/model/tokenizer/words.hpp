// The steps of a tokenizer before its vocabulary is asked: a text is normalised, then cut into words.
#pragma once

#include "model/tokenizer/tokenizer.hpp"

namespace attnlab {

/// What the steps may make of a text: 64 bytes of each of its bytes, and 4096 more. A file of a kilobyte
/// could ask for terabytes.
class Growth {
 public:
  /// `made`: of the parts of the text before.
  Growth(std::size_t text, std::size_t made, std::string file)
      : text_(text), made_(made), file_(std::move(file)) {}
  /// Throws Error (failed) naming the file where there are more bytes than that.
  void check(std::size_t bytes) const;

 private:
  std::size_t text_;
  std::size_t made_;
  std::string file_;
};

/// Where a stretch of text comes from that is on its way through the steps.
struct Passage {
  const Growth& growth;
  bool begins_text = true;  // no special token stands before it
};

using Words = std::vector<std::string>;
using Normalise = std::function<std::string(const std::string& text, const Growth& growth)>;
using Cut = std::function<Words(const std::string& text, const Passage& passage)>;

/// How texts are cut before bytes are merged: GPT-2's pattern (Radford et al. 2019), Llama 3's, Qwen's.
extern const std::string gpt2_pattern;
extern const std::string llama3_pattern;
extern const std::string qwen_pattern;

/// Bytes as a vocabulary of GPT-2's kind writes them, in readable characters: " the" is "Ġthe".
std::string written_as_letters(const std::string& bytes);

/// "normalizer" and "pre_tokenizer" of a tokenizer.json, each 64 steps at most. Throw Error (failed) naming a
/// kind that is not known.
Normalise normaliser_of(const Config& json, const std::string& file);

struct Cutting {
  Cut cut;
  bool over_bytes = false;  // words are bytes from then on: ByteLevel
};
Cutting cutting_of(const Config& json, const std::string& file);

}  // namespace attnlab
