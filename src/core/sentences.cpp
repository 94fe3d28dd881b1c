#include "core/sentences.hpp"

#include <fmt/args.h>
#include <toml++/toml.h>

#include "core/utf8.hpp"

namespace attnlab {
namespace {

toml::table parsed(const EmbeddedFile& file) { return toml::parse(file.text, file.path); }

/// A string as it stands, a number as "1e-12".
std::string word(const toml::node& node) {
  const auto number = node.value_exact<double>();
  return number ? fmt::format("{}", *number) : node.value<std::string>().value();
}

/// A table's own sentences, without the arrays of tables in it.
Sentences sentences_of(const toml::table& table) {
  Sentences sentences;
  for (const auto& [name, node] : table) {
    const std::string key(name.str());
    if (node.is_array()) continue;
    const toml::table* const both = node.as_table();
    const toml::node* const english = table.get(key + "_en");
    sentences.emplace(key, both != nullptr ? Text{word(*both->get("ja")), word(*both->get("en"))}
                                           : Text{word(node), word(english == nullptr ? node : *english)});
  }
  return sentences;
}

std::string filled_in(Language language, const Text& sentence, const SentenceValues& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const auto& [name, value] : values) {
    const auto add = [&, &key = name](const auto& one) {
      store.push_back(fmt::arg(key.c_str(), detail::worded(one, language)));
    };
    std::visit(add, value);
  }
  return fmt::vformat(sentence.in(language), store);
}

}  // namespace

Text filled(const Text& sentence, const SentenceValues& values) {
  return {filled_in(Language::ja, sentence, values), filled_in(Language::en, sentence, values)};
}

Sentences read_sentences(const EmbeddedFile& file) { return sentences_of(parsed(file)); }

std::vector<Sentences> read_sentences(const EmbeddedFile& file, const std::string& name) {
  const toml::table whole = parsed(file);
  const Sentences shared = sentences_of(whole);
  std::vector<Sentences> rows;
  const toml::array* const tables = whole[name].as_array();
  if (tables == nullptr) return rows;
  for (const toml::node& node : *tables) {
    rows.push_back(sentences_of(*node.as_table()));
    rows.back().insert(shared.begin(), shared.end());  // what the row says itself stays
  }
  return rows;
}

std::string word_of(const Sentences& table, const std::string& key) {
  const auto found = table.find(key);
  return found == table.end() ? std::string() : found->second.en();
}

std::vector<std::string> words_of(const Sentences& table, const std::string& key) {
  const std::string words = word_of(table, key);
  return words.empty() ? std::vector<std::string>{} : split(words, "|");
}

std::map<std::string, Text> named_words(const EmbeddedFile& file, const std::string& table) {
  std::map<std::string, Text> words;
  for (const Sentences& row : read_sentences(file, table)) {
    words.emplace(row.at("name").en(), Text{row.at("ja").ja(), row.at("en").en()});
  }
  return words;
}

}  // namespace attnlab
