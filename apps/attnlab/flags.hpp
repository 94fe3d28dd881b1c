// Every subcommand with its flags as plain values: the parser and the help text read the same table.
#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/experiment.hpp"

namespace attnlab {

struct Flag {
  enum class Takes { nothing, one_value, values };  // values: may be given again and again

  std::string name;  // without its dashes
  char letter = 0;   // of the short form, 0 for none
  Takes takes = Takes::one_value;
  std::string form;        // what to type after it
  ShortText default_text;  // "" when the help says it in words
  Text help;
  std::vector<std::string> choices = {};  // that a shell can offer, where `form` does not list them
};

struct FlagGroup {
  Text title;
  std::vector<Flag> flags;
};

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

/// The flags that every experiment shares and whose values are checked as parameters are.
Parameter language_parameter();
Parameter theme_parameter();
Parameter preset_parameter();
Parameter dpi_parameter();
Parameter row_parameter();
Parameter show_as_parameter();
Parameter seed_parameter();
/// What --palette takes.
std::vector<std::string> palette_names();
/// The flags that decide how figures look.
std::vector<Flag> look_flags();
/// The sections of `attnlab verify`.
Parameter section_parameter();
/// The documents of `attnlab claims`.
Parameter document_parameter();
/// How fast `attnlab sweep` runs its film.
Parameter fps_parameter();
Parameter seconds_parameter();

/// attnlab itself, with the flags that may stand before a subcommand.
Command attnlab_command();

/// `attnlab sweep`, with the flags of the experiment where it is known.
Command sweep_command(const Experiment* experiment);

/// The subcommands: those that are no experiment, then every experiment in book order.
std::vector<Command> subcommands(const std::vector<Experiment>& experiments);

/// The flag of that name, or nullptr.
const Flag* find_flag(const Command& command, const std::string& name);

/// True when the experiment itself declares a parameter of that name.
bool declares(const Experiment& experiment, const std::string& name);

/// "-o, --output FILE" or "--count 1..512".
std::string usage_of(const Flag& flag);

}  // namespace attnlab
