// Splits the command line into a subcommand and its flags with CLI11, and explains what it cannot read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "attnlab/commands.hpp"

namespace attnlab {

/// What was typed, still as text. A switch that was given has the value "true".
struct ParsedCommand {
  Command command;
  std::map<std::string, std::vector<std::string>> values;  // by the flag's name
  std::vector<std::string> topics;                         // of `help`, `inspect` and `sweep`

  bool given(const std::string& flag) const { return values.count(flag) != 0; }
  /// The flag's only value, or "" when it was not given.
  std::string value(const std::string& flag) const;
};

/// The text given for a shared flag, or its default, after the check that every parameter gets.
Arguments checked_value(const ParsedCommand& parsed, const Parameter& parameter);

/// `arguments` without the program's name. Flags of attnlab itself (--lang, --version, --help) are merged
/// into those of the subcommand. Throws Error (usage) for an unknown subcommand or flag, with the nearest
/// name; for a missing, unwanted or repeated value; and for text that is not UTF-8 (names of files excepted).
/// Where help or the version is asked for, nothing else is checked.
ParsedCommand parse_command_line(const std::vector<std::string>& words,
                                 const std::vector<Command>& subcommands);

}  // namespace attnlab
