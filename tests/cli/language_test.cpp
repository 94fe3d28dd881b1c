// The language comes from --lang wherever it stands, else from the locale.
#include "attnlab/command_line/parser.hpp"

#include <doctest/doctest.h>

using attnlab::chosen_language;
using attnlab::Language;
using attnlab::language_named;
using attnlab::language_of_locale;

TEST_CASE("only locales whose language is ja are Japanese") {
  for (const std::string locale : {"ja", "ja_JP.UTF-8", "ja_JP.eucJP", "ja.UTF-8", "ja@x"}) {
    CAPTURE(locale);
    CHECK(language_of_locale(locale) == Language::ja);
  }
  for (const std::string locale : {"en_US.UTF-8", "C", "POSIX", "jam_JM", "javanese", "", "de_DE"}) {
    CAPTURE(locale);
    CHECK(language_of_locale(locale) == Language::en);
  }
}

TEST_CASE("the flag decides wherever it stands and in both spellings") {
  CHECK(chosen_language({"--lang", "ja", "vectors"}, Language::en) == Language::ja);
  CHECK(chosen_language({"vectors", "--cuont", "3", "--lang=ja"}, Language::en) == Language::ja);
  CHECK(chosen_language({"vectors", "--lang", "en"}, Language::ja) == Language::en);
}

TEST_CASE("without a usable flag the fallback stays") {
  CHECK(chosen_language({}, Language::ja) == Language::ja);
  CHECK(chosen_language({"vectors", "--lang"}, Language::ja) == Language::ja);
  CHECK(chosen_language({"--lang", "fr"}, Language::ja) == Language::ja);
  CHECK(chosen_language({"--language=ja"}, Language::en) == Language::en);
  CHECK(chosen_language({"--", "--lang", "ja"}, Language::en) == Language::en);
}

TEST_CASE("names of languages are exact") {
  CHECK(language_named("ja") == Language::ja);
  CHECK(language_named("en") == Language::en);
  CHECK_FALSE(language_named("JA").has_value());
  CHECK_FALSE(language_named("").has_value());
}
