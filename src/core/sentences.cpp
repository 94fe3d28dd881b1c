#include "core/sentences.hpp"

#include <fmt/args.h>

namespace attnlab {
namespace {

/// The next of a file's strings, each of which ends with a zero.
std::string_view take_string(std::string_view& left) {
  const std::string_view string = left.substr(0, left.find('\0'));
  left.remove_prefix(string.size() + 1);
  return string;
}

/// Every table of that name, the file's own is "".
std::vector<Sentences> tables_named(std::string_view name, const EmbeddedFile& file) {
  std::vector<Sentences> tables;
  for (std::string_view left = file.text; !left.empty();) {
    const bool is_wanted = take_string(left) == name;
    if (is_wanted) tables.emplace_back();
    for (std::string_view key = take_string(left); !key.empty(); key = take_string(left)) {
      const std::string_view ja = take_string(left);
      const std::string_view en = take_string(left);
      if (is_wanted) tables.back().emplace(key, Text{std::string(ja), std::string(en)});
    }
  }
  return tables;
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

Sentences read_sentences(const EmbeddedFile& file) { return tables_named("", file).front(); }

std::vector<Sentences> read_sentences(const EmbeddedFile& file, const std::string& name) {
  const Sentences shared = read_sentences(file);
  std::vector<Sentences> rows = tables_named(name, file);
  for (Sentences& row : rows) row.insert(shared.begin(), shared.end());  // what the row says itself stays
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
