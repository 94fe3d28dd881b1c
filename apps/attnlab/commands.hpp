// Every subcommand with its flags: the parser, the help, the manual page and the completions read this table.
#pragma once

#include <string>
#include <vector>

#include "attnlab/flags.hpp"
#include "core/text.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

struct Command {
  enum class Kind {
    attnlab,
    list,
    all,
    verify,
    claims,
    attend,
    inspect,
    sweep,
    build,
    completion,
    man,
    about,
    help,
    experiment
  };

  Kind kind = Kind::attnlab;
  std::string name;  // "" for attnlab itself
  Text shows = Text::same("");
  std::vector<FlagGroup> groups;
  const Experiment* experiment = nullptr;  // of Kind::experiment, attend, and sweep once it is named
  Text argument = Text::same("");          // what to type after the name, with a space before it
};

/// attnlab itself, with the flags that may stand before a subcommand.
Command attnlab_command();

/// `attnlab sweep`, with the flags of the experiment where it is known.
Command sweep_command(const Experiment* experiment);

/// The subcommands: those that are no experiment, then every experiment in book order.
std::vector<Command> subcommands(const std::vector<Experiment>& experiments);

/// The flag of that name, or nullptr.
const Flag* find_flag(const Command& command, const std::string& name);

}  // namespace attnlab
