#include "attnlab/command_line/commands.hpp"

namespace attnlab {

std::vector<Command> subcommands(const std::vector<Experiment>& experiments) {
  std::vector<Command> commands{list_command(),   all_command(),          verify_command(),
                                claims_command(), attend_command(),       inspect_command(),
                                build_command(),  sweep_command(nullptr), completion_command(),
                                man_command(),    about_command(),        help_command()};
  for (const Experiment& experiment : experiments) commands.push_back(experiment_command(experiment));
  return commands;
}

std::vector<Flag> flags_of(const Command& command) {
  std::vector<Flag> flags;
  for (const FlagGroup& group : command.groups) {
    flags.insert(flags.end(), group.flags.begin(), group.flags.end());
  }
  return flags;
}

const Flag* find_flag(const Command& command, const std::string& name) {
  for (const FlagGroup& group : command.groups) {
    if (const Flag* flag = find_named(group.flags, name)) return flag;
  }
  return nullptr;
}

}  // namespace attnlab
