// Whether the sentences of a TOML file name the same values in both languages.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/sentences.hpp"

namespace attnlab {

/// The names of the values in a sentence, without how they are written.
inline std::set<std::string> values_in(const std::string& sentence) {
  std::set<std::string> names;
  for (std::size_t at = sentence.find('{'); at != std::string::npos; at = sentence.find('{', at + 1)) {
    names.insert(sentence.substr(at + 1, sentence.find_first_of(":}", at) - at - 1));
  }
  return names;
}

/// How many sentences there are.
inline std::size_t check_sentences(const EmbeddedFile& file) {
  std::size_t sentences = 0;
  for (const auto& entry : read_sentences(file)) {
    const auto& [key, sentence] = entry;
    INFO(file.path, " ", entry.first);
    const bool is_one_for_both = sentence.ja() == sentence.en();  // KEY_en itself
    if (is_one_for_both) continue;
    CHECK(values_in(sentence.ja()) == values_in(sentence.en()));
    ++sentences;
  }
  return sentences;
}

}  // namespace attnlab
