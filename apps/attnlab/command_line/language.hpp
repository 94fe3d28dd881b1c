// Which of the two languages to speak: --lang before the environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace attnlab {

/// "ja" or "en"; nothing for any other name.
std::optional<Language> language_named(const std::string& name);

/// The language of a POSIX locale name: ja, ja_JP.UTF-8 and ja@x are Japanese, all else English.
Language language_of_locale(const std::string& locale);

/// From LC_ALL, LC_MESSAGES and LANG: the first that is set and not empty decides.
Language language_of_environment();

/// The last valid --lang on the command line, wherever it stands, else `fallback`: help and errors about the
/// command line itself are to be in the language asked for.
Language chosen_language(const std::vector<std::string>& arguments, Language fallback);

}  // namespace attnlab
