// Splits the command line into a subcommand and its flags with CLI11, and explains what it cannot read.
#pragma once

#include "attnlab/command_line/commands.hpp"

namespace attnlab {

/// What was typed, still as text. A switch that was given has the value "true".
struct ParsedCommand {
  Command command;
  std::map<std::string, std::vector<std::string>> values;  // by the flag's name
  std::vector<std::string> topics;                         // of `help`, `inspect` and `sweep`

  bool given(const std::string& flag) const { return values.count(flag) != 0; }
  /// The flag's only value, or "" when it was not given.
  std::string value(const std::string& flag) const;
  /// Every value of a flag that may be repeated.
  std::vector<std::string> all(const std::string& flag) const;
  std::vector<std::filesystem::path> files(const std::string& flag) const;
  /// The text given for a flag that has a parameter, or its default, after the check that every parameter
  /// gets.
  Arguments checked(const std::string& flag) const;
};

/// `words` without the program's name. Flags of attnlab itself (--lang, --version, --help) are merged
/// into those of the subcommand. Throws Error (usage) for an unknown subcommand or flag, with the nearest
/// name; for a missing, unwanted or repeated value; and for text that is not UTF-8 (names of files excepted).
/// Where help or the version is asked for, nothing else is checked.
ParsedCommand parse_command_line(const std::vector<std::string>& words, std::vector<Command> subcommands);

/// What goes to standard output.
enum class Printing { report, explanation, json, nothing };

/// --json, --quiet, --explain. Throws Error (usage) for flags that contradict each other.
Printing read_printing(const ParsedCommand& parsed);

/// The one word after a subcommand that needs one. Throws Error (usage) for none, with problem and hint, and
/// for more than one.
std::string only_topic(const ParsedCommand& parsed, const Text& problem, const Text& hint);

// --- Which of the two languages to speak: --lang before the environment

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
