// Texts and lists of them: what the sources that write have in common.
#include "core/text.hpp"

namespace attnlab {

std::string code_of(Language language) { return language == Language::ja ? "ja" : "en"; }

std::optional<Language> language_named(const std::string& code) {
  for (const Language language : {Language::ja, Language::en}) {
    if (code == code_of(language)) return language;
  }
  return std::nullopt;
}

Text::Text(std::string ja, std::string en) : ja_(std::move(ja)), en_(std::move(en)) {}
Text::Text(const Text&) = default;
Text::Text(Text&&) noexcept = default;
Text& Text::operator=(const Text&) = default;
Text& Text::operator=(Text&&) noexcept = default;
Text::~Text() = default;

Text Text::same(const std::string& text) { return {text, text}; }

Text Text::none() { return {"", ""}; }

bool contains(const std::vector<Text>& texts, const Text& text) {
  return std::any_of(texts.begin(), texts.end(), [&](const Text& other) { return other.en() == text.en(); });
}

void add_once(std::vector<Text>& texts, const Text& text) {
  if (!contains(texts, text)) texts.push_back(text);
}

Text listed(const std::vector<Text>& texts) {
  std::vector<std::string> ja;
  std::vector<std::string> en;
  for (const Text& text : texts) {
    ja.push_back(text.ja());
    en.push_back(text.en());
  }
  return {joined(ja, "、"), joined(en, ", ")};
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::string joined(const std::vector<std::size_t>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

}  // namespace attnlab

template class std::vector<std::vector<attnlab::ShortText>>;
