// What a shell can offer in the place of a word that is being typed: words, files or folders.
#pragma once

#include <string>
#include <vector>

#include "attnlab/command_line/commands.hpp"

namespace attnlab {

struct Offer {
  enum class Paths { none, files, folders };

  std::vector<std::string> words;
  Paths paths = Paths::none;
};

/// After the flag; nothing for numbers and free text.
Offer offer_of(const Flag& flag);

/// After the subcommand, where a flag need not stand.
Offer offer_of(const Command& command, const std::vector<Command>& commands);

/// The commands as a shell completes them: --figure of each experiment knows the figures that it draws with
/// its defaults, and `sweep`, whose flags depend on the experiment, is followed by "sweep heads" and the
/// like.
std::vector<Command> completed_commands(std::vector<Command> commands);

/// Their names, without "sweep heads" and the like.
std::vector<std::string> subcommand_names(const std::vector<Command>& commands);

/// One line about the subcommand, shorter than the one of its help page.
std::string summary_of(const Command& command, Language language);

}  // namespace attnlab
