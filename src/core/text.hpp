// A sentence in both of the tool's languages: leaving one out does not compile.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

enum class Language { ja, en };

/// "ja", "en": as HTML, PDF and the names of folders write it.
std::string code_of(Language language);

/// Of such a code; nothing for any other word.
std::optional<Language> language_named(const std::string& code);

/// Text for people. Both constructors' arguments are mandatory, so no text exists in one language alone.
class Text {
 public:
  Text(std::string ja, std::string en);
  // Compiled once, in text.cpp: there are texts in every source.
  Text(const Text& other);
  Text(Text&& other) noexcept;
  Text& operator=(const Text& other);
  Text& operator=(Text&& other) noexcept;
  ~Text();

  /// Text that reads the same everywhere: a formula, a number, a label that the user typed.
  static Text same(const std::string& text);

  static Text none();

  const std::string& ja() const { return ja_; }
  const std::string& en() const { return en_; }
  const std::string& in(Language language) const { return language == Language::ja ? ja_ : en_; }

 private:
  std::string ja_;
  std::string en_;
};

/// What stands in a table's cell or beside a row of a heat map. Mostly a number or a word that the user
/// typed, which reads the same everywhere: those convert by themselves; anything else is a Text.
class ShortText {
 public:
  ShortText(const std::string& same) : text_(Text::same(same)) {}  // NOLINT(google-explicit-constructor)
  ShortText(const char* same) : text_(Text::same(same)) {}         // NOLINT(google-explicit-constructor)
  ShortText(Text text) : text_(std::move(text)) {}                 // NOLINT(google-explicit-constructor)

  const std::string& in(Language language) const { return text_.in(language); }

 private:
  Text text_;
};

inline std::vector<ShortText> short_texts(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

namespace detail {

/// A value as one language says it: a Text in that language, anything else as it is.
template <class Value>
const auto& worded(const Value& value, Language language) {
  if constexpr (std::is_same_v<Value, Text> || std::is_same_v<Value, ShortText>) {
    return value.in(language);
  } else {
    return value;
  }
}

}  // namespace detail

/// A sentence with values, in fmt's notation: text("キーは {} 個です。", "There are {} keys.", count). Both
/// languages must name every value, in any order ({1} before {0}); a value that is a Text is said in the
/// language of the sentence. tests/core/text_test.cpp reads every call in src and apps.
template <class... Values>
Text text(std::string_view ja, std::string_view en, const Values&... values) {
  return {fmt::format(fmt::runtime(ja), detail::worded(values, Language::ja)...),
          fmt::format(fmt::runtime(en), detail::worded(values, Language::en)...)};
}

/// Whether one of them says the same. Warnings that several figures share are said once.
bool contains(const std::vector<Text>& texts, const Text& text);
void add_once(std::vector<Text>& texts, const Text& text);

/// "a、b" and "a, b".
Text listed(const std::vector<Text>& texts);

/// The items with the separator between them. Compiled once: fmt::join would be in every folder.
std::string joined(const std::vector<std::string>& items, std::string_view separator);
std::string joined(const std::vector<std::size_t>& items, std::string_view separator);

}  // namespace attnlab

extern template class std::vector<std::vector<attnlab::ShortText>>;
