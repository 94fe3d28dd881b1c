// `attnlab completion SHELL`: a script with which a shell completes attnlab's subcommands, flags and values.
#pragma once

#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"
#include "core/text.hpp"

namespace attnlab {

/// What `attnlab completion` takes.
std::vector<std::string> shell_names();

/// One function per shell, from the commands as a shell completes them (command_line/offer.hpp).
std::string bash_completion(const std::vector<Command>& commands);
std::string zsh_completion(const std::vector<Command>& commands, Language language);
std::string fish_completion(const std::vector<Command>& commands, Language language);

}  // namespace attnlab
