// What `attend` says, in both languages: src/attend/*.toml.
#pragma once

#include "core/error.hpp"
#include "core/sentences.hpp"

namespace attnlab {

/// The file of that name in this folder: "flags".
const EmbeddedFile& attend_file(const std::string& name);

/// The sentence with its values (sentences.toml).
Text attend_sentence(const std::string& key, const SentenceValues& values = {});

/// Throws Error (usage, or of that kind): the sentence and its hint, KEY_hint.
[[noreturn]] void refuse_attend(const std::string& key, const SentenceValues& values = {},
                                ErrorKind kind = ErrorKind::usage);

}  // namespace attnlab
