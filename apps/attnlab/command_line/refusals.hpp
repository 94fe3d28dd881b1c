// What is said of words that cannot be read, and "did you mean": the name nearest to a misspelt one.
#pragma once

#include "attnlab/command_line/parser.hpp"

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

/// The hint "choose from a, b, c".
Text choose_from(const std::vector<std::string>& names);

/// "did you mean X?" before another hint, or instead of it, where the word is near one of the candidates.
Text suggestion_before(const std::string& word, const std::vector<std::string>& candidates, const Text& hint);
Text suggestion_or(const std::string& word, const std::vector<std::string>& candidates, const Text& hint);

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other, no part
/// being edited twice (optimal string alignment, the restricted Damerau-Levenshtein distance).
std::size_t edit_distance(const std::string& from, const std::string& to);

/// The candidate nearest to `word`, upper and lower case being one, if it is near enough to be a slip (an
/// edit per three letters, at least one), else the only candidate that `word` begins. The first of equals
/// wins.
std::optional<std::string> did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace attnlab
