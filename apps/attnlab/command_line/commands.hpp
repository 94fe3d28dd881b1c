// Every subcommand with its flags and what it does: the parser, the help, the manual page and what shells
// offer come from this table.
#pragma once

#include "catalogue/catalogue.hpp"
#include "core/named.hpp"

namespace attnlab {

struct Command;
struct ParsedCommand;

// --- Flags

/// Flags that cannot be given beside another one, and what to do instead.
struct Exclusion {
  std::vector<std::string> others;
  Text hint;
  bool (*when)(const ParsedCommand&) = nullptr;  // it holds; null: always
};

struct Flag {
  enum class Takes { nothing, one_value, values };  // values: may be given again and again

  std::string name;  // without its dashes
  char letter = 0;   // of the short form, 0 for none
  Takes takes = Takes::nothing;
  std::string form;             // what to type after it
  ShortText default_text = "";  // "" when the help says it in words
  Text help = Text::none();
  std::vector<std::string> choices = {};    // that a shell can offer, where `form` does not list them
  std::optional<Parameter> parameter = {};  // that checks the value, see ParsedCommand::checked
  std::vector<Exclusion> exclusions = {};

  /// The builder: flag("output", "FILE", ja, en).shortened('o').repeated().
  Flag& shortened(char short_form) {
    letter = short_form;
    return *this;
  }
  Flag& repeated() {
    takes = Takes::values;
    return *this;
  }
  Flag& otherwise(const ShortText& value) {  // the default
    default_text = value;
    return *this;
  }
  Flag& excluding(const std::vector<std::string>& others,
                  const Text& hint = {"どちらか一方にしてください", "choose one"},
                  bool (*when)(const ParsedCommand&) = nullptr) {
    exclusions.push_back({others, hint, when});
    return *this;
  }
  Flag& offering(const std::vector<std::string>& words) {
    choices = words;
    return *this;
  }
};

/// A switch; a flag with a value in this form; a flag whose value is checked as a parameter is.
/// Their words are those of flags.toml.
Flag flag(const std::string& name);
Flag flag(const std::string& name, const std::string& form);
Flag flag(const std::string& name, const ParameterKind& kind, const std::string& default_text = "");
Flag flag(const std::string& name, const std::string& ja, const std::string& en);
Flag flag(const std::string& name, const std::string& form, const std::string& ja, const std::string& en);
Flag flag(const Parameter& parameter);

struct FlagGroup {
  enum class Sharing { own, common };

  Text title;
  std::vector<Flag> flags;
  Sharing sharing = Sharing::own;  // common: in --help only their names, in --help-all explained
};

Flag quiet_flag();
Flag json_flag();

/// The language and the help.
FlagGroup general_group();

/// What is printed.
FlagGroup report_group(const std::vector<Flag>& flags);

/// "-o, --output FILE" or "--count 1..512".
std::string usage_of(const Flag& flag);

// --- Commands

/// Whether a command did what it was asked for, or did and found something wrong (--check), or was asked by
/// Ctrl-C to end with what it had: the exit code.
enum class Ending { done = 0, disagreement = 1, interrupted = 130 };

/// What a shell can offer in the place of a word that is being typed: words, files or folders.
struct Offer {
  enum class Paths { none, files, folders };

  std::vector<std::string> words;
  Paths paths = Paths::none;
  std::string ending = {};  // of the files, ".py", or "" for any
};

struct Command {
  std::string name;  // "" for attnlab itself
  Text shows = Text::none();
  std::vector<FlagGroup> groups;
  /// Reads the request out of what was typed, then does it. Throws Error (see its kind for the exit code); no
  /// file is left half-written.
  Ending (*run)(const ParsedCommand& parsed, Language language) = nullptr;
  Text argument = Text::none();  // what to type after the name, with a space before it
  Offer (*offer)(const std::vector<Command>&) = nullptr;  // the words that can be typed there
  bool is_experiment = false;                             // a line of the table of experiments
  const Experiment* experiment = nullptr;                 // whose parameters are among the flags
  std::vector<std::string> positionals = {};  // the parameters that bare words set, one after another
  /// `sweep heads` has the flags of heads, `train reverse` those of the task; nothing for other words.
  std::optional<Command> (*of_word)(const std::string& word) = nullptr;
};

/// What commands.toml says that it does.
const Text& command_words(const std::string& name);

/// attnlab itself, with the flags that may stand before a subcommand.
Command attnlab_command();

/// The subcommands: those that are no experiment, then every experiment in book order.
std::vector<Command> subcommands(const std::vector<Experiment>& experiments);

/// One after the other, each from the folder that does it.
Command list_command();
Command all_command();
Ending write_contact_sheets(const ParsedCommand& parsed, Language language);  // of `list --figures`
Ending write_cheat_sheet(const ParsedCommand& parsed, Language language);     // of `list --cheat-sheet`
Command verify_command();
Command claims_command();
Command attend_command();
Command draw_command();
Command model_command();
Command generation_command();
Command inspect_command();
Command build_command();
Command site_command();
Command sweep_command(const Experiment* experiment);     // null before it is named
Command explore_command(const Experiment* experiment);   // likewise
Command train_command(const Experiment* task);           // likewise
Command exercise_command(const Experiment* experiment);  // likewise
Command grade_command();
Command completion_command();
Command man_command();
Command about_command();
Command help_command();
Command experiment_command(const Experiment& experiment);

/// Command::of_word of a command that takes the experiments of these kinds.
template <Command (*command_of)(const Experiment*), ExperimentKind... kinds>
std::optional<Command> of_experiment(const std::string& word) {
  const Experiment* experiment = find_experiment(word, {kinds...});
  if (experiment == nullptr) return std::nullopt;
  return command_of(experiment);
}

/// Every flag of the command, group after group.
std::vector<Flag> flags_of(const Command& command);

/// The flag of that name, or nullptr.
const Flag* find_flag(const Command& command, const std::string& name);

/// The flag that a word such as --count=3, --count or -o stands for, or nullptr.
const Flag* flag_of(const Command& command, const std::string& word);

// --- What shells offer (complete.cpp)

/// What --figure and --check can name.
struct RunNames {
  std::vector<std::string> figures;
  std::vector<std::string> arrays;
};

/// Those of its experiment's run with the defaults; none of what cannot run without the user's files, or
/// takes long: what is not in the table.
RunNames usual_names(const Command& command);

/// After the flag; nothing for numbers and free text.
Offer offer_of(const Flag& flag);

/// What `attnlab complete -- WORDS` prints, which the scripts of data/completion ask: a line for each word
/// that may stand in the place of the last one, with a tab and what it means; and ":files", ":files .py" or
/// ":folders" where names of those may stand. A shell that breaks words at = gives it as a word, and gets
/// what stands after it.
std::string completions(const std::vector<std::string>& words, Language language);

}  // namespace attnlab
