// Reads the language from the environment and, ahead of parsing, from the command line.
#include "attnlab/command_line/language.hpp"

#include <cstdlib>

namespace attnlab {

std::optional<Language> language_named(const std::string& name) {
  if (name == "ja") return Language::ja;
  if (name == "en") return Language::en;
  return std::nullopt;
}

Language language_of_locale(const std::string& locale) {
  const std::string language = locale.substr(0, locale.find_first_of("_.@"));
  return language == "ja" ? Language::ja : Language::en;
}

Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* locale = std::getenv(name);
    if (locale != nullptr && *locale != '\0') return language_of_locale(locale);
  }
  return Language::en;
}

Language chosen_language(const std::vector<std::string>& arguments, Language fallback) {
  static const std::string flag = "--lang";
  Language chosen = fallback;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    std::optional<Language> found;
    if (arguments[i] == flag && i + 1 < arguments.size()) found = language_named(arguments[i + 1]);
    if (arguments[i].rfind(flag + "=", 0) == 0) found = language_named(arguments[i].substr(flag.size() + 1));
    if (found) chosen = *found;
  }
  return chosen;
}

}  // namespace attnlab
