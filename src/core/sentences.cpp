#include "core/sentences.hpp"

#include <fmt/args.h>
#include <toml++/toml.h>

namespace attnlab {
namespace {

/// A string as it stands, a number as "1e-12".
std::string word(const toml::node& node) {
  const std::optional<std::string> text = node.value<std::string>();
  return text ? *text : fmt::format("{}", node.value<double>().value());
}

void add_sentences(const toml::table& table, Sentences& sentences) {
  for (const auto& [toml_key, node] : table) {
    const std::string key(toml_key.str());
    if (const toml::table* both = node.as_table()) {
      sentences.insert_or_assign(key, Text{word(*both->get("ja")), word(*both->get("en"))});
    } else if (!node.is_array()) {
      const toml::node* english = table.get(key + "_en");
      sentences.insert_or_assign(key, Text{word(node), word(english == nullptr ? node : *english)});
    }
  }
}

std::string filled_in(Language language, const Text& sentence, const SentenceValues& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const auto& [name, value] : values) {
    const auto add = [&, &key = name](const auto& one) {
      store.push_back(fmt::arg(key.c_str(), detail::said(one, language)));
    };
    std::visit(add, value);
  }
  return fmt::vformat(sentence.in(language), store);
}

}  // namespace

Text filled(const Text& sentence, const SentenceValues& values) {
  return {filled_in(Language::ja, sentence, values), filled_in(Language::en, sentence, values)};
}

Sentences read_sentences(const EmbeddedFile& file) {
  Sentences sentences;
  add_sentences(toml::parse(file.text, file.path), sentences);
  return sentences;
}

std::vector<Sentences> read_sentences(const EmbeddedFile& file, const std::string& name) {
  const toml::table table = toml::parse(file.text, file.path);
  std::vector<Sentences> rows;
  for (const toml::node& row : *table[name].as_array()) {
    Sentences& sentences = rows.emplace_back();
    add_sentences(table, sentences);
    add_sentences(*row.as_table(), sentences);
  }
  return rows;
}

std::map<std::string, Text> named_words(const EmbeddedFile& file, const std::string& table) {
  std::map<std::string, Text> words;
  for (const Sentences& row : read_sentences(file, table)) {
    words.emplace(row.at("name").en(), Text{row.at("ja").ja(), row.at("en").en()});
  }
  return words;
}

}  // namespace attnlab
