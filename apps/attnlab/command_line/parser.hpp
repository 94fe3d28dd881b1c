// Splits the command line into a subcommand and its flags with CLI11, and explains what it cannot read.
#pragma once

#include "attnlab/command_line/commands.hpp"
#include "core/error.hpp"

namespace attnlab {

/// What was typed, still as text. A switch that was given has the value "true".
struct ParsedCommand {
  Command command;
  std::map<std::string, std::vector<std::string>> values;  // by the flag's name
  std::vector<std::string> topics;                         // of `help`, `inspect` and `sweep`
  std::filesystem::path folder = {};                       // in which alone files are read; "" for no bound

  bool is_set(const std::string& flag) const { return values.count(flag) != 0; }
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
/// name; for a missing, unwanted or repeated value; for flags that exclude each other; and for text that is
/// not UTF-8 (names of files excepted). Where help or the version is asked for, nothing else is checked.
ParsedCommand parse_command_line(const std::vector<std::string>& words,
                                 const std::vector<Command>& subcommands);

/// What goes to standard output.
enum class Printing { report, explanation, code, json, nothing };

/// --json, --quiet, --explain.
Printing read_printing(const ParsedCommand& parsed);

/// The one word after a subcommand that needs one. Throws Error (usage) for none, with problem and hint, and
/// for more than one.
std::string only_topic(const ParsedCommand& parsed, const Text& problem, const Text& hint);

// --- Which of the two languages to speak: --lang before the environment

/// The language of a POSIX locale name: ja, ja_JP.UTF-8 and ja@x are Japanese, all else English.
Language language_of_locale(const std::string& locale);

/// From LC_ALL, LC_MESSAGES and LANG: the first that is set and not empty decides.
Language language_of_environment();

/// The last valid --lang on the command line, wherever it stands, else `fallback`: help and errors about the
/// command line itself are to be in the language asked for.
Language chosen_language(const std::vector<std::string>& arguments, Language fallback);

// --- What is said of words that cannot be read, and "did you mean" (refusals.cpp)

/// All throw Error (usage).
[[noreturn]] void refuse_missing_value(const Command& command, const Flag& flag);
[[noreturn]] void refuse_unknown_flag(const Command& command, const std::string& word);
[[noreturn]] void refuse_unknown_subcommand(const std::string& word, const std::vector<Command>& subcommands);
[[noreturn]] void refuse_argument(const Command& command, const std::string& word);

/// When a flag was given beside one that it excludes.
void refuse_exclusions(const ParsedCommand& parsed);

/// The experiment that stands right behind `sweep`, `explore` or `exercise`. Throws Error (usage) with the
/// example where there is none, no such one, or more than one word.
const Experiment& experiment_behind(const ParsedCommand& parsed, std::string_view example);

/// The hint "see `attnlab vectors --help`".
Text see_help(const Command& command);

}  // namespace attnlab
