// A sentence in both of the tool's languages: leaving one out does not compile.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace attnlab {

enum class Language { ja, en };

/// Text for people. Both constructors' arguments are mandatory, so no text exists in one language alone.
class Text {
 public:
  Text(std::string ja, std::string en) : ja_(std::move(ja)), en_(std::move(en)) {}

  /// Text that reads the same everywhere: a formula, a number, a label that the user typed.
  static Text same(const std::string& text) { return {text, text}; }

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

}  // namespace attnlab
