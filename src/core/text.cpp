// Texts and lists of them: what the sources that write have in common.
#include "core/text.hpp"

namespace attnlab {

std::string code_of(Language language) {
  return language == Language::ja ? "ja" : "en";
}

Text::Text(std::string ja, std::string en) : ja_(std::move(ja)), en_(std::move(en)) {}
Text::Text(const Text&) = default;
Text::Text(Text&&) noexcept = default;
Text& Text::operator=(const Text&) = default;
Text& Text::operator=(Text&&) noexcept = default;
Text::~Text() = default;

Text Text::same(const std::string& text) {
  return {text, text};
}

Text Text::none() {
  return {"", ""};
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::string joined(const std::vector<std::size_t>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

}  // namespace attnlab

template class std::vector<std::vector<attnlab::ShortText>>;
