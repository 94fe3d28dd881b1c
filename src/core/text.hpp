// A sentence in both of the tool's languages: leaving one out does not compile.
#pragma once

#include <string>
#include <utility>

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

}  // namespace attnlab
