// The table of commands and flags.
#include "attnlab/command_line/commands.hpp"

#include "core/sentences.hpp"

namespace attnlab {
namespace {

/// What flags.toml says of it.
const Text& words_of(const std::string& name) {
  static const std::map<std::string, Text> words = named_words(command_line_files().back(), "flag");
  return words.at(name);
}

}  // namespace

Flag flag(const std::string& name) { return flag(name, words_of(name).ja(), words_of(name).en()); }

Flag flag(const std::string& name, const std::string& form) {
  return flag(name, form, words_of(name).ja(), words_of(name).en());
}

Flag flag(const std::string& name, const ParameterKind& kind, const std::string& default_text) {
  return flag(Parameter{name, kind, default_text, words_of(name)});
}

Flag flag(const std::string& name, const std::string& ja, const std::string& en) {
  Flag plain;
  plain.name = name;
  plain.help = {ja, en};
  return plain;
}

Flag flag(const std::string& name, const std::string& form, const std::string& ja, const std::string& en) {
  Flag valued = flag(name, ja, en);
  valued.takes = Flag::Takes::one_value;
  valued.form = form;
  return valued;
}

Flag flag(const Parameter& parameter) {
  Flag set = flag(parameter.name, parameter.help.ja(), parameter.help.en());
  set.default_text = shown_default(parameter);
  set.parameter = parameter;
  if (std::holds_alternative<SwitchKind>(parameter.kind)) return set;
  const bool repeats = std::holds_alternative<ItemsKind>(parameter.kind);
  set.takes = repeats ? Flag::Takes::values : Flag::Takes::one_value;
  set.form = form_of(parameter);
  if (const auto* choice = std::get_if<ChoiceKind>(&parameter.kind)) set.choices = choice->choices;
  return set;
}

Flag quiet_flag() { return flag("quiet"); }

Flag json_flag() { return flag("json").excluding({"quiet"}); }

FlagGroup general_group() {
  return {{"全般", "General"}, {flag("lang", ChoiceKind{{"ja", "en"}}), flag("help").shortened('h')}};
}

FlagGroup report_group(const std::vector<Flag>& flags) { return {{"結果", "Report"}, flags}; }

const Text& command_words(const std::string& name) {
  static const std::map<std::string, Text> words = named_words(command_line_files().front(), "command");
  return words.at(name);
}

std::string usage_of(const Flag& flag) {
  std::string usage = flag.letter == 0 ? "" : std::string("-") + flag.letter + ", ";
  usage += "--" + flag.name;
  return flag.form.empty() ? usage : usage + " " + flag.form;
}

std::vector<Command> subcommands(const std::vector<Experiment>& experiments) {
  std::vector<Command> commands{list_command(),
                                all_command(),
                                verify_command(),
                                claims_command(),
                                attend_command(),
                                draw_command(),
                                model_command(),
                                generation_command(),
                                inspect_command(),
                                train_command(nullptr),
                                build_command(),
                                site_command(),
                                sweep_command(nullptr),
                                explore_command(nullptr),
                                exercise_command(nullptr),
                                grade_command(),
                                completion_command(),
                                man_command(),
                                about_command(),
                                help_command()};
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

const Flag* flag_of(const Command& command, const std::string& word) {
  if (word.rfind("--", 0) == 0) return find_flag(command, word.substr(2, word.find('=') - 2));
  for (const FlagGroup& group : command.groups) {
    for (const Flag& flag : group.flags) {
      if (flag.letter != 0 && word == std::string("-") + flag.letter) return &flag;
    }
  }
  return nullptr;
}

}  // namespace attnlab
