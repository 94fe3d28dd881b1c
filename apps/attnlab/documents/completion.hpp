// `attnlab completion SHELL`: a script with which a shell completes attnlab's subcommands, flags and values.
#pragma once

#include <string>
#include <vector>

#include "attnlab/commands.hpp"
#include "core/text.hpp"

namespace attnlab {

enum class Shell { bash, zsh, fish };

/// What `attnlab completion` takes.
std::vector<std::string> shell_names();

/// Throws Error (usage) for a shell that is not among them.
Shell shell_named(const std::string& name);

/// The script, made from the table of commands. zsh and fish show a line about each word in the language.
std::string completion_script(Shell shell, const std::vector<Command>& commands, Language language);

/// One function per shell.
std::string bash_completion(const std::vector<Command>& commands);
std::string zsh_completion(const std::vector<Command>& commands, Language language);
std::string fish_completion(const std::vector<Command>& commands, Language language);

}  // namespace attnlab
