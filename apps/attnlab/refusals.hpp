// What the parser says of words that it cannot read.
#pragma once

#include <string>
#include <vector>

#include "attnlab/command_line/parser.hpp"
#include "attnlab/commands.hpp"

namespace attnlab {

/// All throw Error (usage).
[[noreturn]] void refuse(const Text& problem, const Text& hint);
[[noreturn]] void refuse_missing_value(const Flag& flag);
[[noreturn]] void refuse_unknown_flag(const Command& command, const std::string& word);
[[noreturn]] void refuse_unknown_subcommand(const std::string& word, const std::vector<Command>& subcommands);
[[noreturn]] void refuse_argument(const Command& command, const std::string& word);

/// When both flags were given.
void refuse_both(const ParsedCommand& parsed, const std::string& one, const std::string& other);

/// The hint "see `attnlab vectors --help`".
Text see_help(const Command& command);

}  // namespace attnlab
