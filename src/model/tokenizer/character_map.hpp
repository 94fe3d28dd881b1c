// SentencePiece's normaliser as files hold it, "precompiled_charsmap": a trie of what is replaced, and by
// what.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

class CharacterMap {
 public:
  /// The trie's length in bytes (uint32), its units (uint32, Darts-clone's double array), texts that end with
  /// NUL. Throws Error (failed) naming `file` where a text could lead out of the trie or of these texts,
  /// where more than 32 of its keys begin each other, or where one becomes more than 64 bytes.
  CharacterMap(std::string_view bytes, const std::string& file);

  /// As Hugging Face's tokenizers do (spm_precompiled): what a reader takes for one character is replaced by
  /// what the shortest key at its beginning becomes, if it has fewer than six bytes; else each character by
  /// itself.
  std::string normalised(const std::string& text) const;

 private:
  /// What the shortest key becomes that the letters begin with.
  std::optional<std::string_view> replacement_of(std::string_view letters) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace attnlab
