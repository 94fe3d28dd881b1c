// Sentences in both languages, from the TOML files that are embedded in attnlab.
#pragma once

#include "core/embedded_file.hpp"
#include "core/text.hpp"

namespace attnlab {

/// A table of a file: `key` with `key_en`, or `key = { ja = "...", en = "..." }`, or a word or number that
/// both languages share.
using Sentences = std::map<std::string, Text>;

/// Every [[name]] of the file, in its order. What stands before the first holds of all.
std::vector<Sentences> read_sentences(const EmbeddedFile& file, const std::string& name);

/// The file itself as one table.
Sentences read_sentences(const EmbeddedFile& file);

/// A word that both languages share, "" where the table has none; and several of them, "one|other".
std::string word_of(const Sentences& table, const std::string& key);
std::vector<std::string> words_of(const Sentences& table, const std::string& key);

/// What a sentence names, "{accuracy:.3f}": a number, or words in the sentence's language.
using SentenceValues = std::map<std::string, std::variant<double, std::size_t, std::string, Text>>;

/// The sentence with its values, written as fmt writes them. Throws fmt::format_error where one is missing.
Text filled(const Text& sentence, const SentenceValues& values);

/// By its name, what each [[table]] of the file says, `ja` and `en`: of a flag, of a command.
std::map<std::string, Text> named_words(const EmbeddedFile& file, const std::string& table);

}  // namespace attnlab
