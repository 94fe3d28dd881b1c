// Every subcommand with its flags and what it does: the parser, the help, the manual page and the completions
// read this table.
#pragma once

#include <string>
#include <vector>

#include "attnlab/command_line/flags.hpp"
#include "core/text.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

struct Command;
struct ParsedCommand;
struct Offer;

/// Whether a command did what it was asked for, or did and found something wrong (--check): the exit code.
enum class Ending { done = 0, disagreement = 1 };

struct Command {
  enum class Kind { attnlab, experiment, other };  // attnlab itself, a line of the table of experiments

  std::string name;  // "" for attnlab itself
  Text shows = Text::none();
  std::vector<FlagGroup> groups;
  /// Reads the request out of what was typed, then does it. Throws Error (see its kind for the exit code); no
  /// file is left half-written.
  Ending (*run)(const ParsedCommand& parsed, Language language) = nullptr;
  Text argument = Text::none();  // what to type after the name, with a space before it
  Offer (*offer)(const std::vector<Command>&) = nullptr;  // the words that can be typed there
  Kind kind = Kind::other;
  const Experiment* experiment = nullptr;                 // whose parameters are among the flags
  std::string positional = {};                            // the parameter that a bare word sets, or ""
  Command (*of_experiment)(const Experiment*) = nullptr;  // `sweep heads` has the flags of heads
};

/// attnlab itself, with the flags that may stand before a subcommand.
Command attnlab_command();

/// The subcommands: those that are no experiment, then every experiment in book order.
std::vector<Command> subcommands(const std::vector<Experiment>& experiments);

/// One after the other, each from the folder that does it.
Command list_command();
Command all_command();
Command verify_command();
Command claims_command();
Command attend_command();
Command inspect_command();
Command build_command();
Command sweep_command(const Experiment* experiment);  // null before it is named
Command completion_command();
Command man_command();
Command about_command();
Command help_command();
Command experiment_command(const Experiment& experiment);

/// What `attend` is: an experiment whose inputs are the user's files. Not in the table of experiments: it has
/// nothing to show without files.
const Experiment& attend_experiment();

/// Every flag of the command, group after group.
std::vector<Flag> flags_of(const Command& command);

/// The flag of that name, or nullptr.
const Flag* find_flag(const Command& command, const std::string& name);

}  // namespace attnlab
